import { countDue } from "../../core/mail/outbox.ts";
import { readSettings } from "../../core/settings/store.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { noticeWrites, poll } from "../../platform/jobs/poll.ts";
import type { Log } from "../../platform/log.ts";
import { findIssue, isPublicPost, type IssueRow, listOpenIssues, setEnded, setQueuedTo, stopIssue } from "./issues.ts";
import { type IssueMail, queueIssueMail, type Recipient } from "./mails.ts";

const pollMs = 500;
/** Other mails wait behind no more than these: the outbox gets the next ones when it has nearly sent them. */
const maxDue = 50;
const mailsAtOnce = 50;
const bytesAtOnce = 2 ** 21;

/** What all subscribers get of a post; null if not everyone can see it. `length` is about the bytes of a mail. */
export type Composed = { length: number; mailTo(subscriber: Recipient): IssueMail };
export type Compose = (postID: number) => Promise<Composed | null>;

type Uses = { compose: Compose; log: Log };

/**
 * Queues the mails of posts that are being sent. What was queued, and up to whom, is committed together, so that a copy of the
 * server that ends in the middle leaves the rest to the next one.
 */
export function startSender(db: Database, { compose, log }: Uses): { close(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The generation of the database in which there was nothing to do. */
  let idleSince: number | null = null;
  const failed = ({ message }: Error) => log.warn("the newsletter was not sent", { reason: message });
  const { ended } = poll(look, { everyMs: pollMs, signal, failed });

  async function look(): Promise<void> {
    await noticeWrites(db);
    if (idleSince !== null && db.lastWrite(["newsletter_posts"]) <= idleSince) return;
    const generation = db.generation();
    const open = (await listOpenIssues(db)).filter(({ state }) => state === "sending");
    idleSince = open.length === 0 ? generation : null;
    for (const issue of open) {
      if (!(await readSettings(db, {})).newsletter) await db.transaction((tx) => stopIssue(tx, issue.post_id));
      else await send(issue);
    }
  }

  async function send({ post_id: postID, last_queued_id, last_subscriber_id }: IssueRow): Promise<void> {
    if (last_queued_id >= last_subscriber_id) return endIfSent(postID);
    if ((await countDue(db, maxDue)) === maxDue) return;
    const composed = await compose(postID);
    if (!composed) return db.transaction((tx) => stopIssue(tx, postID));
    const most = Math.max(1, Math.min(mailsAtOnce, Math.floor(bytesAtOnce / composed.length)));
    while (!signal.aborted && (await countDue(db, maxDue)) < maxDue) {
      if (!(await db.transaction((tx) => queueSome(tx, postID, composed, most)))) return;
    }
  }

  /** When no mail is on its way any more. */
  async function endIfSent(postID: number): Promise<void> {
    const left = sql`SELECT mail_id FROM newsletter_mails WHERE post_id = ${postID} LIMIT 1`;
    if (await db.get(left)) return;
    await db.transaction(async (tx) => {
      const issue = await findIssue(tx, postID, tx.forUpdate);
      if (issue?.state === "sending" && !(await tx.get(left))) await setEnded(tx, postID, "sent");
    });
  }

  return {
    async close() {
      stopping.abort();
      await ended;
    },
  };
}

/** Returns whether there may be more. */
async function queueSome(tx: Queries, postID: number, composed: Composed, most: number): Promise<boolean> {
  const issue = await findIssue(tx, postID, tx.forUpdate);
  if (issue?.state !== "sending" || issue.last_queued_id >= issue.last_subscriber_id) return false;
  // Whoever makes it private meanwhile waits for the issue, and takes back what is queued here.
  if (!(await isPublicPost(tx, postID))) {
    await stopIssue(tx, postID);
    return false;
  }
  const subscribers = await tx.all<Recipient>(sql`
    SELECT id, address, unsubscribe_token FROM subscribers
    WHERE state = 'confirmed' AND id > ${issue.last_queued_id} AND id <= ${issue.last_subscriber_id} ORDER BY id LIMIT ${most} ${tx.forShare}`);
  for (const subscriber of subscribers) await queueIssueMail(tx, postID, subscriber, composed.mailTo(subscriber));
  await setQueuedTo(
    tx,
    postID,
    subscribers.length < most ? issue.last_subscriber_id : (subscribers.at(-1)?.id ?? issue.last_subscriber_id),
  );
  return subscribers.length === most;
}
