import { mails, queueMail, type SettledMail } from "../../core/mail/outbox.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { getSubscriberRow, setState } from "./store.ts";

export type Recipient = { id: number; address: string; unsubscribe_token: string };

/** A mail of a post to one subscriber. */
export type IssueMail = { subject: string; text: string; html: string; headers: Record<string, string> };

const keyOf = (postID: number, subscriberID: number) => `newsletter:${postID}:${subscriberID}`;

/** Whatever happens, a subscriber gets a post once: two mails cannot have the same key. The mails of a post are a group. */
export const queueIssueMail = (tx: Queries, postID: number, to: Recipient, mail: IssueMail) =>
  queueMail(tx, { ...mail, to: to.address, key: keyOf(postID, to.id), group: postID });

/** Takes back what waits to be sent to a subscriber. What a mail server is getting right now stays. */
export async function cancelMailsTo(tx: Queries, subscriberID: number): Promise<void> {
  const open = await tx.all<{ post_id: number }>(
    sql`SELECT post_id FROM newsletter_posts WHERE state IN ('waiting', 'sending')`,
  );
  await mails.removeWaiting(tx, { keys: open.map(({ post_id }) => keyOf(post_id, subscriberID)) });
}

/** The same for all mails of a post. */
export const cancelMailsOf = (tx: Queries, postID: number) => mails.removeWaiting(tx, { group: postID });

/** Counts what became of a mail, and stops sending to an address that does not exist. */
export async function settleIssueMail(tx: Queries, { key, outcome, reason, isAddress }: SettledMail): Promise<void> {
  const [, postID, subscriberID] = /^newsletter:(\d+):(\d+)$/.exec(key)?.map(Number) ?? [];
  if (postID === undefined || subscriberID === undefined) return;
  const counted = outcome === "sent" ? sql`sent = sent + 1` : sql`failed = failed + 1`;
  await tx.run(sql`UPDATE newsletter_posts SET ${counted}, updated_at = ${Date.now()} WHERE post_id = ${postID}`);
  if (isAddress) await markBouncing(tx, subscriberID, reason ?? "");
}

async function markBouncing(tx: Queries, id: number, reason: string): Promise<void> {
  const subscriber = await tx.get<{ state: string }>(
    sql`SELECT state FROM subscribers WHERE id = ${id} ${tx.forUpdate}`,
  );
  if (subscriber?.state !== "confirmed") return;
  await setState(tx, id, "bouncing", reason);
  await cancelMailsTo(tx, id);
}

/** From now on it gets nothing. Whoever has unsubscribed before stays so. */
export async function unsubscribe(tx: Queries, id: number): Promise<void> {
  const { state } = await getSubscriberRow(tx, id, tx.forUpdate);
  if (state !== "unsubscribed") await setState(tx, id, "unsubscribed");
  await cancelMailsTo(tx, id);
}
