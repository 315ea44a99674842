import type { Database, Lease } from "../database/database.ts";
import { collectReads } from "../database/generations.ts";
import type { Log } from "../log.ts";
import { nextTurn } from "../event-loop.ts";
import { noticeWrites } from "./poll.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** Less than a minute, so that a job that is due every minute runs every minute. */
const maxIdleMs = 55_000;

export type Job = {
  name: string;
  everyMs: number;
  /** Deletes what is old and cannot be made again, by the clock of this machine: it does not run while the clock may be wrong. */
  deletesByAge?: true;
  run: (lease: Lease) => Promise<unknown>;
};

type Deps = {
  db: Pick<Database, "runExclusively" | "isShared" | "fresh" | "generation" | "lastWrite">;
  areDeletionsHeld(): Promise<boolean>;
  metrics: Metrics;
  log: Log;
};

/**
 * Runs jobs in the background, for the first time soon after the start. If several copies of the program run, only one
 * of them runs a job in each interval. `stop` waits for running jobs.
 */
export function startJobs(jobs: Job[], { db, areDeletionsHeld, metrics, log }: Deps): { stop(): Promise<void> } {
  let stopped = false;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const running = new Set<Promise<void>>();
  /** What a job has read, and in which generation of the database. */
  const seen = new Map<Job, { names: Set<string>; generation: number; at: number }>();

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
      if (await isIdle(job)) return;
      if (job.deletesByAge && (await areDeletionsHeld())) return;
      // A little less than the interval, because the timers of two copies are not equally late.
      await db.runExclusively(job.name, (lease) => run(job, lease), job.everyMs * 0.9);
    } catch (error) {
      metrics.jobRuns({ task: job.name, result: "failed" }).value++;
      log.error("job failed", { task: job.name, stack: (error as Error).stack });
    }
  }

  /**
   * Whether nothing that the job has read was written since. Copies that share a database ask it for a lease otherwise, each of
   * them, every few seconds. Some jobs also wait for a time, so every job runs once a minute.
   */
  async function isIdle(job: Job): Promise<boolean> {
    const last = seen.get(job);
    if (!db.isShared || !last || performance.now() - last.at > maxIdleMs) return false;
    await noticeWrites(db);
    return db.lastWrite(last.names) <= last.generation;
  }

  async function run(job: Job, lease: Lease): Promise<void> {
    const started = performance.now();
    const last = { names: new Set<string>(), generation: db.generation(), at: started };
    try {
      seen.delete(job);
      await collectReads(last.names, () => job.run(lease));
      seen.set(job, last);
      metrics.jobRuns({ task: job.name, result: "done" }).value++;
    } finally {
      metrics.jobSeconds({ task: job.name }).observe((performance.now() - started) / 1000);
    }
  }

  for (const [index, job] of jobs.entries()) {
    // The counter starts at zero, so that the first failure shows as an increase.
    metrics.jobRuns({ task: job.name, result: "failed" });
    // One after the other, so that they need few connections.
    schedule(job, 10_000 + 50 * index);
  }

  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
