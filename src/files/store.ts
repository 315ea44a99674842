import { randomInt } from "node:crypto";
import { invalid, missing } from "../errors.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { mapSlices, readSlices, type Slices } from "../platform/database/slices.ts";
import { inChunks, joined, list, sql, type Sql } from "../platform/database/sql.ts";
import { addToTrash } from "../trash/store.ts";
import { keepVersion } from "../versions/store.ts";
import { describePublic } from "../images/image.ts";
import { joinImages, publicColumns } from "../images/store.ts";
import { fileTexts, type StoredFile } from "./file.ts";
import { indexNewRecords, indexRecord } from "../platform/search/documents.ts";
import { nameKey, numbered, orderKey } from "./names.ts";

export type { StoredFile };

export const rootID = 0;
const filesAtOnce = 500;

type FileRow = {
  id: number;
  parent_id: number;
  owner_id: number;
  name: string;
  sha256: string | null;
  size: number;
  content_type: string | null;
  created_at: number;
  updated_at: number;
  /** Of the image in it; missing where nobody needs to know. */
  read_at?: number | null;
  withheld?: number | null;
  clean_sha256?: string | null;
  clean_size?: number | null;
};

type OrderedRow = FileRow & { order_key: string };

export type Content = { sha256: string; size: number; contentType: string };

const columns = sql`files.id, files.parent_id, files.owner_id, files.name, files.sha256, files.size, files.content_type,
  files.created_at, files.updated_at`;
/** With what was read of the image in it. */
const selectFiles = sql`SELECT ${columns}, ${publicColumns} FROM files ${joinImages}`;

export async function findFile(db: Reader, id: number): Promise<StoredFile | null> {
  const row = await db.get<FileRow>(sql`${selectFiles} WHERE files.id = ${id} AND files.trash_id IS NULL`);
  return row && ((await withPaths(db, [row]))[0] ?? null);
}

export async function getFile(db: Reader, id: number): Promise<StoredFile> {
  const file = await findFile(db, id);
  if (!file) throw missing(`file ${id}`);
  return file;
}

/** The file as it is now, and until the transaction ends. */
export async function lockFile(tx: Queries, id: number): Promise<StoredFile> {
  await tx.get(sql`SELECT id FROM files WHERE id = ${id} ${tx.forUpdate}`);
  return getFile(tx, id);
}

/** Keeps the directory from being deleted while something is added to it. False when there is none any more. */
export async function lockDirectory(tx: Queries, id: number): Promise<boolean> {
  if (id === rootID) return true;
  return (await tx.get(sql`SELECT id FROM files WHERE id = ${id} AND trash_id IS NULL ${tx.forShare}`)) !== null;
}

/** Keeps the directories above one from being moved. */
export async function lockAncestors(tx: Queries, id: number): Promise<void> {
  const above = await tx.all<{ id: number }>(sql`
    WITH RECURSIVE above (id, parent_id) AS (
      SELECT id, parent_id FROM files WHERE id = ${id} UNION
      SELECT files.id, files.parent_id FROM files JOIN above ON files.id = above.parent_id
    )
    SELECT id FROM above`);
  const ids = list(above.map((row) => row.id));
  await tx.all(sql`SELECT id FROM files WHERE id IN (${ids}) ORDER BY id ${tx.forShare}`);
}

export async function findFiles(db: Reader, ids: number[]): Promise<Map<number, StoredFile>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FileRow>(sql`${selectFiles} WHERE files.id IN (${list(some)}) AND files.trash_id IS NULL`),
  );
  return new Map((await withPaths(db, rows)).map((file) => [file.id, file]));
}

/** Directories first, then by name. */
export function listDirectory(db: Reader, parentID: number): Slices<StoredFile> {
  const read = (last: OrderedRow | null, size: number) => {
    const after = last ? sql`AND (files.order_key, files.id) > (${last.order_key}, ${last.id})` : sql``;
    return db.all<OrderedRow>(sql`
      SELECT ${columns}, files.order_key, ${publicColumns} FROM files ${joinImages}
      WHERE files.parent_id = ${parentID} AND files.trash_id IS NULL ${after}
      ORDER BY files.order_key, files.id LIMIT ${size}`);
  };
  return mapSlices(readSlices(read, { size: filesAtOnce }), (some) => withPaths(db, some));
}

/** The file at the end of a path that is not the root's, one look-up a step; null when a step is missing. */
export async function findByPath(db: Reader, names: string[]): Promise<StoredFile | null> {
  const { row, depth } = await walk(db, names);
  return row && depth === names.length ? ((await withPaths(db, [row]))[0] as StoredFile) : null;
}

