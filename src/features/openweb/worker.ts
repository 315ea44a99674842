import type { Kinds } from "../../core/activity/visible.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { readSettings } from "../../core/settings/store.ts";
import { noticeWrites, poll } from "../../platform/jobs/poll.ts";
import type { Result } from "../../platform/jobs/queue.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { late } from "../../platform/once.ts";
import { forgetPosition } from "./position.ts";
import type { RequestDeps } from "./requests.ts";
import { type Payload, webTasks } from "./tasks.ts";

// Most servers need none of them.
const loadFollowing = late(() => import("./follow.ts"));
const loadRequests = late(() => import("./requests.ts"));
const loadPost = late(() => import("../../platform/outgoing/post.ts"));

const pollMs = 1000;

type Uses = Omit<RequestDeps, "signal"> & { kinds: Kinds; log: Log; metrics: Metrics };

/**
 * Follows the changes of posts and does what waits. Every copy of the server does this: each task goes to one of them. While all of it
 * is switched off, the database is not even asked.
 */
export async function startWorker({ kinds, log, metrics, ...deps }: Uses) {
  const { db, origin } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let known: { generation: number; settings: Settings } | null = null;

  const isOn = ({ webmentions, webSubHub }: Settings) => webmentions || webSubHub !== null;
  const worker = await webTasks.start(
    { db, log, metrics },
    {
      mayBegin: async () => isOn(await readSwitches()),
      run: ({ payload }, running) => perform(payload, running.signal),
    },
  );
  const failed = ({ message }: Error) => log.warn("other sites were not told or asked", { reason: message });
  const { ended } = poll(look, { everyMs: pollMs, signal, failed });

  async function look(): Promise<void> {
    const settings = await readSwitches();
    if (isOn(settings) && origin !== "") await follow(settings);
  }

  async function follow(settings: Settings): Promise<void> {
    const { followChanges } = await loadFollowing();
    while (!signal.aborted && (await followChanges(db, kinds, { origin, settings }))) worker.wake();
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

  async function perform(task: Payload, interrupted: AbortSignal): Promise<Result<Payload>> {
    const [{ performTask }, { AddressError, PostError }] = await Promise.all([loadRequests(), loadPost()]);
    try {
      const { isTemporary } = await performTask({ ...deps, signal: interrupted }, task);
      return isTemporary ? { kind: "failed", reason: "It could not respond." } : { kind: "done" };
    } catch (error) {
      if (!(error instanceof PostError)) throw error;
      return { kind: error instanceof AddressError ? "refused" : "failed", reason: error.message };
    }
  }

  return {
    /** Looks at once whether there is something to do. */
    wake: worker.wake,
    async close(): Promise<void> {
      stopping.abort();
      await Promise.all([ended, worker.close()]);
    },
  };
}
