import type { Database, Lease } from "../database/database.ts";
import type { Log } from "../log.ts";

export type Job = { name: string; everyMs: number; run: (lease: Lease) => Promise<unknown> };

/**
 * Runs jobs in the background, first soon after the start. Of many copies of the program, one runs a job in each interval.
 * `stop` waits for those that run.
 */
export function startJobs(jobs: Job[], alone: Database["alone"], log: Log): { stop(): Promise<void> } {
  let stopped = false;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const running = new Set<Promise<void>>();

  function schedule(job: Job, delay: number): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      const work = perform(job).finally(() => {
        running.delete(work);
        schedule(job, job.everyMs);
      });
      running.add(work);
    }, delay);
    timers.add(timer);
  }

  async function perform(job: Job): Promise<void> {
    try {
      // A little less than the interval: timers of two copies are not equally late.
      await alone(job.name, job.run, job.everyMs * 0.9);
    } catch (error) {
      log.error("job failed", { job: job.name, stack: (error as Error).stack });
    }
  }

  for (const job of jobs) schedule(job, 10_000);

  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
