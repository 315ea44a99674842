import { bun, start } from "../processes.ts";
import type { Job, Outcome } from "./job.ts";

export type Generator = {
  /** Throws if any response was not as expected. */
  run(job: Job): Promise<Outcome>;
  pid: number;
};

export function startGenerator(): Generator {
  const child = start(bun(new URL("main.ts", import.meta.url)), ["ignore", "inherit", "inherit", "ipc"]);
  let waiting: PromiseWithResolvers<Outcome> | null = null;
  child.on("message", (outcome) => waiting?.resolve(outcome as Outcome));
  child.on("exit", () => waiting?.reject(new Error("the load generator ended early")));

  return {
    pid: child.pid ?? 0,
    async run(job) {
      waiting = Promise.withResolvers();
      child.send(job);
      const outcome = await waiting.promise;
      if (outcome.problem !== null) throw new Error(outcome.problem);
      return outcome;
    },
  };
}
