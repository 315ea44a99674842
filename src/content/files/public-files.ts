import type { Reader } from "../../platform/database/database.ts";
import { noteMissing } from "../../platform/database/generations.ts";
import { sql } from "../../platform/database/sql.ts";
import { found } from "../../platform/database/touched-tables.ts";

/** If a private directory has more directories with public files below it, the rest is not looked at. */
const maxDirectories = 200;

/**
 * Whether guests find a file in some directory. Every page asks this, so it takes one directory with public files after the
 * other from an index, and stops at the first that guests see. Where it does not come to an end, there may be one.
 */
export async function hasPublicFiles(db: Reader, most = maxDirectories): Promise<boolean> {
  const nearest = sql`SELECT min(files.parent_id) FROM ${found("files")}
    WHERE files.is_private = 0 AND files.trash_id IS NULL AND files.sha256 IS NOT NULL`;
  const isHidden = sql`CASE WHEN files.is_private = 0 AND files.trash_id IS NULL THEN 0 ELSE 1 END`;
  const row = await db.get(sql`
    WITH RECURSIVE directories (id, number) AS (
      SELECT (${nearest}), CAST(1 AS BIGINT) UNION ALL
      SELECT (${nearest} AND files.parent_id > directories.id), number + 1
      FROM directories WHERE directories.id IS NOT NULL AND number <= ${most}
    )
    SELECT 1 AS found FROM directories WHERE directories.id IS NOT NULL AND (number > ${most} OR NOT EXISTS (
      WITH RECURSIVE above (parent_id, is_hidden) AS (
        SELECT files.parent_id, ${isHidden} FROM ${found("files")} WHERE files.id = directories.id UNION ALL
        SELECT files.parent_id, ${isHidden} FROM above JOIN ${found("files")} ON files.id = above.parent_id
      )
      SELECT 1 FROM above WHERE is_hidden = 1))
    LIMIT 1`);
  if (!row) noteMissing("files");
  return row !== null;
}
