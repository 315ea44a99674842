import { setImmediate } from "node:timers/promises";
import { forbidden, invalid } from "../errors.ts";
import type { Database, Queries } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
import { checkQuota } from "../storage/quota.ts";
import { ensureDirectory, nameTaken } from "./directories.ts";
import type { StoredFile } from "./file.ts";
import { checkDepth, checkName, parsePath } from "./names.ts";
import { root } from "./rows.ts";
import {
  type Content,
  findFreeName,
  findNamed,
  getFile,
  indexed,
  insertCopies,
  insertFile,
  listTree,
  lockAncestors,
  lockFile,
  named,
} from "./store.ts";

const mostCopied = 10_000;
const entriesAtOnce = 250;

export type Destination = { path: string; name?: string | undefined };

/** One row changes, however much lies below. */
export function moveFile(db: Database, caller: Caller, id: number, to: Destination): Promise<StoredFile> {
  return db.transaction(async (tx) => {
    const file = await lockFile(tx, id);
    const { directory, name } = await prepare(tx, caller, file, to);
    const other = await findNamed(tx, directory.id, name);
    if (other && other.id !== file.id) throw nameTaken(other);
    await tx.run(sql`
      UPDATE files SET parent_id = ${directory.id}, ${named(name, file.isDirectory)}, updated_at = ${Date.now()}
      WHERE id = ${file.id}`);
    return indexed(tx, file.id);
  });
}

/** No byte is copied: both files hold the same blob. A name that is taken gets a number. */
export function copyFile(
  db: Database,
  quotaBytes: number | null,
  caller: Caller,
  id: number,
  to: Destination,
): Promise<StoredFile> {
  const copyAll = async (tx: Queries) => {
    const file = await getFile(tx, id);
    const { directory, name } = await prepare(tx, caller, file, to);
    const { sha256, size, contentType } = file;
    const content: Content | null = sha256 === null ? null : { sha256, size, contentType: contentType ?? "" };
    const free = await findFreeName(tx, directory.id, name);
    const copy = await insertFile(tx, { directory, name: free, ownerID: caller.id, content });
    await copyTree(tx, caller, file, copy.id);
    await checkQuota(tx, { ownerID: caller.id, quotaBytes });
    return copy;
  };
  return db.transaction(copyAll, { isLong: true });
}

/** Makes the directory that it goes to, where the caller may, and refuses what cannot be. */
async function prepare(tx: Queries, caller: Caller, file: StoredFile, to: Destination) {
  const path = parsePath(to.path);
  const name = to.name === undefined ? file.name : checkName(to.name);
  const directory = await ensureDirectory(tx, caller, path);
  await refuseCycle(tx, file, directory.id);
  checkDepth(path.length + (file.isDirectory ? await measureHeight(tx, file.id) : 1));
  return { directory, name };
}

/** Level by level, so that the copy of a directory is there before what lies in it. */
async function copyTree(tx: Queries, caller: Caller, file: StoredFile, copyID: number): Promise<void> {
  const tree = await listTree(tx, file.id, mostCopied + 1);
  if (tree.length > mostCopied) throw invalid(`There are more than ${mostCopied} files in it: copy it in parts.`);
  // A copy shows its owner every byte: only who may see those already can make one.
  const foreign = tree.find((entry) => !isOwnerOrAdmin(caller, entry));
  if (foreign) throw forbidden(`"${foreign.name}" in it belongs to somebody else.`);
  const copies = new Map([[file.id, copyID]]);
  for (const level of Map.groupBy(tree, (entry) => entry.level).values()) {
    for (let start = 0; start < level.length; start += entriesAtOnce) {
      const some = level.slice(start, start + entriesAtOnce);
      for (const [id, copy] of await insertCopies(tx, caller.id, some, copies)) copies.set(id, copy);
      // Other requests get their turn.
      await setImmediate();
    }
  }
}

/** A directory can be put neither into itself nor into what lies below it. */
async function refuseCycle(tx: Queries, file: StoredFile, parentID: number): Promise<void> {
  if (!file.isDirectory || parentID === root.id) return;
  await lockAncestors(tx, parentID);
  const isBelow = await tx.get(sql`
    WITH RECURSIVE above (id, parent_id) AS (
      SELECT id, parent_id FROM files WHERE id = ${parentID} UNION
      SELECT files.id, files.parent_id FROM files JOIN above ON files.id = above.parent_id
    )
    SELECT id FROM above WHERE id = ${file.id}`);
  if (isBelow) throw invalid(`"path" leads into "${file.name}" itself.`, "path");
}

/** How many levels a directory and what is below it take. */
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
