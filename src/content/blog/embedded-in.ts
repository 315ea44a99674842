import type { Queries, Reader } from "../../platform/database/database.ts";
import { joined, sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleOrGrantedTo } from "../../core/records/visibility.ts";
import { type EmbedKind, listEmbeds } from "./embeds.ts";
import { type PostLink, postLinkColumns, type PostLinkRow, toPostLink } from "./rows.ts";

/** The records that the HTML of a post embeds. */
export function addEmbeds(tx: Queries, postID: number, html: string): void {
  const rows = listEmbeds(html).map(({ kind, id }) => sql`(${postID}, ${kind}, ${id})`);
  if (rows.length > 0) tx.later(sql`INSERT INTO post_embeds (post_id, kind, record_id) VALUES ${joined(rows)}`);
}

export function removeEmbeds(tx: Queries, postID: number): void {
  tx.later(sql`DELETE FROM post_embeds WHERE post_id = ${postID}`);
}

/** The posts that embed a record, of those that the viewer may see: the newest ones, at most `limit`. */
export async function listPostsEmbedding(
  db: Reader,
  viewer: Viewer,
  { kind, id }: { kind: EmbedKind; id: number },
  limit: number,
): Promise<PostLink[]> {
  const rows = await db.all<PostLinkRow>(sql`
    SELECT ${postLinkColumns} FROM post_embeds JOIN ${known("posts")} ON posts.id = post_embeds.post_id
    WHERE post_embeds.kind = ${kind} AND post_embeds.record_id = ${id}
      AND posts.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "posts.", "post")}
    ORDER BY post_embeds.post_id DESC LIMIT ${limit}`);
  return rows.map(toPostLink);
}
