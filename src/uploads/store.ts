import { missing } from "../errors.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { patience } from "./upload.ts";

type UploadRow = {
  id: number;
  owner_id: number;
  length: number;
  received: number;
  parts: number;
  file_id: number | null;
  created_at: number;
  expires_at: number;
  metadata: string;
};

export type StoredUpload = {
  id: number;
  ownerID: number;
  length: number;
  /** How many bytes have arrived, in how many parts. */
  offset: number;
  parts: number;
  /** The file that was made of it; null as long as there is none. */
  fileID: number | null;
  createdAt: number;
  expiresAt: number;
  /** As it was sent. */
  metadata: string;
};

export type Part = { sha256: string; size: number };

const columns = sql`id, owner_id, length, received, parts, file_id, created_at, expires_at, metadata`;

/** The upload as it is now, and until the transaction ends. */
export async function lockUpload(tx: Queries, id: number): Promise<StoredUpload> {
  await tx.get(sql`SELECT id FROM uploads WHERE id = ${id} ${tx.forUpdate}`);
  return getUpload(tx, id);
}

/** One that has expired is gone, also before it is removed. */
export async function getUpload(db: Reader, id: number): Promise<StoredUpload> {
  const row = await db.get<UploadRow>(
    sql`SELECT ${columns} FROM uploads WHERE id = ${id} AND expires_at > ${Date.now()}`,
  );
  if (!row) throw missing(`upload ${id}: it may have expired`);
  return toUpload(row);
}

/** Oldest first. */
export async function listUnfinished(db: Reader, ownerID: number): Promise<StoredUpload[]> {
  const rows = await db.all<UploadRow>(sql`
    SELECT ${columns} FROM uploads
    WHERE owner_id = ${ownerID} AND file_id IS NULL AND expires_at > ${Date.now()} ORDER BY id`);
  return rows.map(toUpload);
}

export async function countUnfinished(db: Reader, ownerID: number): Promise<number> {
  const row = await db.get<{ uploads: number }>(sql`
    SELECT count(*) AS uploads FROM uploads WHERE owner_id = ${ownerID} AND file_id IS NULL`);
  return row?.uploads ?? 0;
}

export async function insertUpload(
  tx: Queries,
  { ownerID, length, metadata }: Pick<StoredUpload, "ownerID" | "length" | "metadata">,
): Promise<StoredUpload> {
  const time = Date.now();
  const row = await tx.get<UploadRow>(sql`
    INSERT INTO uploads (owner_id, length, received, parts, created_at, expires_at, metadata)
    VALUES (${ownerID}, ${length}, 0, 0, ${time}, ${time + patience}, ${metadata})
    RETURNING ${columns}`);
  return toUpload(row as UploadRow);
}

/** Adds a part at the end of what is there; null when that is no longer where the part begins. */
export async function addPart(
  tx: Queries,
  { id, offset }: StoredUpload,
  { sha256, size }: Part,
): Promise<StoredUpload | null> {
  const row = await tx.get<UploadRow>(sql`
    UPDATE uploads SET received = received + ${size}, parts = parts + 1, expires_at = ${Date.now() + patience}
    WHERE id = ${id} AND received = ${offset}
    RETURNING ${columns}`);
  if (!row) return null;
  await tx.run(sql`
    INSERT INTO upload_parts (upload_id, start, size, sha256) VALUES (${id}, ${offset}, ${size}, ${sha256})`);
  return toUpload(row);
}

/** In the order of their bytes. */
export function listParts(db: Reader, id: number): Promise<Part[]> {
  return db.all<Part>(sql`SELECT sha256, size FROM upload_parts WHERE upload_id = ${id} ORDER BY start`);
}

/** The parts are let go; the upload stays for who has missed the answer. */
export async function markFinished(tx: Queries, id: number, fileID: number): Promise<StoredUpload> {
  await tx.run(sql`DELETE FROM upload_parts WHERE upload_id = ${id}`);
  await tx.run(sql`UPDATE uploads SET file_id = ${fileID} WHERE id = ${id}`);
  return getUpload(tx, id);
}

/** The parts go first: as long as there is the upload, it is known whose they are. */
export async function removeUpload(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM upload_parts WHERE upload_id = ${id}`);
  await tx.run(sql`DELETE FROM uploads WHERE id = ${id}`);
}

/** The ids of those that have waited too long. */
export async function listExpired(db: Reader): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM uploads WHERE expires_at <= ${Date.now()} ORDER BY id`);
  return rows.map((row) => row.id);
}

function toUpload(row: UploadRow): StoredUpload {
  return {
    id: row.id,
    ownerID: row.owner_id,
    length: row.length,
    offset: row.received,
    parts: row.parts,
    fileID: row.file_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    metadata: row.metadata,
  };
}
