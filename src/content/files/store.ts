import { recordActivity } from "../../core/activity/record.ts";
import { invalid, missing } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey, type Sort } from "../../platform/database/keyset.ts";
import { mapSlices, readSlices, type Slices } from "../../platform/database/slices.ts";
import { inChunks, joined, list, raw, sql, type Sql } from "../../platform/database/sql.ts";
import { isLive, type Trash } from "../../core/trash/trash.ts";
import { joinImages, type PublicRow } from "../../core/images/store.ts";
import {
  flagFor,
  granterOf,
  isVisibleTo,
  type Prefix,
  seesEverything,
  thisTable,
  toVisibility,
  type Visibility,
  withoutLimit,
} from "../../core/records/visibility.ts";
import { type FileRecord, fileTexts, presentFile, type StoredFile } from "./file.ts";
import type { Limit, Viewer } from "../../platform/http/route.ts";
import { indexRecord } from "../../platform/search/documents.ts";
import { keepVersion } from "./versions.ts";
import { addNumber, nameKey, orderKey } from "./names.ts";
import {
  type Directory,
  fileAndImageColumns,
  fileColumns,
  type FileRow,
  type FoundFileRow,
  toDirectory,
  root,
  selectFiles,
  toFile,
  toFiles,
} from "./rows.ts";

const filesAtOnce = 500;

type OrderedRow = FileRow & Partial<PublicRow> & { order_key: string };

export type Content = { sha256: string; size: number; contentType: string };

export async function findFile(db: Reader, viewer: Viewer, id: number): Promise<StoredFile | null> {
  const row = await db.get<FoundFileRow>(selectFiles(viewer, sql`files.id = ${id}`));
  return row && toFile(row);
}

export async function getFile(db: Reader, viewer: Viewer, id: number): Promise<StoredFile> {
  const file = await findFile(db, viewer, id);
  if (!file) throw missing(`file ${id}`);
  return file;
}

/** Locks the file until the transaction ends, and returns its current state. */
export async function lockFile(tx: Queries, id: number): Promise<StoredFile> {
  await lockRow(tx, id);
  return getFile(tx, seesEverything, id);
}

/** Locks the file until the transaction ends. Another transaction may have changed or deleted it before that. */
export async function lockRow(tx: Queries, id: number): Promise<void> {
  await tx.get(sql`SELECT id FROM files WHERE id = ${id} ${tx.forUpdate}`);
}

/** Locks files in the order of their ids, so that writers of several files do not wait for each other in a circle. */
export async function lockFiles(tx: Queries, ids: number[], lock: Sql = tx.forUpdate): Promise<void> {
  await tx.all(sql`SELECT id FROM files WHERE id IN (${list(ids)}) ORDER BY id ${lock}`);
}

/** Prevents the directory from being deleted while something is added to it. Returns false if it was deleted. */
export async function lockDirectory(tx: Queries, id: number): Promise<boolean> {
  if (id === root.id) return true;
  return (await tx.get(sql`SELECT id FROM files WHERE id = ${id} AND trash_id IS NULL ${tx.forShare}`)) !== null;
}

/** Prevents the directory and those above it from being moved. */
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

export async function findFiles(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, StoredFile>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundFileRow>(selectFiles(viewer, sql`files.id IN (${list(some)})`)),
  );
  return new Map(toFiles(rows).map((file) => [file.id, file]));
}

/** As the viewer sees them. */
export async function findPresentedFiles(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, FileRecord>> {
  const files = await findFiles(db, viewer, ids);
  return new Map([...files].map(([id, file]) => [id, presentFile(file, viewer)]));
}

/** Directories first, then by name. The directory is one that the viewer may see. */
export function listDirectory(db: Reader, viewer: Viewer, directory: Directory): Slices<StoredFile> {
  const { id, path, isGranted } = directory;
  const read = (last: OrderedRow | null, size: number) => {
    const after = last ? sql`AND (files.order_key, files.id) > (${last.order_key}, ${last.file_id})` : sql``;
    return db.all<OrderedRow>(sql`
      SELECT ${fileAndImageColumns}, files.order_key FROM files ${joinImages}
      WHERE files.parent_id = ${id} AND files.trash_id IS NULL AND ${isVisibleIn(directory, viewer, thisTable)} ${after}
      ORDER BY files.order_key, files.id LIMIT ${size}`);
  };
  const slices = readSlices(read, { size: filesAtOnce });
  const known = { file_path: path, is_file_visible: 1, is_file_granted: isGranted ? 1 : 0 };
  return mapSlices(slices, (some) => toFiles(some.map((row) => ({ ...row, ...known }))));
}

/** The condition of what the viewer sees in a directory. `columns` is as in `isVisibleTo`. */
function isVisibleIn({ id, isGranted }: Directory, viewer: Viewer, columns: Prefix): Sql {
  if (viewer?.limit) {
    const isVisible = isVisibleTo(withoutLimit(viewer), columns);
    // The limit reaches a directory with all that is in it, and so never the root.
    return id === root.id ? sql`(${isVisible} AND ${isReached(viewer.limit, raw(`${columns}id`))})` : isVisible;
  }
  const isVisible = isVisibleTo(viewer, columns);
  if (!isGranted || !viewer?.grant) return isVisible;
  return sql`(${isVisible} OR ${isVisibleTo(granterOf(viewer.grant), columns)})`;
}

const isReached = ({ reach }: Limit, id: Sql): Sql => reach.file?.includes(id) ?? sql`1 = 0`;

/** The order of `listDirectory`. */
export const byName: Sort = { column: "order_key", type: "text" };

export function listDirectoryByKey(db: Reader, viewer: Viewer, directory: Directory, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "files",
    where: [isLive, sql`parent_id = ${directory.id}`, isVisibleIn(directory, viewer, thisTable)],
    atOnce: filesAtOnce,
    find: (ids) => findFiles(db, viewer, ids),
  });
}

