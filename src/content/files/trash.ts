import { invalid, missing } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { Trashable } from "../../core/records/record-kind.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import { root } from "./rows.ts";
import { findFile, findFreeName, indexFile, assignName } from "./store.ts";

type Row = { id: number; parent_id: number; name: string; sha256: string | null };

const rowsAtOnce = 200;

export const trashableFiles: Trashable = {
  /** Files, and empty directories. */
  holdsNothing: sql`(sha256 IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM files AS child WHERE child.parent_id = files.id AND child.trash_id IS NULL))`,

  async pictures(db, ids) {
    const rows = await db.all<{ id: number; sha256: string }>(sql`
      SELECT files.id, images.sha256 FROM files
      JOIN images ON images.sha256 = files.sha256 AND images.thumbhash IS NOT NULL
      WHERE files.id IN (${list(ids)})`);
    return new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  },

  /** To the original directory, or to the root if that was permanently deleted. If the name is taken, a number is added. */
  async restore(tx, trashID) {
    const row = await tx.get<Row>(sql`SELECT id, parent_id, name, sha256 FROM files WHERE trash_id = ${trashID}`);
    if (!row) throw missing("file in this trash entry");
    const parentID = await findParent(tx, row.parent_id);
    const name = await findFreeName(tx, parentID, row.name);
    await tx.run(sql`
      UPDATE files SET trash_id = NULL, parent_id = ${parentID}, ${assignName(name, row.sha256 === null)}
      WHERE id = ${row.id}`);
    await indexFile(tx, row.id);
    return [{ id: row.id }];
  },

  list: (tx, trashID) =>
    tx.all<{ id: number; ownerID: number; name: string }>(
      sql`SELECT id, owner_id AS "ownerID", name FROM files WHERE trash_id = ${trashID} LIMIT ${rowsAtOnce}`,
    ),

  /** A few rows at a time: a directory is deleted after its children have been given the same trash id. */
  async purge(tx, trashID) {
    const rows = await tx.all<Pick<Row, "id">>(
      sql`SELECT id FROM files WHERE trash_id = ${trashID} LIMIT ${rowsAtOnce}`,
    );
    if (rows.length === 0) return true;
    const ids = list(rows.map((row) => row.id));
    const marked = await tx.all<Pick<Row, "id">>(sql`
      UPDATE files SET trash_id = ${trashID}
      WHERE id IN (SELECT id FROM files WHERE parent_id IN (${ids}) AND trash_id IS NULL LIMIT ${rowsAtOnce})
      RETURNING id`);
    await tx.changed(
      "file",
      marked.map(({ id }) => ({ id, before: { trash_id: null }, after: { trash_id: trashID } })),
    );
    if (marked.length < rowsAtOnce) await tx.run(sql`DELETE FROM files WHERE id IN (${ids})`);
    return false;
  },
};

async function findParent(tx: Queries, id: number): Promise<number> {
  if (id === root.id || (await findFile(tx, seesEverything, id))) return id;
  if (!(await tx.get(sql`SELECT id FROM files WHERE id = ${id}`))) return root.id;
  throw invalid("The directory that contained it is in the trash: restore the directory first.");
}