/** As far down as the path exists. Throws where it leads through a file. */
export async function findDeepestDirectory(
  db: Reader,
  names: string[],
): Promise<{ id: number; ownerID: number | null; depth: number }> {
  const { row, depth } = await walk(db, names);
  if (row?.sha256) throw invalid(`"path" leads through "${row.name}", which is a file.`, "path");
  return { id: row?.id ?? rootID, ownerID: row?.owner_id ?? null, depth };
}

async function walk(db: Reader, names: string[]): Promise<{ row: FileRow | null; depth: number }> {
  let row: FileRow | null = null;
  for (const [depth, name] of names.entries()) {
    const child: FileRow | null = await findChild(db, row?.id ?? rootID, name);
    if (!child) return { row, depth };
    row = child;
  }
  return { row, depth: names.length };
}

function findChild(db: Reader, parentID: number, name: string): Promise<FileRow | null> {
  return db.get<FileRow>(sql`
    ${selectFiles} WHERE files.parent_id = ${parentID} AND files.name_key = ${nameKey(name)} AND files.trash_id IS NULL`);
}

export async function findNamed(db: Reader, parentID: number, name: string): Promise<StoredFile | null> {
  const row = await findChild(db, parentID, name);
  return row && ((await withPaths(db, [row]))[0] as StoredFile);
}

const highestNumber = 2 ** 31;

/**
 * The name itself, or with a number that is free while the one before it is taken. It is found by doubling, so that ten
 * thousand equal names cost little. Where somebody has taken every power of two, any free number will do.
 */
export async function findFreeName(db: Reader, parentID: number, name: string): Promise<string> {
  const isTaken = async (number: number) =>
    (await findChild(db, parentID, number === 0 ? name : numbered(name, number))) !== null;
  if (!(await isTaken(0))) return name;
  let taken = 0;
  let free = 1;
  while (await isTaken(free)) {
    taken = free;
    free = free < highestNumber ? free * 2 : highestNumber + randomInt(highestNumber);
  }
  if (free > highestNumber) return numbered(name, free);
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return numbered(name, free);
}

/** The caller has made sure, in the same transaction, that the name is free. */
export async function insertFile(
  tx: Queries,
  { parentID, name, ownerID, content }: { parentID: number; name: string; ownerID: number; content: Content | null },
): Promise<StoredFile> {
  const time = Date.now();
  const row = await tx.get<FileRow>(sql`
    INSERT INTO files (parent_id, owner_id, name, name_key, order_key, sha256, size, content_type, created_at, updated_at)
    VALUES (${parentID}, ${ownerID}, ${name}, ${nameKey(name)}, ${orderKey(name, content === null)},
      ${content?.sha256 ?? null}, ${content?.size ?? 0}, ${content?.contentType ?? null}, ${time}, ${time})
    RETURNING ${columns}`);
  const [file] = await withPaths(tx, [row as FileRow]);
  await indexRecord(tx, "file", file as StoredFile, fileTexts(file as StoredFile));
  return file as StoredFile;
}

export type TreeEntry = {
  id: number;
  parentID: number;
  ownerID: number;
  name: string;
  sha256: string | null;
  size: number;
  contentType: string | null;
  level: number;
};

/** Up to `most` of the files and directories below a directory, those that lie higher first. */
export async function listTree(db: Reader, id: number, most: number): Promise<TreeEntry[]> {
  const entries = await db.all<TreeEntry>(sql`
    WITH RECURSIVE tree (id, level) AS (
      SELECT id, 1 FROM files WHERE parent_id = ${id} AND trash_id IS NULL UNION ALL
      SELECT files.id, tree.level + 1 FROM tree JOIN files ON files.parent_id = tree.id AND files.trash_id IS NULL
    )
    SELECT files.id, parent_id AS "parentID", owner_id AS "ownerID", name, sha256, size, content_type AS "contentType", level
    FROM (SELECT id, level FROM tree LIMIT ${most}) AS below JOIN files ON files.id = below.id`);
  return entries.toSorted((one, other) => one.level - other.level);
}

/**
 * Copies entries by few statements. `copies` has the copy of each directory they lie in. Returns the id of each copy by
 * that of its original.
 */
