import { bun, start } from "../processes.ts";
import type { Seen } from "./reader-process.ts";

const longest = 30_000;

export type Reader = {
  /** What it has seen since the last call; null when the server does not respond. */
  take(): Promise<Seen | null>;
};

/** A second client, which reads the list of photos every few milliseconds: from the cache, and past it. */
export function startReader(url: string): Reader {
  const child = start(bun(new URL("reader-process.ts", import.meta.url)), ["ignore", "inherit", "inherit", "ipc"]);
  let waiting: PromiseWithResolvers<Seen | null> | null = null;
  child.on("message", (seen) => waiting?.resolve(seen as Seen));
  child.send({ url });
  return {
    take() {
      const answer = Promise.withResolvers<Seen | null>();
      waiting = answer;
      child.send("take");
      const late = setTimeout(() => answer.resolve(null), longest);
      return answer.promise.finally(() => clearTimeout(late));
    },
  };
}

export function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
