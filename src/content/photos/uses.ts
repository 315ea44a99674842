import { list, sql, unindexed } from "../../platform/database/sql.ts";
import { type FindUses, maxExamined, type Use } from "../../core/records/use.ts";
import { isVisibleTo } from "../../core/records/visibility.ts";

/** Photos use files. */
export const findPhotoUses: FindUses = async (db, viewer, { kind, ids, ownerID }, limit) => {
  if (kind !== "file") return [];
  const isOwn = ownerID === undefined ? sql`` : sql`AND ${unindexed("owner_id")} = ${ownerID}`;
  return db.all<Use>(sql`
    SELECT 'photo' AS kind, id, title AS name, 'picture' AS "as", file_id AS "usedID" FROM (
      SELECT id, title, file_id, is_private, owner_id FROM photos
      WHERE file_id IN (${list(ids)}) AND trash_id IS NULL ${isOwn} LIMIT ${maxExamined}) AS examined
    WHERE ${isVisibleTo(viewer, "examined.")} ORDER BY id DESC LIMIT ${limit}`);
};
