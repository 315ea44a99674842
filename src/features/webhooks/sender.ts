import { recordActivity } from "../../core/activity/record.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Result } from "../../platform/jobs/queue.ts";
import type { NewTask, Task } from "../../platform/jobs/tasks.ts";
import { late } from "../../platform/once.ts";
import { type Attempt, deliveries, hasDeliveredSince, maxAttempts, type Payload } from "./deliveries.ts";
import { deactivate, getWebhookRow, nameOf, type WebhookRow } from "./store.ts";
import { deriveSecret, sign } from "./webhook.ts";

const loadPost = late(() => import("../../platform/outgoing/post.ts"));

const failing = `${maxAttempts} attempts to deliver an event have failed, and nothing was delivered in between.`;
const longestAgeMs = 30 * 86_400_000;
const tooOld = "The webhook was not active for 30 days.";

/** A delivery, and the id that a receiver gets. */
type Sent = NewTask<Payload> & { id: number };
type Sender = ReturnType<typeof createSender>;
export type { Sender };

export function createSender(
  db: Database,
  { secret, allowPrivate, signal }: { secret: string; allowPrivate: boolean; signal: AbortSignal },
) {
  return {
    /** Sends a delivery of an active webhook. */
    async run({ payload: old, ...task }: Task<Payload>): Promise<Result<Payload>> {
      if (old.createdAt < Date.now() - longestAgeMs) return { kind: "refused", reason: tooOld };
      const payload = await attempt({ ...task, payload: old });
      return payload.error === null ? { kind: "done", payload } : { kind: "failed", reason: payload.error, payload };
    },

    /** In the transaction in which a delivery has failed for the last time. */
    async givenUp(tx: Queries, task: Task<Payload>, { isCrash }: { isCrash: boolean }): Promise<void> {
      if (isCrash || (await hasDeliveredSince(tx, task))) return;
      // Another delivery may have failed for the last time at the same moment.
      if (!(await deactivate(tx, task.group, failing))) return;
      const name = nameOf(await getWebhookRow(tx, task.group));
      recordActivity(tx, null, "changed", { kind: "webhook", id: task.group, ownerID: null, name });
    },

    /** Sends a delivery once, which its creator has stored as settled, and stores the result. */
    async sendOnce(delivery: Sent): Promise<void> {
      const payload = await attempt(delivery);
      if (signal.aborted) return;
      const outcome = payload.error === null ? "done" : "given up";
      await db.transaction(async (tx) => {
        await getWebhookRow(tx, delivery.group, tx.forShare);
        await deliveries.addSettled(tx, { ...delivery, payload }, { outcome, reason: payload.error });
      });
    },
  };

  async function attempt(delivery: Sent): Promise<Payload> {
    const tried = await tryOnce(await getWebhookRow(db, delivery.group), delivery);
    return { ...delivery.payload, ...tried, attemptedAt: Date.now() };
  }

  async function tryOnce({ url, salt }: WebhookRow, { id, payload: { event, body } }: Sent): Promise<Attempt> {
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "Vitrine",
      "X-Vitrine-Event": event,
      "X-Vitrine-Delivery": String(id),
      "X-Vitrine-Signature": sign(deriveSecret(secret, salt), Math.floor(Date.now() / 1000), body),
    };
    // Loaded here, because a server without webhooks does not need it.
    const { post, PostError } = await loadPost();
    try {
      const { status, excerpt } = await post(new URL(url), { headers, body, allowPrivate, signal });
      const error = status >= 200 && status < 300 ? null : `The response has the status ${status}.`;
      return { status, error, response: excerpt.replaceAll("\0", "\uFFFD") };
    } catch (error) {
      if (!(error instanceof PostError)) throw error;
      return { status: null, error: error.message, response: null };
    }
  }
}
