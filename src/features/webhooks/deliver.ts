import { readChanges } from "../../core/activity/feed.ts";
import type { Kinds } from "../../core/activity/visible.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { noticeWrites, poll } from "../../platform/jobs/poll.ts";
import type { Log } from "../../platform/log.ts";
import { claimDue, countWaiting, type DeliveryRow, hasDue, insertDelivery } from "./deliveries.ts";
import { describeChanges } from "./payload.ts";
import type { Sender } from "./sender.ts";
import { getWebhookRow, hasActiveWebhooks, listBehind, positionOf, setPosition } from "./store.ts";
import { matchesEvent } from "./webhook.ts";

const pollMs = 1000;
const changesAtOnce = 100;
/** While a webhook has this many deliveries waiting, no more are created: the activity keeps what is missing. */
const maxWaiting = 1000;
const maxAtOnce = 8;
const maxPerWebhook = 2;

/**
 * Creates deliveries for new activity, and sends those that are due, until `signal` is aborted. Every copy of the server does
 * this: a row lock or a claim gives each piece of work to one of them. While there is nothing to do, it only reads; without
 * webhooks, it does not even do that.
 */
export async function deliverAll(db: Database, kinds: Kinds, sender: Sender, uses: { log: Log; signal: AbortSignal }) {
  const { log, signal } = uses;
  const sending = new Map<Promise<void>, number>();
  /** The generation of the database in which there was no active webhook. */
  let withoutWebhooks: number | null = null;
  const failed = ({ message }: Error) => log.warn("webhooks were not delivered", { reason: message });
  const { wake, ended } = poll(look, { everyMs: pollMs, signal, failed });
  await ended;
  await Promise.all(sending.keys());

  async function look(): Promise<void> {
    if (!(await hasWebhooks())) return;
    await createDeliveries();
    await sendDue();
  }

  /** Asks the database only if webhooks were written since the last time. */
  async function hasWebhooks(): Promise<boolean> {
    await noticeWrites(db);
    if (withoutWebhooks !== null && db.lastWrite(["webhooks"]) <= withoutWebhooks) return false;
    const generation = db.generation();
    const hasSome = await hasActiveWebhooks(db);
    withoutWebhooks = hasSome ? null : generation;
    return hasSome;
  }

  async function createDeliveries(): Promise<void> {
    for (const id of await listBehind(db)) {
      // Another copy may be doing the same: then this one finds nothing to do.
      while (!signal.aborted && (await db.transaction((tx) => createSome(tx, id))));
    }
  }

  /** Returns whether there may be more. */
  async function createSome(tx: Queries, id: number): Promise<boolean> {
    const webhook = await getWebhookRow(tx, id, tx.forUpdate);
    if (webhook.is_active === 0 || (await countWaiting(tx, id)) >= maxWaiting) return false;
    const changes = await readChanges(tx, positionOf(webhook), changesAtOnce);
    const end = changes.at(-1);
    if (!end) return false;
    const patterns = JSON.parse(webhook.events) as string[];
    const wanted = changes.filter(({ kind, action }) => matchesEvent(patterns, kind, action));
    for (const one of await describeChanges(tx, kinds, wanted)) await insertDelivery(tx, id, one, Date.now());
    await setPosition(tx, id, end);
    return changes.length === changesAtOnce;
  }

  /** A webhook that responds slowly does not delay the others. */
  async function sendDue(): Promise<void> {
    for (;;) {
      const open = maxAtOnce - sending.size;
      const busy = [...Map.groupBy(sending.values(), (id) => id)].flatMap(([id, same]) =>
        same.length >= maxPerWebhook ? [id] : [],
      );
      if (open <= 0 || signal.aborted || !(await hasDue(db, busy))) return;
      // One at a time, so that no webhook takes more than its share.
      const claimed = await db.transaction((tx) => claimDue(tx, busy, 1));
      for (const delivery of claimed) start(delivery);
    }
  }

  function start(delivery: DeliveryRow): void {
    const work: Promise<void> = sender
      .send(delivery)
      .catch((error: Error) =>
        log.warn("a webhook was not delivered", { delivery: delivery.id, reason: error.message }),
      )
      .finally(() => {
        sending.delete(work);
        wake();
      });
    sending.set(work, delivery.webhook_id);
  }
}
