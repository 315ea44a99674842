import { missing } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import type { StoredFile } from "./file.ts";
import { root } from "./rows.ts";
import { getFile } from "./store.ts";

/** What a download needs of a file. Most of what `getFile` does is to find its path. */
export type Downloaded = Pick<StoredFile, "id" | "ownerID" | "name" | "sha256" | "size" | "contentType">;

export async function getDownloaded(db: Reader, viewer: Viewer, id: number): Promise<Downloaded> {
  // What a grant or a limit reaches is found on the way up.
  if (viewer?.grant?.reach.file || viewer?.limit) return getFile(db, viewer, id);
  const file = await db.get<Downloaded>(sql`
    SELECT id, owner_id AS "ownerID", name, sha256, size, content_type AS "contentType" FROM files
    WHERE id = ${id} AND trash_id IS NULL AND ${isVisibleTo(viewer, thisTable)}
      AND (parent_id = ${root.id} OR ${root.id} IN (${selectParentsAbove(viewer, id)}))`);
  if (!file) throw missing(`file ${id}`);
  return file;
}

/** The parents of the directories above a file. They end before one that is in the trash, or that the viewer may not see. */
const selectParentsAbove = (viewer: Viewer, id: number): Sql => sql`
  WITH RECURSIVE above (parent_id) AS (
    SELECT parent_id FROM files
    WHERE id = (SELECT parent_id FROM files WHERE id = ${id}) AND trash_id IS NULL AND ${isVisibleTo(viewer, thisTable)}
    UNION ALL
    SELECT files.parent_id FROM above
    JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL AND ${isVisibleTo(viewer, "files.")}
  )
  SELECT parent_id FROM above`;
