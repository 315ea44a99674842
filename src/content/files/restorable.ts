import type { BackedUp, Restorable, Row } from "../../core/records/restorable.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { missing } from "../../platform/errors.ts";
import { nameKey, orderKey, parsePath } from "./names.ts";
import { root } from "./rows.ts";
import { findByPath, findFreeName, findNamed, lockDirectory } from "./store.ts";

/** A file brings the directories above it, and a directory all that was in it. */
export const restorableFiles: Restorable = {
  name: "name",
  words: { file: sql`sha256 IS NOT NULL`, directory: sql`sha256 IS NULL` },
  references: { parent_id: { kind: "file", isNeeded: true, comesAlong: true, none: root.id } },
  async find(backup, path) {
    const names = parsePath(path);
    return names.length === 0 ? null : ((await findByPath(backup, seesEverything, names))?.id ?? null);
  },
  /** The same directory was created again, or the same content uploaded. */
  async findEqual(db, row) {
    const found = await findNamed(db, Number(row["parent_id"]), String(row["name"]));
    return found && found.ownerID === row["owner_id"] && found.sha256 === row["sha256"] ? found.id : null;
  },
  fit,
};

/** If the name is taken, a number is added. What only a private directory has hidden becomes private itself. */
async function fit(tx: Queries, row: Row, was: BackedUp): Promise<Row> {
  const parentID = Number(row["parent_id"]);
  if (!(await lockDirectory(tx, parentID))) throw missing(`directory ${parentID}`);
  const name = await findFreeName(tx, parentID, String(row["name"]));
  const wasHidden = await isBelowPrivate(was.backup, Number(was.row["parent_id"]));
  const isShown = wasHidden && !(await isBelowPrivate(tx, parentID));
  return {
    ...row,
    name,
    name_key: nameKey(name),
    order_key: orderKey(name, row["sha256"] === null),
    is_private: isShown ? 1 : (row["is_private"] ?? 1),
  };
}

/** Whether this directory, or one above it, is private. */
async function isBelowPrivate(db: Reader, id: number): Promise<boolean> {
  const above = sql`
    WITH RECURSIVE above (parent_id, is_private) AS (
      SELECT parent_id, is_private FROM files WHERE id = ${id} UNION
      SELECT files.parent_id, files.is_private FROM files JOIN above ON files.id = above.parent_id
    )
    SELECT is_private FROM above WHERE is_private = 1 LIMIT 1`;
  return (await db.get(above)) !== null;
}
