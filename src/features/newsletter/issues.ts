import { isHidden } from "../../content/blog/post.ts";
import { findPostSummaries } from "../../content/blog/summaries.ts";
import { mails } from "../../core/mail/outbox.ts";
import { isListed } from "../../core/trash/trash.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { byID, type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Derived } from "../../platform/database/tables.ts";
import { missing, Problem } from "../../platform/errors.ts";
import { queue } from "../../platform/jobs/queue.ts";
import { cancelMailsOf } from "./mails.ts";
import type { Issue } from "./subscriber.ts";

/** A post that is sent to the subscribers. */
type IssueRow = {
  post_id: number;
  state: Exclude<Issue["state"], "none">;
  started_at: number | null;
  ended_at: number | null;
  last_queued_id: number;
  last_subscriber_id: number;
  sent: number;
  failed: number;
};

const columns = sql`post_id, state, started_at, ended_at, last_queued_id, last_subscriber_id, sent, failed`;
const everybody = { id: 0, role: "admin" } as const;

export const findIssue = (db: Reader, postID: number, lock: Sql = sql``) =>
  db.get<IssueRow>(sql`SELECT ${columns} FROM newsletter_posts WHERE post_id = ${postID} ${lock}`);

/** The posts that are being sent, one task for each. Whatever happens, it goes on later. */
export const issueTasks = queue<null>({
  name: "newsletter",
  atOnce: 4,
  lookEveryMs: 500,
  delaysMs: [],
  maxBegins: Number.MAX_SAFE_INTEGER,
});

/** Whether everyone can see the post, in the blog. */
export async function isPublicPost(db: Reader, id: number): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM posts WHERE id = ${id} AND ${isListed} AND is_page = 0`)) !== null;
}

export const byPost = { ...byID, column: "post_id" };

export function listIssues(db: Reader, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "newsletter_posts",
    idColumn: "post_id",
    where: [sql`1 = 1`],
    atOnce: 100,
    find: (ids) => presentIssues(db, ids),
  });
}

export async function getIssue(db: Reader, postID: number): Promise<Issue> {
  const issue = (await presentIssues(db, [postID])).get(postID);
  if (!issue) throw missing(`blog post ${postID}`);
  return issue;
}

async function presentIssues(db: Reader, ids: number[]): Promise<Map<number, Issue>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<IssueRow>(sql`SELECT ${columns} FROM newsletter_posts WHERE post_id IN (${list(ids)})`);
  const posts = await db.all<{ id: number; title: string; is_page: number; waiting: number }>(sql`
    SELECT id, title, is_page,
      (SELECT count(*) FROM tasks WHERE queue = ${mails.name} AND group_id = posts.id AND settled_at IS NULL) AS waiting
    FROM posts WHERE id IN (${list(ids)})`);
  const byPostID = new Map(rows.map((row) => [row.post_id, row]));
  const print = (time: number | null | undefined) => (time ? new Date(time).toISOString() : null);
  return new Map(
    posts.flatMap(({ id, title, is_page, waiting }): [number, Issue][] => {
      const row = byPostID.get(id);
      if (is_page === 1) return [];
      const { state = "none", sent = 0, failed = 0 } = row ?? {};
      const times = { startedAt: print(row?.started_at), endedAt: print(row?.ended_at) };
      return [[id, { postID: id, title, state, sent, failed, waiting, ...times }]];
    }),
  );
}

/** The post is sent as soon as everyone can see it. It is sent once. */
export async function addIssue(tx: Queries, postID: number): Promise<void> {
  const [post] = (await findPostSummaries(tx, everybody, [postID])).values();
  if (!post || post.kind === "page") throw missing(`blog post ${postID}`);
  if (post.visibility === "private") {
    throw new Problem("conflict", "A private post is sent to nobody: change who can see it first.");
  }
  const known = await findIssue(tx, postID, tx.forUpdate);
  if (known && known.state !== "waiting") {
    throw new Problem("conflict", "This post was sent before: nobody gets a post twice.");
  }
  if (known) return;
  const now = Date.now();
  await tx.run(sql`
    INSERT INTO newsletter_posts (post_id, created_at, updated_at, last_queued_id, last_subscriber_id, sent, failed, state)
    VALUES (${postID}, ${now}, ${now}, 0, 0, 0, 0, 'waiting') ON CONFLICT (post_id) DO NOTHING`);
  // What everyone sees already is sent at once.
  if (!isHidden(post)) await startIssue(tx, postID);
}

/** From now on its mails are queued. Whoever subscribes later does not get it. */
async function startIssue(tx: Queries, postID: number): Promise<void> {
  const now = Date.now();
  await tx.run(sql`
    UPDATE newsletter_posts SET state = 'sending', started_at = ${now}, updated_at = ${now},
      last_subscriber_id = (SELECT coalesce(max(id), 0) FROM subscribers)
    WHERE post_id = ${postID} AND state = 'waiting'`);
  await issueTasks.add(tx, [{ key: `${postID}`, group: postID, payload: null }]);
}

/** The post is sent to nobody who has not got it yet, for good. One that waits is forgotten. */
export async function endIssue(tx: Queries, postID: number): Promise<void> {
  const issue = await findIssue(tx, postID, tx.forUpdate);
  if (issue?.state === "waiting") await tx.run(sql`DELETE FROM newsletter_posts WHERE post_id = ${postID}`);
  if (issue?.state === "sending") await stopIssue(tx, postID);
}

export async function stopIssue(tx: Queries, postID: number): Promise<void> {
  await setEnded(tx, postID, "stopped");
  await cancelMailsOf(tx, postID);
}

export async function setEnded(tx: Queries, postID: number, state: "sent" | "stopped"): Promise<void> {
  const now = Date.now();
  await tx.run(sql`
    UPDATE newsletter_posts SET state = ${state}, ended_at = ${now}, updated_at = ${now} WHERE post_id = ${postID}`);
}

export async function setQueuedTo(tx: Queries, postID: number, subscriberID: number): Promise<void> {
  await tx.run(sql`
    UPDATE newsletter_posts SET last_queued_id = ${subscriberID}, updated_at = ${Date.now()} WHERE post_id = ${postID}`);
}

/**
 * What becomes private, or goes to the trash, is not sent any further, in the same transaction. What waits is sent as soon as
 * everyone can see it.
 */
export const issuesFollowPosts: Derived = {
  kind: "post",
  from: ["trash_id", "is_private"],
  async derive(tx, changes) {
    const known = new Map(changes.flatMap(({ id, before, after }) => (before === null ? [] : [[id, after] as const])));
    if (known.size === 0) return;
    const open = await tx.all<Pick<IssueRow, "post_id" | "state">>(sql`
      SELECT post_id, state FROM newsletter_posts
      WHERE post_id IN (${list([...known.keys()])}) AND state IN ('waiting', 'sending') ${tx.forUpdate}`);
    for (const { post_id: id, state } of open) {
      const after = known.get(id) ?? {};
      const isGone = (after.trash_id ?? null) !== null || after.is_private === 1;
      if (state === "sending" && isGone) await stopIssue(tx, id);
      if (state === "waiting" && !isGone) await startIssue(tx, id);
    }
  },
};
