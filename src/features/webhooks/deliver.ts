import { readChanges } from "../../core/activity/feed.ts";
import type { Kinds } from "../../core/activity/visible.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { noticeWrites, poll } from "../../platform/jobs/poll.ts";
import type { Log } from "../../platform/log.ts";
import { countWaiting, deliveries, newDelivery } from "./deliveries.ts";
import { describeChanges } from "./payload.ts";
import { getWebhookRow, hasActiveWebhooks, listBehind, positionOf, setPosition } from "./store.ts";
import { matchesEvent } from "./webhook.ts";

const pollMs = 1000;
const changesAtOnce = 100;
/** While a webhook has this many deliveries waiting, no more are created: the activity keeps what is missing. */
const maxWaiting = 1000;

type Uses = { log: Log; signal: AbortSignal; added(): void };

/**
 * Creates deliveries for new activity until `signal` is aborted. Every copy of the server does this: a row lock gives each webhook to
 * one of them. While there is nothing to do, it only reads; without webhooks, it does not even do that.
 */
export function followActivity(db: Database, kinds: Kinds, { log, signal, added }: Uses): Promise<void> {
  /** The generation of the database in which there was no active webhook. */
  let withoutWebhooks: number | null = null;
  const failed = ({ message }: Error) => log.warn("webhooks were not delivered", { reason: message });
  return poll(look, { everyMs: pollMs, signal, failed }).ended;

  async function look(): Promise<void> {
    if (!(await hasWebhooks())) return;
    for (const id of await listBehind(db)) {
      // Another copy may be doing the same: then this one finds nothing to do.
      while (!signal.aborted && (await db.transaction((tx) => createSome(tx, id))));
      added();
    }
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

  /** Returns whether there may be more. */
  async function createSome(tx: Queries, id: number): Promise<boolean> {
    const webhook = await getWebhookRow(tx, id, tx.forUpdate);
    if (webhook.is_active === 0 || (await countWaiting(tx, id)) >= maxWaiting) return false;
    const changes = await readChanges(tx, positionOf(webhook), changesAtOnce);
    const end = changes.at(-1);
    if (!end) return false;
    const patterns = JSON.parse(webhook.events) as string[];
    const wanted = changes.filter(({ kind, action }) => matchesEvent(patterns, kind, action));
    const described = await describeChanges(tx, kinds, wanted);
    await deliveries.add(
      tx,
      described.map((one) => newDelivery(id, one)),
    );
    await setPosition(tx, id, end);
    return changes.length === changesAtOnce;
  }
}
