import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isOn, type Target } from "./target.ts";

/** How many comments on a target the viewer may see, without reading a long thread. */
export async function countComments(db: Reader, viewer: Viewer, target: Target): Promise<number> {
  const isModerator = isOwnerOrAdmin(viewer, target);
  const ofStatus = isModerator ? sql`` : sql`AND status = 'visible'`;
  const own =
    isModerator || !viewer
      ? sql`0`
      : sql`(
          SELECT count(*) FROM comments
          WHERE owner_id = ${viewer.id} AND status IN ('hidden', 'waiting') AND ${isOn(target)} AND ${isLive})`;
  const row = await db.get<{ count: number }>(sql`
    SELECT CAST((
      SELECT coalesce(sum(comments), 0) FROM comment_counts
      WHERE target_kind = ${target.kind} AND target_id = ${target.id} ${ofStatus}
    ) + ${own} AS BIGINT) AS count`);
  return row?.count ?? 0;
}
