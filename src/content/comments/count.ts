import type { Reader } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { sql } from "../../platform/database/sql.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { type Target, targets } from "./target.ts";

/**
 * How many comments on a target the viewer may see. Triggers of the database count those on each target by their status, so a
 * long thread is not read.
 */
export async function countComments(db: Reader, viewer: Viewer, target: Target): Promise<number> {
  const isModerator = isOwnerOrAdmin(viewer, target);
  const ofStatus = isModerator ? sql`` : sql`AND status = 'visible'`;
  const { column, counts } = targets[target.kind];
  const own =
    isModerator || !viewer
      ? sql`0`
      : sql`(
          SELECT count(*) FROM comments
          WHERE owner_id = ${viewer.id} AND status IN ('hidden', 'waiting') AND ${column} = ${target.id} AND ${isLive})`;
  const row = await db.get<{ count: number }>(sql`
    SELECT CAST((
      SELECT coalesce(sum(comments), 0) FROM ${counts} WHERE ${column} = ${target.id} ${ofStatus}
    ) + ${own} AS BIGINT) AS count`);
  return row?.count ?? 0;
}

/** Adds the differences, as the triggers do, so servers may be running. */
export const commentCounts: Maintained = {
  name: "comments on posts, photos and albums",
  async rebuild(db) {
    let corrected = 0;
    for (const { column, counts } of Object.values(targets)) {
      corrected += await db.transaction((tx) =>
        tx.run(sql`
          INSERT INTO ${counts} (${column}, status, lane, comments)
          SELECT ${column}, status, 0, CAST(sum(comments) AS BIGINT) FROM (
            SELECT ${column}, status, count(*) AS comments FROM comments
            WHERE ${isLive} AND ${column} IS NOT NULL GROUP BY ${column}, status
            UNION ALL SELECT ${column}, status, -comments FROM ${counts}) AS counted
          GROUP BY ${column}, status HAVING sum(comments) <> 0
          ON CONFLICT (${column}, status, lane) DO UPDATE SET comments = ${counts}.comments + excluded.comments`),
      );
    }
    return corrected;
  },
};
