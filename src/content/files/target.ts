import { forbidden, invalid } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql, unindexed } from "../../platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { checkMayAdd, nameTaken } from "./directories.ts";
import { seesEverything, type Visibility } from "../../core/records/visibility.ts";
import { conflictChoices, type StoredFile } from "./file.ts";
import { checkDepth, checkName, isNumbered, parsePath } from "./names.ts";
import { findFile, findNamed, lockRow } from "./store.ts";

/** Where an upload goes, and what happens when its name is taken. */
export type Target = {
  path: string[];
  name: string;
  onConflict: (typeof conflictChoices)[number];
  visibility?: Visibility | undefined;
};

/** The fields of an upload; `name` is null where the filename of the upload is its name. */
export type Fields = Omit<Target, "name"> & { name: string | null; isDirectory: boolean };

/** As programs write them: Python sends `True`, and a form can send the field empty. */
const formBooleans = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
  ["", false],
]);

/** Checks whether the caller may add to the directory before what is wrong with the other fields. */
export async function checkFields(db: Reader, caller: Caller, fields: Record<string, string>): Promise<Fields> {
  const isDirectory = formBooleans.get((fields.isDirectory ?? "").toLowerCase());
  const path = parsePath(fields.path ?? "/");
  if (isDirectory !== true) await checkMayAdd(db, caller, path);
  if (isDirectory === undefined) throw invalid(`"isDirectory" must be "true" or "false".`, "isDirectory");
  const onConflict = conflictChoices.find((choice) => choice === (fields.onConflict ?? "rename"));
  if (!onConflict) throw invalid(`"onConflict" must be "rename", "reuse", "replace" or "fail".`, "onConflict");
  const visibility = checkVisibility(fields.visibility);
  const name = fields.name === undefined ? null : checkName(fields.name);
  return { path, isDirectory, name, onConflict, visibility };
}

function checkVisibility(sent: string | undefined): Visibility | undefined {
  if (sent === undefined || sent === "public" || sent === "private") return sent;
  throw invalid(`"visibility" must be "public" or "private".`, "visibility");
}

/** The name is the field `name`, else the filename. */
export function toTarget({ path, name, onConflict, visibility }: Fields, filename: string, field = "file"): Target {
  const target = { path, name: name ?? checkName(filename, field), onConflict, visibility };
  checkDepth(path.length + 1);
  return target;
}

/** Throws if an upload could not be stored at the target now. */
export async function checkTarget(db: Reader, caller: Caller, target: Target): Promise<void> {
  const { id, depth } = await checkMayAdd(db, caller, target.path);
  if (depth === target.path.length) await findReplaced(db, caller, id, target);
}

/** Finds the file in the directory that the upload replaces or reuses, and locks it until the transaction ends. */
export async function lockReplaced(
  tx: Queries,
  caller: Caller,
  directoryID: number,
  target: Target & { sha256: string },
): Promise<StoredFile | null> {
  // The same upload at the same time waits, and then finds the file.
  if (target.onConflict === "reuse") await tx.lock(`upload of ${target.sha256} to ${directoryID}`);
  const found = await findReplaced(tx, caller, directoryID, target);
  if (!found) return null;
  await lockRow(tx, found.id);
  const locked = await findReplaced(tx, caller, directoryID, target);
  // Otherwise it was deleted, moved or renamed before it was locked.
  return locked?.id === found.id ? locked : lockReplaced(tx, caller, directoryID, target);
}

/** Throws if the name is taken and cannot be used. */
async function findReplaced(
  db: Reader,
  caller: Caller,
  directoryID: number,
  { name, onConflict, sha256 }: Target & { sha256?: string },
): Promise<StoredFile | null> {
  if (onConflict === "rename") return null;
  if (onConflict === "reuse") return sha256 ? findSent(db, caller, directoryID, { name, sha256 }) : null;
  const existing = await findNamed(db, directoryID, name);
  if (!existing) return null;
  const isOwn = isOwnerOrAdmin(caller, existing);
  const isHidden = !isOwn && existing.visibility === "private";
  if (onConflict === "fail" || existing.isDirectory || isHidden) throw nameTaken(name, "file");
  if (isOwn) return existing;
  throw forbidden(`Only the owner of "${existing.name}" or an admin may replace it.`);
}

/** The file that the same upload has created before, under a name with a number if its name was taken. */
async function findSent(
  db: Reader,
  caller: Caller,
  directoryID: number,
  { name, sha256 }: { name: string; sha256: string },
): Promise<StoredFile | null> {
  // The sums keep SQLite from reading the whole directory. An upload is sent again soon: the newest files are enough.
  const rows = await db.all<{ id: number; name: string }>(sql`
    SELECT id, name FROM files
    WHERE sha256 = ${sha256} AND ${unindexed("parent_id")} = ${directoryID} AND ${unindexed("owner_id")} = ${caller.id}
      AND trash_id IS NULL
    ORDER BY id DESC LIMIT 100`);
  const sent = rows.find((row) => isNumbered(name, row.name));
  return sent && (await findNamed(db, directoryID, name)) ? findFile(db, seesEverything, sent.id) : null;
}
