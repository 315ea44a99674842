import { root } from "../../content/files/rows.ts";
import { findFile } from "../../content/files/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { isVisibleTo } from "../../core/records/visibility.ts";
import type { Outcome } from "./import.ts";
import type { WaitingPhoto } from "./items-store.ts";

/** Longer than one step of an import takes, which waits for a picture for less time than this. */
const claimMilliseconds = 40_000;
const childrenAtOnce = 100;
const readingMilliseconds = 2000;

/** The exclusive right of the process `by` to work on an import. */
export type Claim = { id: number; by: string; ownerID: number; recursive: boolean; includesOthers: boolean };

/** Another process has claimed the import, or it was cancelled: the transaction is rolled back. */
export class LostClaim extends Error {}

/** Unfinished imports that no process is working on and that are not paused. */
export async function listUnclaimed(db: Reader, now = Date.now()): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM imports WHERE finished_at IS NULL AND claimed_until <= ${now} AND resume_at <= ${now} ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** Claims an import or extends the claim; null if it has finished or another process has claimed it. */
export async function claimImport(db: Database, id: number, by: string): Promise<Claim | null> {
  const now = Date.now();
  const row = await db.transaction((tx) =>
    tx.get<{ owner_id: number; is_recursive: number; includes_others: number }>(sql`
      UPDATE imports SET claimed_by = ${by}, claimed_until = ${now + claimMilliseconds}
      WHERE id = ${id} AND finished_at IS NULL AND (claimed_by = ${by} OR claimed_until <= ${now})
      RETURNING owner_id, is_recursive, includes_others`),
  );
  if (!row) return null;
  const { owner_id: ownerID, is_recursive: isRecursive, includes_others: includesOthers } = row;
  return { id, by, ownerID, recursive: isRecursive === 1, includesOthers: includesOthers === 1 };
}

/** Ends all claims of a process, so that others need not wait until they expire; without `by`, the claims of all processes. */
export async function releaseClaims(db: Database, by?: string): Promise<void> {
  const whose = by === undefined ? sql`` : sql`AND claimed_by = ${by}`;
  const isClaimed = sql`finished_at IS NULL AND claimed_until > 0 ${whose}`;
  // Mostly there is none, and then no transaction has to be flushed.
  if (!(await db.get(sql`SELECT 1 AS one FROM imports WHERE ${isClaimed} LIMIT 1`))) return;
  await db.transaction((tx) => tx.run(sql`UPDATE imports SET claimed_until = 0 WHERE ${isClaimed}`));
}

export type Child = {
  id: number;
  name: string;
  contentType: string | null;
  isDirectory: boolean;
};
export type Listing = { directoryID: number; children: Child[]; last: { key: string; id: number } | null };

/**
 * The next children of a directory that is not fully listed; `last` is null at its end. Null if all directories are listed.
 * The children are the directories that the importer sees, and their own files: those of others are left out, so that
 * nothing is stored of a file that is private or will be. An import that `includesOthers` has everything.
 */
export async function listNext(db: Reader, claim: Claim, importer: Caller): Promise<Listing | null> {
  const directory = await db.get<{ directory_id: number; last_key: string; last_id: number }>(sql`
    SELECT directory_id, last_key, last_id FROM import_directories
    WHERE import_id = ${claim.id} AND listed_at IS NULL ORDER BY directory_id LIMIT 1`);
  if (!directory) return null;
  const { directory_id: directoryID, last_key: lastKey, last_id: lastID } = directory;
  // It may have been made private or moved since it was found.
  const isVisible = directoryID === root.id || (await findFile(db, importer, directoryID)) !== null;
  if (!isVisible) return { directoryID, children: [], last: null };
  const isIncluded = claim.includesOthers
    ? sql`1 = 1`
    : sql`(owner_id = ${importer.id} OR (sha256 IS NULL AND ${isVisibleTo(importer, "files.")}))`;
  const rows = await db.all<ChildRow>(sql`
    SELECT id, name, content_type, order_key, CASE WHEN sha256 IS NULL THEN 1 ELSE 0 END AS is_directory,
      CASE WHEN ${isIncluded} THEN 1 ELSE 0 END AS is_included
    FROM files
    WHERE parent_id = ${directoryID} AND trash_id IS NULL AND (order_key, id) > (${lastKey}, ${lastID})
    ORDER BY order_key, id LIMIT ${childrenAtOnce}`);
  const last = rows.length < childrenAtOnce ? undefined : rows.at(-1);
  const children = rows.filter((row) => row.is_included === 1).map(toChild);
  return { directoryID, children, last: last ? { key: last.order_key, id: last.id } : null };
}

type ChildRow = {
  id: number;
  name: string;
  content_type: string | null;
  order_key: string;
  is_directory: number;
  is_included: number;
};

const toChild = (row: ChildRow): Child => ({
  id: row.id,
  name: row.name,
  contentType: row.content_type,
  isDirectory: row.is_directory === 1,
});

export type Found = { id: number; name: string; outcome: Outcome; reason: string | null };

