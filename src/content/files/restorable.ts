import type { BackedUp, Restorable, Row } from "../../core/records/restorable.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { invalid, missing } from "../../platform/errors.ts";
import { nameKey, orderKey, parsePath } from "./names.ts";
import { findByPath, findFreeName, findNamed, lockDirectory } from "./store.ts";

/** A file brings the directories above it and its earlier versions, and a directory all that was in it. */
export const restorableFiles: Restorable = {
  words: { file: sql`sha256 IS NOT NULL`, directory: sql`sha256 IS NULL` },
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
  const wasHidden = isPrivate(await listAbove(was.backup, Number(was.row["parent_id"])));
  const above = await listAbove(tx, parentID);
  const isHidden = isPrivate(above);
  const is_private = wasHidden && !isHidden ? 1 : (row["is_private"] ?? 1);
  if ((isHidden || is_private === 1) && (await was.hasNewLink(above.map(({ id }) => id))))
    throw invalid("A share link that is newer than the backup would show it: revoke that link first.");
  return { ...row, name, name_key: nameKey(name), order_key: orderKey(name, row["sha256"] === null), is_private };
}

type Above = { id: number; is_private: number };

/** The directory, and those above it. */
const listAbove = (db: Reader, id: number): Promise<Above[]> =>
  db.all<Above>(sql`
    WITH RECURSIVE above (id, parent_id, is_private) AS (
      SELECT id, parent_id, is_private FROM files WHERE id = ${id} UNION
      SELECT files.id, files.parent_id, files.is_private FROM files JOIN above ON files.id = above.parent_id
    )
    SELECT id, is_private FROM above`);

const isPrivate = (above: Above[]) => above.some((directory) => directory.is_private === 1);
