import { recordActivity } from "../../core/activity/record.ts";
import { missing, Problem } from "../../platform/errors.ts";
import { findFiles } from "../../content/files/store.ts";
import { findPhotos, photosAtOnce } from "../../content/photos/store.ts";
import type { Caller, Viewer } from "../../platform/http/route.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey, type Sort } from "../../platform/database/keyset.ts";
import type { Page } from "../../platform/database/lists.ts";
import { maintainedColumns } from "../../platform/database/maintained.ts";
import { mapSlices, readSlices, type Slices } from "../../platform/database/slices.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { raw, joined, joinedBy, list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Import, ImportedFile, Outcome } from "./import.ts";
import { bytesPerSecond, parseProgress, secondsLeft } from "./keep-progress.ts";
import { parsePlan } from "./plan.ts";

type ImportRow = {
  id: number;
  owner_id: number;
  is_recursive: number;
  created_at: number;
  updated_at: number;
  finished_at: number | null;
  cancelled_at: number | null;
  imported: number;
  existing: number;
  refused: number;
  waiting: number;
  path: string;
  source: string | null;
  kind: Import["kind"];
  undone_at: number | null;
  undo_at: number | null;
  read_at: number | null;
  is_dry_run: number;
  failure: string | null;
  progress: string | null;
  plan: string | null;
  needs_key: number;
};

/** The column of each count, with the outcome that it counts. */
const countColumns: Record<string, Outcome> = {
  imported: "imported",
  existing: "exists",
  refused: "refused",
  waiting: "waiting",
};
const trueCounts = Object.entries(countColumns).map(([column, outcome]) => ({
  column: raw(column),
  truth: sql`(SELECT count(*) FROM import_files WHERE import_id = imports.id AND outcome = ${outcome})`,
}));

export const importCounts = maintainedColumns("files in imports", "imports", {
  isWrong: sql`(${joinedBy(
    " OR ",
    trueCounts.map(({ column, truth }) => sql`${column} <> ${truth}`),
  )})`,
  correction: joined(trueCounts.map(({ column, truth }) => sql`${column} = ${truth}`)),
});

const columns = sql`id, owner_id, is_recursive, created_at, updated_at, finished_at, cancelled_at, imported, existing,
  refused, waiting, path, source, kind, undone_at, undo_at, read_at, is_dry_run, failure, progress, plan, needs_key`;

/** The condition of imports that the viewer sees: their own, unless these name the files of others, and all for admins. */
const isVisible = (viewer: Caller): Sql =>
  viewer.role === "admin" ? sql`1 = 1` : sql`owner_id = ${viewer.id} AND includes_others = 0`;

export const getImport = (db: Reader, viewer: Caller, id: number) => getWhere(db, id, isVisible(viewer));

async function getWhere(db: Reader, id: number, condition: Sql = sql`1 = 1`): Promise<Import> {
  const row = await db.get<ImportRow>(sql`SELECT ${columns} FROM imports WHERE id = ${id} AND ${condition}`);
  if (!row) throw missing(`import ${id}`);
  return toImport(row);
}