export async function insertCopies(
  tx: Queries,
  ownerID: number,
  entries: TreeEntry[],
  copies: Map<number, number>,
): Promise<Map<number, number>> {
  const time = Date.now();
  const keyOf = (parentID: number, key: string) => `${parentID}/${key}`;
  const byKey = new Map<string, TreeEntry>();
  const rows = entries.map((entry) => {
    const { name, sha256, size, contentType } = entry;
    const parentID = copies.get(entry.parentID) as number;
    byKey.set(keyOf(parentID, nameKey(name)), entry);
    const keys = sql`${name}, ${nameKey(name)}, ${orderKey(name, sha256 === null)}`;
    return sql`(${parentID}, ${ownerID}, ${keys}, ${sha256}, ${size}, ${contentType}, ${time}, ${time})`;
  });
  const inserted = await tx.all<{ id: number; parent_id: number; name_key: string }>(sql`
    INSERT INTO files (parent_id, owner_id, name, name_key, order_key, sha256, size, content_type, created_at, updated_at)
    VALUES ${joined(rows)} RETURNING id, parent_id, name_key`);
  const made = inserted.map((row) => ({
    copyID: row.id,
    entry: byKey.get(keyOf(row.parent_id, row.name_key)) as TreeEntry,
  }));
  await indexNewRecords(
    tx,
    "file",
    made.map(({ copyID, entry }) => ({ id: copyID, texts: fileTexts(entry) })),
  );
  return new Map(made.map(({ copyID, entry }) => [entry.id, copyID]));
}

export async function renameFile(tx: Queries, file: StoredFile, name: string): Promise<StoredFile> {
  await tx.run(sql`
    UPDATE files SET ${named(name, file.isDirectory)}, updated_at = ${Date.now()}
    WHERE id = ${file.id} AND trash_id IS NULL`);
  return indexed(tx, file.id);
}

/** A name with all that follows from it. */
export const named = (name: string, isDirectory: boolean): Sql =>
  sql`name = ${name}, name_key = ${nameKey(name)}, order_key = ${orderKey(name, isDirectory)}`;

/** The file as it is now, findable by its name. */
export async function indexed(tx: Queries, id: number): Promise<StoredFile> {
  const file = await getFile(tx, id);
  await indexRecord(tx, "file", file, fileTexts(file));
  return file;
}

/** The file keeps its id, and what it held becomes a version. The same content again changes nothing. */
export async function replaceContent(
  tx: Queries,
  file: StoredFile,
  content: Content,
  versionsKept: number,
): Promise<void> {
  if (content.sha256 === file.sha256) return;
  const time = Date.now();
  await keepVersion(tx, file.id, time, versionsKept);
  await tx.run(sql`
    UPDATE files SET sha256 = ${content.sha256}, size = ${content.size}, content_type = ${content.contentType},
      content_at = ${time}, updated_at = ${time}
    WHERE id = ${file.id}`);
}

/** One row, however much is below: what lies in a directory that is in the trash is there with it. */
export async function trashFile(tx: Queries, id: number, deletedByID: number): Promise<void> {
  const file = await lockFile(tx, id);
  const trashID = await addToTrash(tx, "file", file, { name: file.name, deletedByID });
  await tx.run(sql`UPDATE files SET trash_id = ${trashID} WHERE id = ${id}`);
}

/**
 * No row holds its path: that is what lets a rename touch one row. One query finds all directories above these rows; a row
 * below one that is in the trash is left out.
 */
async function withPaths(db: Reader, rows: FileRow[]): Promise<StoredFile[]> {
  const parents = [...new Set(rows.map((row) => row.parent_id))].filter((id) => id !== rootID);
  const directories = await inChunks(parents, (some) =>
    db.all<{ id: number; parent_id: number; name: string }>(sql`
      WITH RECURSIVE above (id, parent_id, name) AS (
        SELECT id, parent_id, name FROM files WHERE id IN (${list(some)}) AND trash_id IS NULL UNION
        SELECT files.id, files.parent_id, files.name FROM files JOIN above ON files.id = above.parent_id
        WHERE files.trash_id IS NULL
      )
      SELECT id, parent_id, name FROM above`),
  );
  const above = new Map(directories.map((row) => [row.id, row]));
  const paths = new Map<number, string | null>([[rootID, "/"]]);
  const pathOf = (id: number): string | null => {
    let path = paths.get(id);
    if (path !== undefined) return path;
    const directory = above.get(id);
    const parent = directory ? pathOf(directory.parent_id) : null;
    path = directory && parent !== null ? `${parent === "/" ? "" : parent}/${directory.name}` : null;
    paths.set(id, path);
    return path;
  };
  return rows.flatMap((row) => {
    const path = pathOf(row.parent_id);
    return path === null ? [] : [toFile(row, path)];
  });
}

function toFile(row: FileRow, path: string): StoredFile {
  const { name, sha256, size, content_type: contentType } = row;
  const { clean_sha256: cleanSHA256 = null, clean_size: cleanSize = null } = row;
  const state = row.read_at ? { isWithheld: row.withheld === 1, cleanSHA256, cleanSize } : null;
  return {
    public: describePublic({ name, sha256, size, contentType }, state),
    id: row.id,
    parentID: row.parent_id,
    name: row.name,
    path,
    isDirectory: row.sha256 === null,
    size: row.size,
    contentType: row.content_type,
    url: row.sha256 === null ? null : `/api/v1/files/${row.id}/content`,
    sha256: row.sha256,
    ownerID: row.owner_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
