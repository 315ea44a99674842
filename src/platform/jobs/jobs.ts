import type { Database, Lease } from "../database/database.ts";
import type { Log } from "../log.ts";
import { nextTurn } from "../event-loop.ts";
import type { Metrics } from "../metrics/metrics.ts";

export type Job = {
  name: string;
  everyMs: number;
  /** Deletes what is old, by the clock of this machine: it does not run while the clock may be wrong. */
  deletesByAge?: true;
  run: (lease: Lease) => Promise<unknown>;
};

type Deps = {
  runExclusively: Database["runExclusively"];
  areDeletionsHeld(): Promise<boolean>;
  metrics: Metrics;
  log: Log;
};

/**
 * Runs jobs in the background, for the first time soon after the start. If several copies of the program run, only one
 * of them runs a job in each interval. `stop` waits for running jobs.
 */
export function startJobs(
  jobs: Job[],
  { runExclusively, areDeletionsHeld, metrics, log }: Deps,
): { stop(): Promise<void> } {
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
    // Many jobs are due at the same moment, above all after the start: each begins in a turn of its own.
    await nextTurn();
    try {
      if (job.deletesByAge && (await areDeletionsHeld())) return;
      // A little less than the interval, because the timers of two copies are not equally late.
      await runExclusively(job.name, (lease) => run(job, lease), job.everyMs * 0.9);
    } catch (error) {
      metrics.jobRuns({ task: job.name, result: "failed" }).value++;
      log.error("job failed", { task: job.name, stack: (error as Error).stack });
    }
  }

  async function run(job: Job, lease: Lease): Promise<void> {
    const started = performance.now();
    try {
      await job.run(lease);
      metrics.jobRuns({ task: job.name, result: "done" }).value++;
    } finally {
      metrics.jobSeconds({ task: job.name }).observe((performance.now() - started) / 1000);
    }
  }

  for (const job of jobs) {
    // The counter starts at zero, so that the first failure shows as an increase.
    metrics.jobRuns({ task: job.name, result: "failed" });
    schedule(job, 10_000);
  }

  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
