import { busy, Problem } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { quickHashOf } from "../../platform/hash.ts";
import { queue } from "../../platform/jobs/queue.ts";

const [minute, hour] = [60_000, 3_600_000];
/** Of pages that strangers have named and that were not read yet. */
const maxReceived = 1000;
const maxReceivedOfHost = 30;

/** `receive`: the page `source` may link to `target`; `send`: a post links to `target`, or did; `ping`: the feed `source` has changed. */
export type Payload =
  { kind: "receive" | "ping"; source: string; target: string } | { kind: "send"; postID: number; target: string };

/** Requests to other sites: those to a host are a group. */
export const webTasks = queue<Payload>({
  name: "open web",
  atOnce: 4,
  lookEveryMs: 1000,
  delaysMs: [minute, 30 * minute, 6 * hour],
  maxBegins: 3,
});
const isReceived = sql`queue = ${webTasks.name} AND task_key LIKE 'receive %'`;

const newTask = (payload: Payload, { host }: URL) => ({
  key: `${payload.kind} ${payload.kind === "send" ? payload.postID : payload.source} ${payload.target}`,
  group: Number(BigInt.asUintN(48, quickHashOf(host))),
  payload,
});

/** A stranger says that the page `source` links to `target`. Throws if too many are waiting. */
export async function queueReceived(tx: Queries, source: URL, target: URL): Promise<void> {
  await tx.lock("received mentions");
  const task = newTask({ kind: "receive", source: source.href, target: target.href }, source);
  const waiting = await tx.get<{ same: number; all: number; ofHost: number }>(sql`
    SELECT (SELECT count(*) FROM tasks WHERE queue = ${webTasks.name} AND task_key = ${task.key}) AS same,
      (SELECT count(*) FROM tasks WHERE ${isReceived}) AS "all",
      (SELECT count(*) FROM tasks WHERE ${isReceived} AND group_id = ${task.group}) AS "ofHost"`);
  if (waiting?.same === 0) {
    if (waiting.all >= maxReceived) throw busy("Too many mentions are waiting; send it again later.");
    if (waiting.ofHost >= maxReceivedOfHost)
      throw new Problem("limited", `Too many mentions of ${source.host} are waiting; send it again later.`, {
        headers: { "Retry-After": "600" },
      });
  }
  await webTasks.add(tx, [task]);
}

/** Tells a hub of a feed. */
export const queuePing = (tx: Queries, feed: string, hub: string): Promise<void> =>
  webTasks.add(tx, [newTask({ kind: "ping", source: feed, target: hub }, new URL(hub))]);

/**
 * The links of a post as they are now: others are told of each that is new, of each if the post has changed, and of lost ones. Links
 * stay known, so that nobody is told twice.
 */
export async function queueLinks(tx: Queries, postID: number, links: string[], version: string): Promise<void> {
  const known = await tx.all<{ target: string; version: string }>(
    sql`SELECT target, version FROM told_links WHERE post_id = ${postID}`,
  );
  const versions = new Map(known.map(({ target, version: told }) => [target, told]));
  const changed = links.filter((target) => versions.get(target) !== version);
  const lost = [...versions.keys()].filter((target) => !links.includes(target));
  for (const target of changed)
    await tx.run(sql`
      INSERT INTO told_links (post_id, target, version)
      SELECT id, CAST(${target} AS TEXT), CAST(${version} AS TEXT) FROM posts WHERE id = ${postID}
      ON CONFLICT (post_id, target) DO UPDATE SET version = excluded.version`);
  for (const target of lost) await tx.run(sql`DELETE FROM told_links WHERE post_id = ${postID} AND target = ${target}`);
  await webTasks.add(
    tx,
    [...changed, ...lost].map((target) => newTask({ kind: "send", postID, target }, new URL(target))),
  );
}

/** What the page of a post is called, also if nobody sees it any more. */
export async function findPostPath(db: Reader, id: number): Promise<string | null> {
  const row = await db.get<{ slug: string; is_page: number }>(sql`SELECT slug, is_page FROM posts WHERE id = ${id}`);
  return row ? `${row.is_page === 1 ? "" : "/blog"}/${encodeURIComponent(row.slug)}` : null;
}
