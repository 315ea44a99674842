import { recordActivity } from "../../core/activity/record.ts";
import type { Database } from "../../platform/database/database.ts";
import { late } from "../../platform/once.ts";
import { type Attempt, type DeliveryRow, finishAttempt, hasDeliveredSince, maxAttempts } from "./deliveries.ts";
import { deactivate, getWebhookRow, nameOf, type WebhookRow } from "./store.ts";
import { deriveSecret, sign } from "./webhook.ts";

const loadPost = late(() => import("../../platform/outgoing/post.ts"));

const failing = `${maxAttempts} attempts to deliver an event have failed, and nothing was delivered in between.`;

export type Sender = {
  /** Sends a delivery once and stores the outcome. */
  send(delivery: DeliveryRow): Promise<void>;
};

export function createSender(
  db: Database,
  { secret, allowPrivate, signal }: { secret: string; allowPrivate: boolean; signal: AbortSignal },
): Sender {
  return {
    async send(delivery) {
      const webhook = await getWebhookRow(db, delivery.webhook_id);
      const attempt = await tryOnce(webhook, delivery);
      // It was interrupted by the end of the process, and will be sent again.
      if (signal.aborted) return;
      await db.transaction(async (tx) => {
        const hasFailed = await finishAttempt(tx, delivery, attempt);
        if (!hasFailed || (await hasDeliveredSince(tx, delivery))) return;
        // Another delivery may have failed for the last time at the same moment.
        if (!(await deactivate(tx, webhook.id, failing))) return;
        recordActivity(tx, null, "changed", { kind: "webhook", id: webhook.id, ownerID: null, name: nameOf(webhook) });
      });
    },
  };

  async function tryOnce({ url, salt }: WebhookRow, { id, event, payload }: DeliveryRow): Promise<Attempt> {
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "Vitrine",
      "X-Vitrine-Event": event,
      "X-Vitrine-Delivery": String(id),
      "X-Vitrine-Signature": sign(deriveSecret(secret, salt), Math.floor(Date.now() / 1000), payload),
    };
    // Loaded here, because a server without webhooks does not need it.
    const { post, PostError } = await loadPost();
    try {
      const { status, excerpt } = await post(new URL(url), { headers, body: payload, allowPrivate, signal });
      const error = status >= 200 && status < 300 ? null : `The response has the status ${status}.`;
      return { status, error, response: excerpt.replaceAll("\0", "\uFFFD") };
    } catch (error) {
      if (!(error instanceof PostError)) throw error;
      return { status: null, error: error.message, response: null };
    }
  }
}
