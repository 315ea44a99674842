import type { Log } from "../log.ts";

export type Job = { name: string; everyMs: number; run: () => Promise<unknown> };

/** Runs `work` unless another process is at the same task. */
export type Alone = (task: string, work: () => Promise<unknown>) => Promise<void>;

/** Runs jobs in the background, each alone and first soon after the start. `stop` waits for those that run. */
export function startJobs(jobs: Job[], alone: Alone, log: Log): { stop(): Promise<void> } {
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
      await alone(job.name, job.run);
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
