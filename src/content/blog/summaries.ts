import type { Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { inChunks, list, raw, sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { excerptOf, lookedThrough } from "../../platform/markdown/excerpt.ts";
import type { OptionalPhotoRow } from "../photos/rows.ts";
import { currentRenderer } from "./html.ts";
import type { PostHead } from "./post.ts";
import { type PostRow, presentCover, selectPosts, shortColumns, toPostHead } from "./rows.ts";
import { type PostQuery, postsLike } from "./store.ts";

/** What lists on pages show of a post: it is read without the content, which can be long. */
export type PostSummary = PostHead & { minutes: number };

/** About how many bytes are read in a minute, for a post that has no HTML yet. */
const bytesPerMinute = 1500;

/** For a SELECT of posts: a column of the parts that were made of the content; null if they have to be made again. */
export const part = (column: "minutes" | "excerpt" | "headings" | "feed" | "page") => sql`(
  SELECT post_parts.${raw(column)} FROM post_parts JOIN post_html ON post_html.post_id = post_parts.post_id
  WHERE post_parts.post_id = posts.id AND post_html.renderer = ${currentRenderer})`;

export const summaryColumns = sql`${shortColumns}, ${part("minutes")} AS minutes, ${part("excerpt")} AS made_excerpt,
  CASE WHEN ${part("minutes")} IS NULL THEN substr(posts.content, 1, ${lookedThrough}) END AS beginning,
  CASE WHEN ${part("minutes")} IS NULL THEN octet_length(posts.content) END AS bytes`;

export type SummaryRow = Omit<PostRow, "content"> &
  OptionalPhotoRow & {
    minutes: number | null;
    made_excerpt: string | null;
    beginning: string | null;
    bytes: number | null;
  };

export function presentSummary(row: SummaryRow, viewer: Viewer): PostSummary {
  const excerpt = row.excerpt ?? row.made_excerpt ?? excerptOf(row.beginning ?? "");
  const minutes = row.minutes ?? Math.max(1, Math.round((row.bytes ?? 0) / bytesPerMinute));
  return { ...toPostHead({ ...row, excerpt }, presentCover(row, viewer)), minutes };
}

export async function findPostSummaries(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, PostSummary>> {
  const rows = await inChunks(ids, (some) =>
    db.all<SummaryRow>(selectPosts(viewer, sql`SELECT id FROM posts WHERE id IN (${list(some)})`, summaryColumns)),
  );
  return new Map(rows.map((row) => [row.id, presentSummary(row, viewer)]));
}

export function listPostSummaries(db: Reader, viewer: Viewer, query: PostQuery, request: KeysetRequest) {
  return listByKey(db, request, { ...postsLike(viewer, query), find: (ids) => findPostSummaries(db, viewer, ids) });
}
