import { forbidden, invalid } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isVisibleOrGrantedTo, isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { deepestAlbum } from "./album.ts";

type Nesting = {
  /** Throws if the album (null for a new one) cannot be put into `parentID`. */
  checkParent(viewer: Viewer, id: number | null, parentID: number): Promise<void>;
};

/** While it is locked, no other album is moved. An album that is to be moved is locked afterwards. */
export async function lockNesting(tx: Queries): Promise<Nesting> {
  await tx.lock("albums in albums");
  return { checkParent: (viewer, id, parentID) => checkParent(tx, viewer, id, parentID) };
}

async function checkParent(tx: Queries, viewer: Viewer, id: number | null, parentID: number): Promise<void> {
  const parent = await tx.get<{ ownerID: number; name: string; filter: string | null }>(sql`
    SELECT owner_id AS "ownerID", name, filter FROM albums WHERE id = ${parentID} AND ${isLive} AND ${isVisibleTo(viewer, thisTable)}`);
  if (!parent) throw invalid(`"parentID" is invalid: there is no album ${parentID}.`, "parentID");
  if (!isOwnerOrAdmin(viewer, parent)) {
    throw forbidden(`Only the owner of "${parent.name}" or an admin can put albums into it.`);
  }
  if (parent.filter !== null) {
    throw invalid(`"parentID" is invalid: "${parent.name}" is a smart album, which has only photos.`, "parentID");
  }
  const above = await listAncestors(tx, parentID);
  if (id !== null && above.includes(id))
    throw invalid(`"parentID" must not be the album itself or one in it.`, "parentID");
  const height = id === null ? 1 : await measureHeight(tx, id);
  if (above.length + height > deepestAlbum) {
    throw invalid(`"parentID" is too deep: at most ${deepestAlbum} albums can be in each other.`, "parentID");
  }
}

/** The album and those that contain it, even while one of them is in the trash. */
export async function listAncestors(tx: Reader, id: number): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    WITH RECURSIVE above (id, parent_id) AS (
      SELECT id, parent_id FROM albums WHERE id = ${id} UNION
      SELECT albums.id, albums.parent_id FROM albums JOIN above ON albums.id = above.parent_id
    )
    SELECT id FROM above`);
  return rows.map((row) => row.id);
}

/** The albums that contain an album, the outermost first, as far as the viewer may see each of them. */
export async function listParents(
  db: Reader,
  viewer: Viewer,
  { parentID }: { parentID: number | null },
): Promise<{ id: number; name: string }[]> {
  if (parentID === null) return [];
  const isShown = sql`albums.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "albums.", "album")}`;
  return db.all<{ id: number; name: string }>(sql`
    WITH RECURSIVE above (id, name, parent_id, height) AS (
      SELECT id, name, parent_id, 1 FROM albums WHERE id = ${parentID} AND ${isShown} UNION ALL
      SELECT albums.id, albums.name, albums.parent_id, above.height + 1 FROM above
      JOIN albums ON albums.id = above.parent_id AND ${isShown} WHERE above.height < ${deepestAlbum}
    )
    SELECT id, name FROM above ORDER BY height DESC`);
}

/** The number of levels of an album and those in it. */
async function measureHeight(tx: Reader, id: number): Promise<number> {
  const row = await tx.get<{ height: number }>(sql`
    WITH RECURSIVE below (id, height) AS (
      SELECT id, 1 FROM albums WHERE id = ${id} UNION ALL
      SELECT albums.id, below.height + 1 FROM albums JOIN below ON albums.parent_id = below.id
      WHERE below.height <= ${deepestAlbum}
    )
    SELECT max(height) AS height FROM below`);
  return row?.height ?? 1;
}
