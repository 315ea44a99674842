import type { Reader } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { sql } from "../../platform/database/sql.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { type Target, targets } from "./target.ts";

/**
 * How many comments on a target the viewer may see. Triggers of the database count those on posts in `comment_counts`, by their
 * status, so a long thread is not read. Those on photos and albums are counted by an index.
 */
export async function countComments(db: Reader, viewer: Viewer, target: Target): Promise<number> {
  const isModerator = isOwnerOrAdmin(viewer, target);
  const ofStatus = isModerator ? sql`` : sql`AND status = 'visible'`;
  const { column } = targets[target.kind];
  const own =
    isModerator || !viewer
      ? sql`0`
      : sql`(
          SELECT count(*) FROM comments
          WHERE owner_id = ${viewer.id} AND status IN ('hidden', 'waiting') AND ${column} = ${target.id} AND ${isLive})`;
  const counted =
    target.kind === "post"
      ? sql`SELECT coalesce(sum(comments), 0) FROM comment_counts WHERE post_id = ${target.id} ${ofStatus}`
      : sql`SELECT count(*) FROM comments WHERE ${column} = ${target.id} AND ${isLive} ${ofStatus}`;
  const row = await db.get<{ count: number }>(sql`SELECT CAST((${counted}) + ${own} AS BIGINT) AS count`);
  return row?.count ?? 0;
}

/** Adds the differences, as the triggers do, so servers may be running. */
export const commentCounts: Maintained = {
  name: "comments on posts",
  rebuild: (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO comment_counts (post_id, status, lane, comments)
        SELECT post_id, status, 0, CAST(sum(comments) AS BIGINT) FROM (
          SELECT post_id, status, count(*) AS comments FROM comments
          WHERE ${isLive} AND post_id IS NOT NULL GROUP BY post_id, status
          UNION ALL SELECT post_id, status, -comments FROM comment_counts) AS counted
        GROUP BY post_id, status HAVING sum(comments) <> 0
        ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comment_counts.comments + excluded.comments`),
    ),
};