/**
 * The file or directory at a path below `start`; null if it does not exist. The path is not empty, and the viewer may see
 * `start`.
 */
export async function findByPath(
  db: Reader,
  viewer: Viewer,
  names: string[],
  start: Directory = root,
): Promise<StoredFile | null> {
  const { file, depth, isHidden } = await followPath(db, viewer, names, start);
  return depth === names.length && !isHidden ? file : null;
}

/** Those of the names in a directory that the viewer sees, by their keys (`nameKey`). The viewer may see the directory. */
export async function findAllNamed(
  db: Reader,
  viewer: Viewer,
  directory: Directory,
  names: string[],
): Promise<Map<string, StoredFile>> {
  const rows = await inChunks(names.map(nameKey), (some) =>
    db.all<FileRow & PublicRow>(sql`
      SELECT ${fileAndImageColumns} FROM files ${joinImages}
      WHERE files.parent_id = ${directory.id} AND files.name_key IN (${list(some)}) AND files.trash_id IS NULL
        AND ${isVisibleIn(directory, viewer, "files.")}`),
  );
  const known = { file_path: directory.path, is_file_visible: 1, is_file_granted: directory.isGranted ? 1 : 0 };
  return new Map(toFiles(rows.map((row) => ({ ...row, ...known }))).map((file) => [nameKey(file.name), file]));
}

type DeepestDirectory = Directory & { ownerID: number | null; depth: number };

/** The deepest directory of the path that exists. Throws if the path leads through a file, or to what the viewer may not see. */
export async function findDeepestDirectory(db: Reader, viewer: Viewer, names: string[]): Promise<DeepestDirectory> {
  const { file, depth, isHidden } = await followPath(db, viewer, names);
  if (isHidden) throw missing(`directory /${names.join("/")}`);
  if (file?.sha256) throw invalid(`"path" leads through "${file.name}", which is a file.`, "path");
  return { ...(file ? toDirectory(file) : root), ownerID: file?.ownerID ?? null, depth };
}

type Followed = { file: StoredFile | null; depth: number; isHidden: boolean };

/** The last file or directory of the path that exists, its depth, and whether the viewer may not see it. */
async function followPath(db: Reader, viewer: Viewer, names: string[], start = root): Promise<Followed> {
  if (viewer?.limit) {
    const followed = await followPath(db, withoutLimit(viewer), names, start);
    const reached = followed.file && (await findFile(db, viewer, followed.file.id));
    return { ...followed, isHidden: followed.isHidden || !reached };
  }
  if (names.length === 0) return { file: null, depth: 0, isHidden: false };
  const steps = names.map((name, depth) => sql`(CAST(${depth} AS BIGINT), CAST(${nameKey(name)} AS TEXT))`);
  const isChild = sql`files.name_key = steps.name_key AND files.trash_id IS NULL`;
  // CROSS JOIN keeps SQLite from reading all files of a directory, or of the site, to find one.
  const isVisible = isVisibleIn(start, viewer, "files.");
  const row = await db.get<FileRow & PublicRow & { depth: number; path: string; is_visible: number }>(sql`
    WITH RECURSIVE steps (depth, name_key) AS (VALUES ${joined(steps)}), found (id, depth, path, is_visible) AS (
      SELECT files.id, CAST(1 AS BIGINT), '/' || files.name, CASE WHEN ${isVisible} THEN 1 ELSE 0 END
      FROM steps CROSS JOIN files WHERE steps.depth = 0 AND files.parent_id = ${start.id} AND ${isChild}
      UNION ALL
      SELECT files.id, found.depth + 1, found.path || '/' || files.name,
        CASE WHEN ${isVisible} THEN found.is_visible ELSE 0 END
      FROM found JOIN steps ON steps.depth = found.depth CROSS JOIN files
      WHERE files.parent_id = found.id AND ${isChild}
    )
    SELECT ${fileAndImageColumns}, found.depth, found.path, found.is_visible
    FROM found CROSS JOIN files ${joinImages} WHERE files.id = found.id ORDER BY found.depth DESC LIMIT 1`);
  if (!row) return { file: null, depth: 0, isHidden: false };
  const above = (start.path === root.path ? "" : start.path) + row.path.slice(0, -row.file_name.length - 1);
  const known = { file_path: above || root.path, is_file_visible: 1, is_file_granted: start.isGranted ? 1 : 0 };
  const file = toFile({ ...row, ...known });
  return { file, depth: row.depth, isHidden: row.is_visible !== 1 };
}

