import { setTimeout } from "node:timers/promises";
import { countDue, mails } from "../../core/mail/outbox.ts";
import { readSettings } from "../../core/settings/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Handlers, Result } from "../../platform/jobs/queue.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { findIssue, isPublicPost, issueTasks, setEnded, setQueuedTo, stopIssue } from "./issues.ts";
import { type IssueMail, queueIssueMail, type Recipient } from "./mails.ts";

const pauseMs = 500;
const retryMs = 5000;
/** The outbox gets the next mails of a post when it has nearly sent these. */
const maxDue = 50;
const mailsAtOnce = 50;
const bytesAtOnce = 2 ** 21;

/** What all subscribers get of a post; null if not everyone can see it. `length` is about the bytes of a mail. */
export type Composed = { length: number; mailTo(subscriber: Recipient): IssueMail };
export type Compose = (postID: number) => Promise<Composed | null>;

/**
 * Queues the mails of posts that are being sent. What was queued, and up to whom, is committed together, so that a copy of the
 * server that ends in the middle leaves the rest to the next one.
 */
export function startSender(deps: { db: Database; log: Log; metrics: Metrics }, compose: Compose) {
  const { db, log } = deps;
  const hasRoom = async (postID: number) => (await countDue(db, postID, maxDue)) < maxDue;
  const run: Handlers<null>["run"] = ({ group: postID }, { signal }) =>
    send(postID, signal).catch((error: Error) => {
      signal.throwIfAborted();
      log.warn("the newsletter was not sent", { reason: error.message });
      return { kind: "again", afterMs: retryMs };
    });
  return issueTasks.start(deps, { run });

  /** Until no mail of it is on its way any more. */
  async function send(postID: number, signal: AbortSignal): Promise<Result<null>> {
    const stopped = { kind: "done", write: (tx: Queries) => stopIssue(tx, postID) } as const;
    for (;;) {
      const issue = await findIssue(db, postID);
      if (issue?.state !== "sending") return { kind: "done" };
      if (!(await readSettings(db, {})).newsletter) return stopped;
      if (issue.last_queued_id >= issue.last_subscriber_id) {
        if (!(await hasMails(db, postID))) return { kind: "done", write: (tx) => endIfSent(tx, postID) };
      } else if (await hasRoom(postID)) {
        const composed = await compose(postID);
        if (!composed) return stopped;
        const most = Math.max(1, Math.min(mailsAtOnce, Math.floor(bytesAtOnce / composed.length)));
        while (!signal.aborted && (await hasRoom(postID)))
          if (!(await db.transaction((tx) => queueSome(tx, postID, composed, most)))) break;
      }
      await setTimeout(pauseMs, null, { signal });
    }
  }
}

const hasMails = async (db: Reader, postID: number): Promise<boolean> =>
  (await db.get(sql`SELECT 1 AS one WHERE ${mails.hasTasks(postID)}`)) !== null;

async function endIfSent(tx: Queries, postID: number): Promise<void> {
  const issue = await findIssue(tx, postID, tx.forUpdate);
  if (issue?.state === "sending" && !(await hasMails(tx, postID))) await setEnded(tx, postID, "sent");
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