/** Newest first: those that the viewer sees. */
export function listImports(
  db: Reader,
  viewer: Caller,
  { origin, ...request }: KeysetRequest & { origin?: "elsewhere" | "site" | undefined },
) {
  const ofOrigin = { elsewhere: sql`source IS NOT NULL`, site: sql`source IS NULL` };
  return listByKey(db, request, {
    table: "imports",
    where: [isVisible(viewer), ...(origin ? [ofOrigin[origin]] : [])],
    atOnce: 100,
    async find(ids) {
      const rows = await db.all<ImportRow>(sql`SELECT ${columns} FROM imports WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toImport(row)]));
    },
  });
}

/** Locks the import until the transaction ends, and returns its current state. */
export async function lockImport(tx: Queries, id: number): Promise<Import> {
  await tx.get(sql`SELECT id FROM imports WHERE id = ${id} ${tx.forUpdate}`);
  return getWhere(tx, id);
}

const maxUnfinished = 5;

/** Throws if the user has enough to wait for. */
export async function checkUnfinished(tx: Queries, { id }: Caller): Promise<void> {
  await tx.lock(`imports of ${id}`);
  const rows = await tx.all<{ id: number }>(sql`
    SELECT id FROM imports WHERE owner_id = ${id} AND finished_at IS NULL ORDER BY id`);
  if (rows.length < maxUnfinished) return;
  const ids = rows.map((row) => row.id).join(", ");
  const sentence = `You have ${rows.length} unfinished imports (${ids}): wait until one has finished, or cancel one.`;
  throw new Problem("conflict", sentence);
}

type NewImport = { directoryID: number; path: string; recursive: boolean };

/** An import that an admin starts includes the files of others. */
export async function insertImport(
  tx: Queries,
  { id: ownerID, role }: Caller,
  { directoryID, path, recursive }: NewImport,
): Promise<number> {
  const time = Date.now();
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO imports (owner_id, directory_id, is_recursive, includes_others, created_at, updated_at, path)
    VALUES (${ownerID}, ${directoryID}, ${recursive ? 1 : 0}, ${role === "admin" ? 1 : 0}, ${time}, ${time}, ${path})
    RETURNING id`);
  const { id } = row as { id: number };
  await tx.run(sql`INSERT INTO import_directories (import_id, directory_id) VALUES (${id}, ${directoryID})`);
  recordActivity(tx, ownerID, "imported", { kind: "import", id, ownerID, name: path });
  return id;
}

/** Keeps the photos that were created, and what is in the trash if it was being undone. A finished import is not changed. */
export async function cancelImport(tx: Queries, id: number): Promise<Import> {
  const time = Date.now();
  await tx.run(sql`
    UPDATE imports SET cancelled_at = ${time}, finished_at = ${time}, updated_at = ${time}
    WHERE id = ${id} AND finished_at IS NULL`);
  await tx.run(sql`
    UPDATE imports SET undo_at = NULL, cancelled_at = coalesce(cancelled_at, ${time}), updated_at = ${time}
    WHERE id = ${id} AND undo_at IS NOT NULL AND undone_at IS NULL`);
  return getWhere(tx, id);
}

const fileColumns = sql`file_id, name, outcome, reason, photo_id`;

/** In the order of `listImportedFilesByKey`. */
export const byFileID: Sort = { column: "file_id", type: "integer" };

/** Ordered by file id; each with its photo as presented to `viewer`. */
export function listImportedFiles(
  db: Reader,
  { id, imported, existing, refused, left }: Import,
  viewer: Viewer,
  { offset, size, outcome }: Page & { outcome?: Outcome | undefined },
): { items: Slices<ImportedFile>; total: number } {
  const rows = readSlices<FileRow>(
    (last, count) =>
      db.all<FileRow>(sql`
        SELECT ${fileColumns} FROM import_files
        WHERE import_id = ${id} AND file_id > ${last?.file_id ?? 0} AND ${outcome ? sql`outcome = ${outcome}` : sql`1 = 1`}
        ORDER BY file_id LIMIT ${count} OFFSET ${last ? 0 : offset}`),
    { size: photosAtOnce, most: size },
  );
  const totals: Record<Outcome, number> = { imported, exists: existing, refused, waiting: left };
  return {
    items: mapSlices(rows, (some) => presentFiles(db, viewer, some)),
    total: outcome ? totals[outcome] : imported + existing + refused + left,
  };
}

/** The same by cursor. */
export function listImportedFilesByKey(
  db: Reader,
  { id }: Import,
  viewer: Viewer,
  { outcome, ...request }: KeysetRequest & { outcome?: Outcome | undefined },
) {
  return listByKey(db, request, {
    table: "import_files",
    idColumn: "file_id",
    where: [sql`import_id = ${id}`, ...(outcome ? [sql`outcome = ${outcome}`] : [])],
    atOnce: photosAtOnce,
    async find(ids) {
      const rows = await db.all<FileRow>(sql`
        SELECT ${fileColumns} FROM import_files WHERE import_id = ${id} AND file_id IN (${list(ids)})`);
      return new Map((await presentFiles(db, viewer, rows)).map((file) => [file.fileID, file]));
    },
  });
}

async function presentFiles(db: Reader, viewer: Viewer, rows: FileRow[]): Promise<ImportedFile[]> {
  const photoIDs = rows.flatMap((row) => row.photo_id ?? []);
  const photos = await findPhotos(db, viewer, photoIDs);
  const files = await findFiles(
    db,
    viewer,
    rows.map((row) => row.file_id),
  );
  return rows.map((row) => ({
    fileID: row.file_id,
    name: row.name,
    path: files.get(row.file_id)?.path ?? null,
    outcome: row.outcome,
    reason: row.reason,
    photo: photos.get(row.photo_id ?? 0) ?? null,
  }));
}

type FileRow = { file_id: number; name: string; outcome: Outcome; reason: string | null; photo_id: number | null };

/** Removes imports that finished before `before`. Those of sources stay: their items are known again, and can be undone. */
export async function removeOldImports(db: Database, before = Date.now() - 7 * 86_400_000): Promise<void> {
  await removeImports(db, sql`finished_at < ${before} AND (source IS NULL OR is_dry_run = 1)`);
}

/** One that is running ends: it does not find itself any more. */
export const removeImportsOf = (db: Database, ownerID: number) => removeImports(db, sql`owner_id = ${ownerID}`);

async function removeImports(db: Database, isRemoved: Sql): Promise<void> {
  const isOfThem = sql`import_id IN (SELECT id FROM imports WHERE ${isRemoved})`;
  await removeRows(db, "import_files", isOfThem, "import_id, file_id");
  await removeRows(db, "import_directories", isOfThem, "import_id, directory_id");
  await removeRows(db, "import_items", isOfThem, "id");
  await removeRows(db, "imports", isRemoved);
}

function toImport(row: ImportRow): Import {
  const progress = parseProgress(row.progress);
  const { added, known, changed, refused, noted, bytes, totalBytes, totalItems, seenBytes } = progress;
  const status = statusOf(row);
  const phase = status === "running" ? phaseOf(row) : "finished";
  return {
    id: row.id,
    path: row.path,
    recursive: row.is_recursive === 1,
    source: row.source,
    kind: row.kind,
    plan: parsePlan(row.plan),
    isDryRun: row.is_dry_run === 1,
    status,
    phase,
    needsKey: status === "running" && row.needs_key === 1,
    failure: row.failure,
    items: { added, known, changed, refused, noted },
    totalItems,
    bytes,
    seenBytes,
    totalBytes,
    bytesPerSecond: phase === "reading" ? bytesPerSecond(progress) : null,
    secondsLeft: { reading: secondsLeft(progress), photos: secondsOfPhotos(row), finished: null }[phase],
    imported: row.imported,
    existing: row.existing,
    refused: row.refused,
    left: row.waiting,
    ownerID: row.owner_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  };
}

function statusOf(row: ImportRow): Import["status"] {
  if (row.undone_at !== null) return "undone";
  if (row.undo_at !== null) return "undoing";
  if (row.finished_at === null) return "running";
  if (row.cancelled_at !== null) return "cancelled";
  return row.failure === null ? "finished" : "failed";
}

const phaseOf = ({ source, read_at: readAt }: ImportRow) => (source !== null && readAt === null ? "reading" : "photos");

/** As fast as so far. Photos are also made while the source is read. */
function secondsOfPhotos({ created_at: createdAt, updated_at: updatedAt, ...row }: ImportRow): number | null {
  const made = row.imported + row.existing + row.refused;
  return made === 0 ? null : Math.ceil(((updatedAt - createdAt) / 1000) * (row.waiting / made));
}
