import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { expiryMilliseconds } from "./upload.ts";

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
  /** The file created from the upload; null until it is finished. */
  fileID: number | null;
  createdAt: number;
  expiresAt: number;
  /** The header as the client sent it. */
  metadata: string;
};

export type Part = { sha256: string; size: number };

const columns = sql`id, owner_id, length, received, parts, file_id, created_at, expires_at, metadata`;

/** Locks the upload until the transaction ends, and returns its current state. */
export async function lockUpload(tx: Queries, id: number): Promise<StoredUpload> {
  await tx.get(sql`SELECT id FROM uploads WHERE id = ${id} ${tx.forUpdate}`);
  return readUpload(tx, id);
}

/** The upload of this caller; for admins, of anyone. For others it does not exist. */
export async function getUpload(db: Reader, caller: Caller, id: number): Promise<StoredUpload> {
  const upload = await readUpload(db, id);
  if (!isOwnerOrAdmin(caller, upload)) throw noUpload(id);
  return upload;
}

/** The current state of an upload, whoever asks. Throws if it has expired, even if it has not been removed yet. */
export async function readUpload(db: Reader, id: number): Promise<StoredUpload> {
  const row = await db.get<UploadRow>(
    sql`SELECT ${columns} FROM uploads WHERE id = ${id} AND expires_at > ${Date.now()}`,
  );
  if (!row) throw noUpload(id);
  return toUpload(row);
}

export const noUpload = (id: number) => missing(`upload ${id}: it may have expired`);

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
    VALUES (${ownerID}, ${length}, 0, 0, ${time}, ${time + expiryMilliseconds}, ${metadata})
    RETURNING ${columns}`);
  return toUpload(row as UploadRow);
}

/** Appends a part; null if the offset of the upload has changed. */
export async function addPart(
  tx: Queries,
  { id, offset }: StoredUpload,
  { sha256, size }: Part,
): Promise<StoredUpload | null> {
  const row = await tx.get<UploadRow>(sql`
    UPDATE uploads SET received = received + ${size}, parts = parts + 1, expires_at = ${Date.now() + expiryMilliseconds}
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

/** Removes the parts, but keeps the upload for a client that did not receive the response. */
export async function markFinished(tx: Queries, id: number, fileID: number): Promise<StoredUpload> {
  await tx.run(sql`DELETE FROM upload_parts WHERE upload_id = ${id}`);
  await tx.run(sql`
    UPDATE uploads SET received = length, file_id = ${fileID}, expires_at = ${Date.now() + expiryMilliseconds} WHERE id = ${id}`);
  return readUpload(tx, id);
}

/** The parts are deleted first: the owner of a part is read from its upload. */
export async function removeUpload(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM upload_parts WHERE upload_id = ${id}`);
  await tx.run(sql`DELETE FROM uploads WHERE id = ${id}`);
}

/** Those of a user, whatever their state. */
export async function removeUploadsOf(db: Database, ownerID: number): Promise<void> {
  const isTheirs = sql`upload_id IN (SELECT id FROM uploads WHERE owner_id = ${ownerID})`;
  await removeRows(db, "upload_parts", isTheirs, "upload_id, start");
  await removeRows(db, "uploads", sql`owner_id = ${ownerID}`);
}

/** The ids of all expired uploads. */
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
