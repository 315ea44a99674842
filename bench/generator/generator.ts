import { bun, start } from "../processes.ts";
import type { Job, Outcome } from "./job.ts";

export type Generator = {
  /** Runs the job and returns the requests per second. Throws if any response was not as expected. */
  rate(job: Job): Promise<number>;
};

export function startGenerator(): Generator {
  const child = start(bun(new URL("main.ts", import.meta.url)), ["ignore", "inherit", "inherit", "ipc"]);
  let waiting: PromiseWithResolvers<Outcome> | null = null;
  child.on("message", (outcome) => waiting?.resolve(outcome as Outcome));
  child.on("exit", () => waiting?.reject(new Error("the load generator ended early")));

  return {
    async rate(job) {
      waiting = Promise.withResolvers();
      child.send(job);
      const { count, milliseconds, problem } = await waiting.promise;
      if (problem !== null) throw new Error(problem);
      return (count / milliseconds) * 1000;
    },
  };
}
