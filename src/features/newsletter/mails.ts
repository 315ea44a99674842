import { cancelMail, queueMail, type SettledMail } from "../../core/mail/outbox.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { getSubscriberRow, setState } from "./store.ts";

export type Recipient = { id: number; address: string; unsubscribe_token: string };

/** A mail of a post to one subscriber. */
export type IssueMail = { subject: string; text: string; html: string; headers: Record<string, string> };

const keyOf = (postID: number, subscriberID: number) => `newsletter:${postID}:${subscriberID}`;

/** Whatever happens, a subscriber gets a post once: neither the row nor the key of the outbox can exist twice. */
export async function queueIssueMail(tx: Queries, postID: number, to: Recipient, mail: IssueMail): Promise<void> {
  const id = await queueMail(tx, { ...mail, to: to.address, key: keyOf(postID, to.id) });
  if (id === null) return;
  await tx.run(sql`
    INSERT INTO newsletter_mails (post_id, subscriber_id, mail_id) VALUES (${postID}, ${to.id}, ${id})
    ON CONFLICT (post_id, subscriber_id) DO NOTHING`);
}

/** Takes back what waits to be sent to a subscriber. What a mail server is getting right now stays. */
export const cancelMailsTo = (tx: Queries, subscriberID: number) => cancel(tx, "subscriber_id", subscriberID);

/** The same for all mails of a post. */
export const cancelMailsOf = (tx: Queries, postID: number) => cancel(tx, "post_id", postID);

async function cancel(tx: Queries, column: "subscriber_id" | "post_id", id: number): Promise<void> {
  const where = column === "post_id" ? sql`post_id = ${id}` : sql`subscriber_id = ${id}`;
  const rows = await tx.all<{ mail_id: number }>(sql`SELECT mail_id FROM newsletter_mails WHERE ${where}`);
  for (const mailID of await cancelMail(
    tx,
    rows.map((row) => row.mail_id),
  )) {
    tx.later(sql`DELETE FROM newsletter_mails WHERE mail_id = ${mailID}`);
  }
}

/** Counts what became of a mail, and stops sending to an address that does not exist. */
export async function settleIssueMail(tx: Queries, { key, outcome, reason, isAddress }: SettledMail): Promise<void> {
  const [, postID, subscriberID] = /^newsletter:(\d+):(\d+)$/.exec(key ?? "")?.map(Number) ?? [];
  if (postID === undefined || subscriberID === undefined) return;
  await tx.run(sql`DELETE FROM newsletter_mails WHERE post_id = ${postID} AND subscriber_id = ${subscriberID}`);
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
