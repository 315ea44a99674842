import { list, sql, unindexed } from "../../platform/database/sql.ts";
import { type FindUses, maxExamined, type Use } from "../../core/records/use.ts";
import { isVisibleTo } from "../../core/records/visibility.ts";

/** Albums contain photos. */
export const findAlbumUses: FindUses = async (db, viewer, { kind, ids, ownerID }, limit) => {
  if (kind !== "photo") return [];
  const isOwn = ownerID === undefined ? sql`` : sql`AND ${unindexed("albums.owner_id")} = ${ownerID}`;
  return db.all<Use>(sql`
    SELECT 'album' AS kind, albums.id, albums.name, 'entry' AS "as", examined.photo_id AS "usedID" FROM (
      SELECT album_id, photo_id FROM album_photos WHERE photo_id IN (${list(ids)}) LIMIT ${maxExamined}) AS examined
    JOIN albums ON albums.id = examined.album_id AND albums.trash_id IS NULL AND ${isVisibleTo(viewer, "albums.")} ${isOwn}
    ORDER BY albums.id DESC LIMIT ${limit}`);
};
