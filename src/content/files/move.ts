import { setImmediate } from "node:timers/promises";
import { recordActivity } from "../../core/activity/record.ts";
import { forbidden, invalid } from "../../platform/errors.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { checkQuota } from "../../core/storage/quota.ts";
import { flagFor, type Visibility } from "../../core/records/visibility.ts";
import { ensureDirectory, nameTaken } from "./directories.ts";
import type { StoredFile } from "./file.ts";
import { insertCopies } from "./insert-many.ts";
import { checkDepth, checkName, parsePath } from "./names.ts";
import { root } from "./rows.ts";
import {
  type Content,
  findFreeName,
  findNamed,
  getFile,
  indexFile,
  insertFile,
  listTree,
  lockAncestors,
  lockFile,
  assignName,
} from "./store.ts";

/** So many files can be copied by one request. */
export const maxCopied = 10_000;
const entriesAtOnce = 250;

type Destination = { path: string; name?: string | undefined };
/** A file can be made public or private at the same time. */
type Move = Destination & { visibility?: Visibility | undefined };

/** Changes only one row, even for a large directory. */
export function moveFile(
  transaction: Database["transaction"],
  caller: Caller,
  id: number,
  to: Destination,
): Promise<StoredFile> {
  return transaction(async (tx) => moveLocked(tx, caller, await lockFile(tx, id), to));
}

/** The same in a transaction that has locked the file. */
export async function moveLocked(tx: Queries, caller: Caller, file: StoredFile, to: Move): Promise<StoredFile> {
  const { directory, name } = await prepareDestination(tx, caller, file, to);
  const other = await findNamed(tx, directory.id, name);
  if (other && other.id !== file.id) throw nameTaken(name);
  await tx.run(sql`
    UPDATE files SET parent_id = ${directory.id}, ${assignName(name, file.isDirectory)},
      is_private = ${flagFor(to.visibility ?? file.visibility)}, updated_at = ${Date.now()}
    WHERE id = ${file.id}`);
  const moved = await indexFile(tx, file.id);
  recordActivity(tx, caller.id, "changed", { ...moved, kind: "file" });
  return moved;
}

/** Copies no bytes: both files use the same blob. If the name is taken, a number is added to it. */
export function copyFile(
  { transaction, quotaBytes }: { transaction: Database["transaction"]; quotaBytes: number | null },
  caller: Caller,
  id: number,
  to: Destination,
): Promise<StoredFile> {
  const copy = async (tx: Queries) => {
    const { copied } = await copyIn(tx, caller, await getFile(tx, caller, id), { ...to, most: maxCopied });
    await checkQuota(tx, { ownerID: caller.id, quotaBytes });
    return copied;
  };
  return transaction(copy, { isLong: true });
}

/**
 * The same in a transaction, which checks the quota afterwards. A directory with more than `most` entries is refused. Returns
 * how many rows were written.
 */
export async function copyIn(
  tx: Queries,
  caller: Caller,
  file: StoredFile,
  { most, ...to }: Destination & { most: number },
): Promise<{ copied: StoredFile; count: number }> {
  const tree = await listCopied(tx, caller, file, most);
  const { directory, name } = await prepareDestination(tx, caller, file, to);
  const { sha256, size, contentType, visibility } = file;
  const content: Content | null = sha256 === null ? null : { sha256, size, contentType: contentType ?? "" };
  const free = await findFreeName(tx, directory.id, name);
  const copied = await insertFile(tx, { directory, name: free, ownerID: caller.id, content, visibility });
  await insertTree(tx, caller, tree, new Map([[file.id, copied.id]]));
  return { copied, count: tree.length + 1 };
}

/** Checks the destination, and creates the directory if it does not exist. */
async function prepareDestination(tx: Queries, caller: Caller, file: StoredFile, to: Destination) {
  const path = parsePath(to.path);
  const name = to.name === undefined ? file.name : checkName(to.name);
  const directory = await ensureDirectory(tx, caller, path, file.visibility);
  await refuseCycle(tx, file, directory.id);
  checkDepth(path.length + (file.isDirectory ? await measureHeight(tx, file.id) : 1));
  return { directory, name };
}

/** What lies below a file that is copied. */
async function listCopied(tx: Queries, caller: Caller, file: StoredFile, most: number): Promise<Tree> {
  const tree = await listTree(tx, file.id, most + 1);
  if (tree.length > most) throw invalid(`More than ${maxCopied} files would be copied: copy them in parts.`);
  // The owner of a copy can read every byte of it, so they must be able to read the original.
  const foreign = tree.find((entry) => !isOwnerOrAdmin(caller, entry));
  if (foreign) {
    const what = foreign.visibility === "public" ? `"${foreign.name}", which` : "something that";
    throw forbidden(`The directory contains ${what} belongs to another user.`);
  }
  return tree;
}

type Tree = Awaited<ReturnType<typeof listTree>>;

/** Level by level, so that the copy of a directory exists before its children are copied. */
async function insertTree(tx: Queries, caller: Caller, tree: Tree, copies: Map<number, number>): Promise<void> {
  for (const level of Map.groupBy(tree, (entry) => entry.level).values()) {
    for (let start = 0; start < level.length; start += entriesAtOnce) {
      const some = level.slice(start, start + entriesAtOnce);
      for (const [id, copy] of await insertCopies(tx, caller.id, some, copies)) copies.set(id, copy);
      // Lets other requests run.
      await setImmediate();
    }
  }
}

/** A directory cannot be moved into itself or into a directory below it. */
async function refuseCycle(tx: Queries, file: StoredFile, parentID: number): Promise<void> {
  if (!file.isDirectory || parentID === root.id) return;
  await lockAncestors(tx, parentID);
  const isBelow = await tx.get(sql`
    WITH RECURSIVE above (id, parent_id) AS (
      SELECT id, parent_id FROM files WHERE id = ${parentID} UNION
      SELECT files.id, files.parent_id FROM files JOIN above ON files.id = above.parent_id
    )
    SELECT id FROM above WHERE id = ${file.id}`);
  if (isBelow) throw invalid(`"path" must not be inside "${file.name}" itself.`, "path");
}

/** The number of levels of a directory and its descendants. */
async function measureHeight(tx: Queries, id: number): Promise<number> {
  const row = await tx.get<{ height: number }>(sql`
    WITH RECURSIVE below (id, height) AS (
      SELECT id, 1 FROM files WHERE id = ${id} UNION ALL
      SELECT files.id, below.height + 1 FROM files JOIN below ON files.parent_id = below.id
      WHERE files.sha256 IS NULL AND files.trash_id IS NULL
    )
    SELECT max(height + CASE WHEN EXISTS (
      SELECT 1 FROM files WHERE files.parent_id = below.id AND files.trash_id IS NULL AND files.sha256 IS NOT NULL
    ) THEN 1 ELSE 0 END) AS height FROM below`);
  return row?.height ?? 1;
}