/** Stores the files and directories of a listing. Those already stored, because they were moved, are not changed. */
export async function addFound(
  tx: Queries,
  claim: Claim,
  { directoryID, children, last }: Listing,
  files: Found[],
): Promise<void> {
  if (files.length > 0) {
    const lines = files.map(
      ({ id, name, outcome, reason }) =>
        sql`(${claim.id}, ${id}, ${name}, ${outcome}, ${reason}, ${outcome === "waiting" ? 0 : null})`,
    );
    const added = await tx.all<{ outcome: Outcome }>(sql`
      INSERT INTO import_files (import_id, file_id, name, outcome, reason, next_try_at) VALUES ${join(lines)}
      ON CONFLICT (import_id, file_id) DO NOTHING RETURNING outcome`);
    const count = (outcome: Outcome) => added.filter((row) => row.outcome === outcome).length;
    await countFiles(tx, claim, { exists: count("exists"), refused: count("refused"), waiting: count("waiting") });
  } else await countFiles(tx, claim, {});

  const directories = claim.recursive ? children.filter(({ isDirectory }) => isDirectory) : [];
  if (directories.length > 0)
    await tx.run(sql`
      INSERT INTO import_directories (import_id, directory_id)
      VALUES ${join(directories.map(({ id }) => sql`(${claim.id}, ${id})`))}
      ON CONFLICT (import_id, directory_id) DO NOTHING`);
  const reached = last ? sql`last_key = ${last.key}, last_id = ${last.id}` : sql`listed_at = ${Date.now()}`;
  await tx.run(sql`
    UPDATE import_directories SET ${reached} WHERE import_id = ${claim.id} AND directory_id = ${directoryID}`);
}

const join = (lines: Sql[]) => lines.reduce((all, line) => sql`${all}, ${line}`);

/** `details` is what the source of the import says of the photo. */
export type Waiting = { id: number; name: string; attempts: number; details: WaitingPhoto["details"] | null };

/** Files that can be tried now. */
export async function listDue(db: Reader, importID: number, limit: number): Promise<Waiting[]> {
  const rows = await db.all<Omit<Waiting, "details"> & { details: string | null }>(sql`
    SELECT file_id AS id, name, attempts, details FROM import_files
    WHERE import_id = ${importID} AND next_try_at <= ${Date.now()} ORDER BY next_try_at, file_id LIMIT ${limit}`);
  return rows.map((row) => ({ ...row, details: row.details === null ? null : JSON.parse(row.details) }));
}

/** Stores the result for a file that was waiting. */
export async function settleFile(
  tx: Queries,
  claim: Claim,
  fileID: number,
  { outcome, reason, photoID }: { outcome: Exclude<Outcome, "waiting">; reason: string | null; photoID: number | null },
): Promise<void> {
  const settled = await tx.run(sql`
    UPDATE import_files SET outcome = ${outcome}, reason = ${reason}, photo_id = ${photoID}, next_try_at = NULL
    WHERE import_id = ${claim.id} AND file_id = ${fileID} AND outcome = 'waiting'`);
  // A post may have needed its photo sooner.
  await countFiles(tx, claim, settled > 0 ? { [outcome]: 1, waiting: -1 } : {});
}

/** The file waits until `tryAt`; if that is null, it is not tried again. */
export async function postponeFile(
  tx: Queries,
  claim: Claim,
  fileID: number,
  { reason, tryAt }: { reason: string; tryAt: number | null },
): Promise<void> {
  await tx.run(sql`
    UPDATE import_files SET reason = ${reason}, next_try_at = ${tryAt}, attempts = attempts + 1
    WHERE import_id = ${claim.id} AND file_id = ${fileID}`);
  await countFiles(tx, claim, {});
}

/** Part of every write of an import: throws if the claim is lost. */
async function countFiles(tx: Queries, claim: Claim, changes: Partial<Record<Outcome, number>>): Promise<void> {
  const { imported = 0, exists = 0, refused = 0, waiting = 0 } = changes;
  const count = await tx.run(sql`
    UPDATE imports SET imported = imported + ${imported}, existing = existing + ${exists}, refused = refused + ${refused},
      waiting = waiting + ${waiting}, updated_at = ${Date.now()}
    WHERE id = ${claim.id} AND claimed_by = ${claim.by} AND finished_at IS NULL`);
  if (count === 0) throw new LostClaim();
}

/** Called when there is nothing to do now: pauses the import until its next file is due, or finishes it. */
export async function pauseOrFinish(db: Database, claim: Claim): Promise<void> {
  const next = await db.get<{ at: number | null }>(sql`
    SELECT min(next_try_at) AS at FROM import_files WHERE import_id = ${claim.id} AND next_try_at IS NOT NULL`);
  const at = next?.at ?? null;
  if (at !== null) return pauseImport(db, claim, at);
  const time = Date.now();
  const finished = await db.transaction((tx) =>
    tx.run(sql`
      UPDATE imports SET finished_at = ${time}, updated_at = ${time}
      WHERE id = ${claim.id} AND claimed_by = ${claim.by} AND finished_at IS NULL
        AND (source IS NULL OR read_at IS NOT NULL)`),
  );
  // The source is still being read, and more may come.
  if (finished === 0) await pauseImport(db, claim, time + readingMilliseconds);
}

/** No process works on the import before `until`. */
export async function pauseImport(db: Database, { id, by }: Pick<Claim, "id" | "by">, until: number): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`UPDATE imports SET resume_at = ${until}, claimed_until = 0 WHERE id = ${id} AND claimed_by = ${by}`),
  );
}
