import type { Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { excerptOf, lookedThrough } from "../../platform/markdown/excerpt.ts";
import { made } from "./made.ts";
import type { PostHead } from "./post.ts";
import { findCovers, type PostRow, selectPosts, shortColumns, toPostHead } from "./rows.ts";
import { type PostQuery, postsLike } from "./store.ts";

/** What lists on pages show of a post: it is read without the content, which can be long. */
export type PostSummary = PostHead & { minutes: number };

/** About how many bytes are read in a minute, for a post that has no HTML yet. */
const bytesPerMinute = 1500;

export const summaryColumns = sql`${shortColumns}, ${made.minutes} AS minutes, ${made.excerpt} AS made_excerpt,
  CASE WHEN ${made.minutes} IS NULL THEN substr(posts.content, 1, ${lookedThrough}) END AS beginning,
  CASE WHEN ${made.minutes} IS NULL THEN octet_length(posts.content) END AS bytes`;

export type SummaryRow = Omit<PostRow, "content"> & {
  minutes: number | null;
  made_excerpt: string | null;
  beginning: string | null;
  bytes: number | null;
};

export async function presentSummaries(db: Reader, viewer: Viewer, rows: SummaryRow[]): Promise<PostSummary[]> {
  const coverOf = await findCovers(db, viewer, rows);
  return rows.map((row) => {
    const excerpt = row.excerpt ?? row.made_excerpt ?? excerptOf(row.beginning ?? "");
    const minutes = row.minutes ?? Math.max(1, Math.round((row.bytes ?? 0) / bytesPerMinute));
    return { ...toPostHead(row, excerpt, coverOf(row)), minutes };
  });
}

export async function findPostSummaries(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, PostSummary>> {
  const rows = await inChunks(ids, (some) =>
    db.all<SummaryRow>(selectPosts(viewer, sql`SELECT id FROM posts WHERE id IN (${list(some)})`, summaryColumns)),
  );
  return new Map((await presentSummaries(db, viewer, rows)).map((post) => [post.id, post]));
}

export function listPostSummaries(db: Reader, viewer: Viewer, query: PostQuery, request: KeysetRequest) {
  return listByKey(db, request, { ...postsLike(viewer, query), find: (ids) => findPostSummaries(db, viewer, ids) });
}
