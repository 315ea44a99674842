import { busy, Problem } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

const [minute, hour] = [60_000, 3_600_000];
/** While a task is done, no other process takes it over for this time: longer than all its requests may take. */
const leaseMs = 5 * minute;
/** After each failed attempt; after one more, the task is given up. */
const delays = [minute, 30 * minute, 6 * hour];
/** Of pages that strangers have named and that were not read yet. */
const maxReceived = 1000;
const maxReceivedOfHost = 30;

type TaskKind = "receive" | "send" | "ping";
export type Task = {
  id: number;
  kind: TaskKind;
  post_id: number | null;
  next_at: number;
  attempts: number;
  source: string;
  target: string;
  /** Of the post when it was told of; null if the link is not there any more. */
  version: string | null;
};

/** A stranger says that the page `source` links to `target`. Throws if too many are waiting. */
export async function queueReceived(tx: Queries, source: URL, target: URL): Promise<void> {
  await tx.lock("received mentions");
  const again = await tx.run(sql`
    UPDATE web_tasks SET next_at = ${Date.now()}, attempts = 0
    WHERE kind = 'receive' AND source = ${source.href} AND target = ${target.href}`);
  if (again > 0) return;
  const waiting = await tx.get<{ all: number; ofHost: number }>(sql`
    SELECT (SELECT count(*) FROM web_tasks WHERE kind = 'receive') AS "all",
      (SELECT count(*) FROM web_tasks WHERE kind = 'receive' AND host = ${source.host}) AS "ofHost"`);
  if ((waiting?.all ?? 0) >= maxReceived) throw busy("Too many mentions are waiting; send it again later.");
  if ((waiting?.ofHost ?? 0) >= maxReceivedOfHost)
    throw new Problem("limited", `Too many mentions of ${source.host} are waiting; send it again later.`, {
      headers: { "Retry-After": "600" },
    });
  await tx.run(sql`
    INSERT INTO web_tasks (created_at, next_at, kind, source, target, host)
    VALUES (${Date.now()}, ${Date.now()}, 'receive', ${source.href}, ${target.href}, ${source.host})`);
}

/** Tells a hub of a feed. */
export async function queuePing(tx: Queries, feed: string, hub: string): Promise<void> {
  await upsert(tx, { kind: "ping", source: feed, target: hub, postID: null, version: null });
}

/** The links of a post as they are now: others are told of each that is new, of each if the post has changed, and of lost ones. */
export async function queueLinks(tx: Queries, postID: number, links: string[], version: string | null): Promise<void> {
  const known = await tx.all<{ target: string; version: string | null }>(sql`
    SELECT target, version FROM web_tasks WHERE kind = 'send' AND post_id = ${postID}`);
  const versions = new Map(known.map(({ target, version: told }) => [target, told]));
  const lost = known.filter(({ target, version: told }) => told !== null && !links.includes(target));
  const wanted = [
    ...links.filter((target) => versions.get(target) !== version).map((target) => ({ target, version })),
    ...lost.map(({ target }) => ({ target, version: null })),
  ];
  for (const one of wanted) await upsert(tx, { kind: "send", source: `post:${postID}`, postID, ...one });
}

type New = { kind: TaskKind; source: string; target: string; postID: number | null; version: string | null };

async function upsert(tx: Queries, { kind, source, target, postID, version }: New): Promise<void> {
  await tx.run(sql`
    INSERT INTO web_tasks (created_at, next_at, post_id, kind, source, target, host, version)
    SELECT CAST(${Date.now()} AS BIGINT), CAST(${Date.now()} AS BIGINT), CAST(${postID} AS BIGINT), CAST(${kind} AS TEXT),
      CAST(${source} AS TEXT), CAST(${target} AS TEXT), CAST(${new URL(target).host} AS TEXT), CAST(${version} AS TEXT)
    WHERE CAST(${postID} AS BIGINT) IS NULL OR EXISTS (SELECT 1 FROM posts WHERE id = ${postID})
    ON CONFLICT (kind, source, target)
    DO UPDATE SET next_at = excluded.next_at, attempts = 0, version = excluded.version`);
}

const dueIDs = (now: number) => sql`SELECT id FROM web_tasks WHERE next_at <= ${now} ORDER BY next_at, id LIMIT 1`;

/** Takes a task that is due; null if there is none. Of two processes that do this at the same time, each task goes to one. */
export async function claimTask(db: Database): Promise<Task | null> {
  const now = Date.now();
  // Most of the time there is none: that is only read.
  if (!(await db.get(dueIDs(now)))) return null;
  return db.transaction((tx) =>
    tx.get<Task>(sql`
      UPDATE web_tasks SET next_at = ${now + leaseMs} WHERE next_at <= ${now} AND id IN (${dueIDs(now)})
      RETURNING id, kind, post_id, next_at, attempts, source, target, version`),
  );
}

/** Unless it was asked for again in the meantime. */
const isSame = ({ id, next_at }: Task) => sql`id = ${id} AND next_at = ${next_at}`;

/** Links of posts stay known, so that nobody is told twice. */
export async function finishTask(tx: Queries, task: Task): Promise<void> {
  if (task.kind === "send" && task.version !== null)
    await tx.run(sql`UPDATE web_tasks SET next_at = NULL, attempts = 0 WHERE ${isSame(task)}`);
  else await tx.run(sql`DELETE FROM web_tasks WHERE ${isSame(task)}`);
}

export async function retryTask(tx: Queries, task: Task): Promise<void> {
  const delay = delays[task.attempts];
  if (delay === undefined) return finishTask(tx, task);
  const nextAt = Date.now() + Math.round(delay * (0.8 + Math.random() * 0.4));
  await tx.run(sql`UPDATE web_tasks SET next_at = ${nextAt}, attempts = ${task.attempts + 1} WHERE ${isSame(task)}`);
}

/** What the page of a post is called, also if nobody sees it any more. */
export async function findPostPath(db: Reader, id: number): Promise<string | null> {
  const row = await db.get<{ slug: string; is_page: number }>(sql`SELECT slug, is_page FROM posts WHERE id = ${id}`);
  return row ? `${row.is_page === 1 ? "" : "/blog"}/${encodeURIComponent(row.slug)}` : null;
}
