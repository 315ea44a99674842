import { list, sql } from "../../platform/database/sql.ts";
import { type FindUses, maxExamined, type Use } from "../../core/records/use.ts";
import { isOwn } from "./store.ts";

/** Links lead to records. */
export const findShareUses: FindUses = (db, viewer, { kind, ids }, limit) =>
  db.all<Use>(sql`
    SELECT 'share' AS kind, id, kind AS name, 'link' AS "as", record_id AS "usedID" FROM (
      SELECT id, kind, record_id, owner_id FROM shares
      WHERE kind = ${kind} AND record_id IN (${list(ids)}) AND (expires_at IS NULL OR expires_at > ${Date.now()})
      LIMIT ${maxExamined}) AS examined
    WHERE ${isOwn(viewer)} ORDER BY id DESC LIMIT ${limit}`);
