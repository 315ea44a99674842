import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { MeasureFreed } from "../../core/storage/reservation.ts";

const day = 86_400_000;
const rowsAtOnce = 1000;

/** Earlier content of a file. Times are in milliseconds. */
export type StoredVersion = {
  id: number;
  fileID: number;
  sha256: string;
  size: number;
  contentType: string;
  createdAt: number;
  replacedAt: number;
};

const columns = sql`id, file_id AS "fileID", sha256, size, content_type AS "contentType",
  created_at AS "createdAt", replaced_at AS "replacedAt"`;

/** Newest first. */
export function listVersions(db: Reader, fileID: number): Promise<StoredVersion[]> {
  return db.all<StoredVersion>(sql`SELECT ${columns} FROM file_versions WHERE file_id = ${fileID} ORDER BY id DESC`);
}

export function listVersionsByKey(db: Reader, fileID: number, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "file_versions",
    where: [sql`file_id = ${fileID}`],
    atOnce: rowsAtOnce,
    async find(ids) {
      const rows = await db.all<StoredVersion>(sql`SELECT ${columns} FROM file_versions WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, row]));
    },
  });
}

export async function getVersion(db: Reader, fileID: number, id: number): Promise<StoredVersion> {
  const version = await db.get<StoredVersion>(
    sql`SELECT ${columns} FROM file_versions WHERE id = ${id} AND file_id = ${fileID}`,
  );
  if (!version) throw missing(`version ${id} of file ${fileID}`);
  return version;
}

/** Adds the present content of the file, which is about to be replaced, to its versions. Only the newest `kept` stay. */
export async function keepVersion(tx: Queries, fileID: number, replacedAt: number, kept: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO file_versions (file_id, owner_id, size, created_at, replaced_at, sha256, content_type)
    SELECT id, owner_id, size, coalesce(content_at, created_at), ${replacedAt}, sha256, content_type
    FROM files WHERE id = ${fileID}`);
  await tx.run(sql`
    DELETE FROM file_versions WHERE file_id = ${fileID} AND id NOT IN (
      SELECT id FROM file_versions WHERE file_id = ${fileID} ORDER BY id DESC LIMIT ${kept})`);
}

/** How many bytes are removed when the content of the file is replaced, because only the newest `kept` versions stay. */
export async function measureRemoved(db: Reader, file: { id: number; size: number }, kept: number): Promise<number> {
  const removed = [file, ...(await listVersions(db, file.id))].slice(kept);
  return removed.reduce((bytes, { size }) => bytes + size, 0);
}

/** The same content again needs no space: an upload is not refused as long as it may turn out to be that. */
export const whenReplacing =
  (file: { id: number; size: number }, kept: number): MeasureFreed =>
  async (db, least, most) => {
    const removed = await measureRemoved(db, file, kept);
    return least <= file.size && file.size <= most ? Math.max(file.size, removed) : removed;
  };

export async function removeVersion(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM file_versions WHERE id = ${id}`);
}

/** Removes the versions that were replaced more than `days` ago. */
export function removeOldVersions(db: Database, days: number, now = Date.now()): Promise<number> {
  return removeRows(db, "file_versions", sql`replaced_at < ${now - days * day}`);
}
