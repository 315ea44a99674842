import type { Database } from "../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import type { Job } from "../../platform/jobs/jobs.ts";
import type { Log } from "../../platform/log.ts";

const name = "user removals";

/** Finishes removals in the background: at once, and, if that failed or the server was stopped, again a little later. */
export function createRemovals(db: Database, log: Log, finish: () => Promise<void>) {
  let running: Promise<void> = Promise.resolve();
  const run = () =>
    db
      .runExclusively(name, finish)
      .catch((error) => log.error("removing a user failed", { stack: (error as Error).stack }));
  const job: Job = { name, everyMs: 10_000, run: finish };
  return {
    job,
    start(): void {
      running = withoutSharedDeadline(() => running.then(run));
    },
    /** Waits for the current step. */
    close: (): Promise<void> => running,
  };
}
