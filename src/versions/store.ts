import { missing } from "../errors.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import type { Version } from "./version.ts";

const day = 86_400_000;
const rowsAtOnce = 1000;

type VersionRow = {
  id: number;
  file_id: number;
  size: number;
  created_at: number;
  replaced_at: number;
  sha256: string;
  content_type: string;
};

const columns = sql`id, file_id, size, created_at, replaced_at, sha256, content_type`;

/** Newest first. */
export async function listVersions(db: Reader, fileID: number): Promise<Version[]> {
  const rows = await db.all<VersionRow>(
    sql`SELECT ${columns} FROM file_versions WHERE file_id = ${fileID} ORDER BY id DESC`,
  );
  return rows.map(toVersion);
}

export async function getVersion(db: Reader, fileID: number, id: number): Promise<Version> {
  const row = await db.get<VersionRow>(
    sql`SELECT ${columns} FROM file_versions WHERE id = ${id} AND file_id = ${fileID}`,
  );
  if (!row) throw missing(`version ${id} of file ${fileID}`);
  return toVersion(row);
}

/** How many bytes go for good when the file's content is replaced, because only the newest `kept` versions stay. */
export async function measureLeaving(db: Reader, file: { id: number; size: number }, kept: number): Promise<number> {
  const leaving = [file, ...(await listVersions(db, file.id))].slice(kept);
  return leaving.reduce((bytes, { size }) => bytes + size, 0);
}

/** Makes a version of what the file holds, which is about to be replaced; only the newest `kept` stay. */
export async function keepVersion(tx: Queries, fileID: number, replacedAt: number, kept: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO file_versions (file_id, owner_id, size, created_at, replaced_at, sha256, content_type)
    SELECT id, owner_id, size, coalesce(content_at, created_at), ${replacedAt}, sha256, content_type
    FROM files WHERE id = ${fileID}`);
  await tx.run(sql`
    DELETE FROM file_versions WHERE file_id = ${fileID} AND id NOT IN (
      SELECT id FROM file_versions WHERE file_id = ${fileID} ORDER BY id DESC LIMIT ${kept})`);
}

export async function removeVersion(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM file_versions WHERE id = ${id}`);
}

/** Removes what was replaced more than `days` ago. */
export async function removeOldVersions(db: Database, days: number, now = Date.now()): Promise<void> {
  const removeSome = (tx: Queries) =>
    tx.run(sql`
      DELETE FROM file_versions WHERE id IN (
        SELECT id FROM file_versions WHERE replaced_at < ${now - days * day} LIMIT ${rowsAtOnce})`);
  while ((await db.transaction(removeSome)) > 0);
}

function toVersion(row: VersionRow): Version {
  return {
    id: row.id,
    fileID: row.file_id,
    size: row.size,
    contentType: row.content_type,
    sha256: row.sha256,
    url: `/api/v1/files/${row.file_id}/versions/${row.id}/content`,
    createdAt: new Date(row.created_at).toISOString(),
    replacedAt: new Date(row.replaced_at).toISOString(),
  };
}