/** Whoever may see it: names are unique in a directory. */
export async function findNamed(db: Reader, parentID: number, name: string): Promise<StoredFile | null> {
  const hasName = sql`files.parent_id = ${parentID} AND files.name_key = ${nameKey(name)}`;
  const row = await db.get<FoundFileRow>(selectFiles(seesEverything, hasName));
  return row && toFile(row);
}

const highestNumber = 2 ** 31;

/**
 * Returns the name, or the name with a number if it is taken. The number is free and the number before it is taken. It is
 * found by doubling, so that ten thousand equal names need few queries. If every power of two is taken, it is random.
 */
export async function findFreeName(db: Reader, parentID: number, name: string): Promise<string> {
  const isTaken = async (number: number) => {
    const key = nameKey(number === 0 ? name : addNumber(name, number));
    const taken = sql`SELECT id FROM files WHERE parent_id = ${parentID} AND name_key = ${key} AND trash_id IS NULL`;
    return (await db.get(taken)) !== null;
  };
  if (!(await isTaken(0))) return name;
  let taken = 0;
  let free = 1;
  while (await isTaken(free)) {
    taken = free;
    free = free < highestNumber ? free * 2 : highestNumber + Math.floor(Math.random() * highestNumber);
  }
  if (free > highestNumber) return addNumber(name, free);
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return addNumber(name, free);
}

type NewFile = {
  directory: Directory;
  name: string;
  ownerID: number;
  content: Content | null;
  visibility?: Visibility | undefined;
};

/** The owner creates it. The caller must have checked in the same transaction that the name is free. */
export async function insertFile(tx: Queries, file: NewFile): Promise<StoredFile> {
  const { directory, name, ownerID, content, visibility } = file;
  const time = Date.now();
  const row = await tx.get<FileRow>(sql`
    INSERT INTO files (parent_id, owner_id, name, name_key, order_key, sha256, size, content_type, is_private, created_at,
      updated_at)
    VALUES (${directory.id}, ${ownerID}, ${name}, ${nameKey(name)}, ${orderKey(name, content === null)},
      ${content?.sha256 ?? null}, ${content?.size ?? 0}, ${content?.contentType ?? null}, ${flagFor(visibility)},
      ${time}, ${time})
    RETURNING ${fileColumns}`);
  const found = { ...(row as FileRow), file_path: directory.path, is_file_visible: 1 };
  const stored = toFile(found) as StoredFile;
  await tx.changed("file", [{ id: stored.id, before: null, after: { sha256: stored.sha256 } }]);
  recordActivity(tx, ownerID, "created", { ...stored, kind: "file" });
  await indexRecord(tx, "file", stored, fileTexts(stored));
  return stored;
}

export type TreeEntry = {
  id: number;
  parentID: number;
  ownerID: number;
  name: string;
  sha256: string | null;
  size: number;
  contentType: string | null;
  visibility: Visibility;
  level: number;
};

/** Up to `most` of the files and directories below a directory, ordered by level. */
export async function listTree(db: Reader, id: number, most: number): Promise<TreeEntry[]> {
  const rows = await db.all<Omit<TreeEntry, "visibility"> & { is_private: number }>(sql`
    WITH RECURSIVE tree (id, level) AS (
      SELECT id, 1 FROM files WHERE parent_id = ${id} AND trash_id IS NULL UNION ALL
      SELECT files.id, tree.level + 1 FROM tree JOIN files ON files.parent_id = tree.id AND files.trash_id IS NULL
    )
    SELECT files.id, parent_id AS "parentID", owner_id AS "ownerID", name, sha256, size, content_type AS "contentType",
      is_private, level
    FROM (SELECT id, level FROM tree LIMIT ${most}) AS below JOIN files ON files.id = below.id`);
  const entries = rows.map(({ is_private, ...entry }) => ({ ...entry, visibility: toVisibility(is_private) }));
  return entries.toSorted((one, other) => one.level - other.level);
}

/** The assignments that change a name and the columns derived from it. */
export const assignName = (name: string, isDirectory: boolean): Sql =>
  sql`name = ${name}, name_key = ${nameKey(name)}, order_key = ${orderKey(name, isDirectory)}`;

/** Indexes the name of the file for search, and returns the current file. */
export async function indexFile(tx: Queries, id: number): Promise<StoredFile> {
  const file = await getFile(tx, seesEverything, id);
  await indexRecord(tx, "file", file, fileTexts(file));
  return file;
}

/** The file keeps its id, and its previous content becomes a version. Does nothing if the content is the same. */
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
  await tx.changed("file", [{ id: file.id, before: { sha256: file.sha256 }, after: { sha256: content.sha256 } }]);
}

/** Changes only one row: everything below a directory in the trash counts as being in the trash. */
export async function trashFile(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const file = await lockFile(tx, id);
  await trash.put(tx, "file", file, { name: file.name, deletedByID });
}
