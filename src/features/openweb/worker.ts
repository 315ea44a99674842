import type { Kinds } from "../../core/activity/visible.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { readSettings } from "../../core/settings/store.ts";
import { noticeWrites, poll } from "../../platform/jobs/poll.ts";
import type { Log } from "../../platform/log.ts";
import { late } from "../../platform/once.ts";
import { forgetPosition } from "./position.ts";
import type { RequestDeps } from "./requests.ts";
import { claimTask, finishTask, retryTask, type Task } from "./tasks.ts";

// Most servers need none of them.
const loadFollowing = late(() => import("./follow.ts"));
const loadRequests = late(() => import("./requests.ts"));
const loadPost = late(() => import("../../platform/outgoing/post.ts"));

const pollMs = 1000;
const maxAtOnce = 4;

type Worker = {
  /** Looks at once whether there is something to do. */
  wake(): void;
  ended: Promise<void>;
};

/**
 * Follows the changes of posts and does what waits, until `signal` is aborted. Every copy of the server does this: each task
 * goes to one of them. While all of it is switched off, the database is not even asked.
 */
export function startWorker(deps: RequestDeps, kinds: Kinds, log: Log): Worker {
  const { db, origin, signal } = deps;
  const running = new Set<Promise<void>>();
  let known: { generation: number; settings: Settings } | null = null;

  const failed = ({ message }: Error) => log.warn("other sites were not told or asked", { reason: message });
  const { wake, ended } = poll(look, { everyMs: pollMs, signal, failed });
  return { wake, ended: ended.then(async () => void (await Promise.all(running))) };

  async function look(): Promise<void> {
    const settings = await readSwitches();
    if (!settings.webmentions && settings.webSubHub === null) return;
    if (origin !== "") await follow(settings);
    await startDue();
  }

  async function follow(settings: Settings): Promise<void> {
    const { followChanges } = await loadFollowing();
    while (!signal.aborted && (await followChanges(db, kinds, { origin, settings })));
  }

  /** Asks the database only if settings were written since the last time. */
  async function readSwitches(): Promise<Settings> {
    await noticeWrites(db);
    if (known && db.lastWrite(["site_settings"]) <= known.generation) return known.settings;
    const generation = db.generation();
    const settings = await readSettings(db, {});
    if (!settings.webmentions && settings.webSubHub === null) await forgetPosition(db);
    known = { generation, settings };
    return settings;
  }

  /** A site that responds slowly does not delay the others. */
  async function startDue(): Promise<void> {
    while (running.size < maxAtOnce && !signal.aborted) {
      const task = await claimTask(db);
      if (!task) return;
      const done: Promise<void> = perform(task)
        .catch((error: Error) => log.warn("a task was not finished", { task: task.id, reason: error.message }))
        .finally(() => {
          running.delete(done);
          wake();
        });
      running.add(done);
    }
  }

  async function perform(task: Task): Promise<void> {
    const [{ performTask }, { AddressError, PostError }] = await Promise.all([loadRequests(), loadPost()]);
    const outcome = await performTask(deps, task).catch((error: unknown) => {
      if (error instanceof PostError) return { isTemporary: !(error instanceof AddressError) };
      log.warn("another site was not told or asked", { task: task.id, reason: (error as Error).message });
      return { isTemporary: true };
    });
    // It was interrupted by the end of the process, and will be done again.
    if (signal.aborted) return;
    await db.transaction((tx) => (outcome.isTemporary ? retryTask(tx, task) : finishTask(tx, task)));
  }
}
