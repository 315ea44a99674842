import { bun, start } from "../processes.ts";
import type { Seen } from "./reader-process.ts";

const longest = 30_000;

export type Reader = {
  /** The durations since the last call; null if the server does not respond. */
  take(): Promise<Seen | null>;
};

/** A second client that reads the list of photos every few milliseconds: with and without the cache. */
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
