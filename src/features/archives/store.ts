import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { missing, Problem } from "../../platform/errors.ts";
import type { Archive } from "./archive.ts";

const keptMs = 7 * 86_400_000;

type ArchiveRow = {
  user_id: number;
  status: Exclude<Archive["status"], "none">;
  error: string | null;
  sha256: string | null;
  size: number | null;
  requested_at: number;
  completed_at: number | null;
  expires_at: number;
};

export const contentPath = "/api/v1/me/archive/content";

/** Not one that is only about to be removed. */
async function findRow(db: Reader, userID: number): Promise<ArchiveRow | null> {
  return db.get<ArchiveRow>(sql`
    SELECT user_id, status, error, sha256, size, requested_at, completed_at, expires_at FROM archives
    WHERE user_id = ${userID} AND expires_at > ${Date.now()}`);
}

export const readArchive = async (db: Reader, userID: number): Promise<Archive> => toArchive(await findRow(db, userID));

export async function getContent(db: Reader, userID: number): Promise<{ sha256: string; size: number }> {
  const { sha256 = null, size = null } = (await findRow(db, userID)) ?? {};
  if (sha256 === null || size === null) throw missing("archive of your data");
  return { sha256, size };
}

/** Asks for a new one in place of the last. */
export async function requestArchive(tx: Queries, userID: number): Promise<Archive> {
  await tx.lock(`archive of ${userID}`);
  const before = await tx.get<{ status: string }>(sql`SELECT status FROM archives WHERE user_id = ${userID}`);
  if (before?.status === "waiting") throw new Problem("conflict", "An archive of your data is being made already.");
  const time = Date.now();
  await tx.run(sql`DELETE FROM archives WHERE user_id = ${userID}`);
  await tx.run(sql`
    INSERT INTO archives (user_id, status, requested_at, expires_at)
    VALUES (${userID}, 'waiting', ${time}, ${time + keptMs})`);
  return readArchive(tx, userID);
}

export async function removeArchive(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`DELETE FROM archives WHERE user_id = ${userID}`);
}

export async function findWaiting(db: Reader): Promise<{ userID: number; username: string; at: number } | null> {
  const row = await db.get<{ user_id: number; username: string; requested_at: number }>(sql`
    SELECT archives.user_id, users.username, archives.requested_at
    FROM archives JOIN users ON users.id = archives.user_id
    WHERE archives.status = 'waiting' ORDER BY archives.requested_at LIMIT 1`);
  return row && { userID: row.user_id, username: row.username, at: row.requested_at };
}

type Made = { sha256: string; size: number } | { error: string };

/** Unless it is no longer wanted. */
export async function settleArchive(tx: Queries, { userID, at }: { userID: number; at: number }, made: Made) {
  const time = Date.now();
  const { sha256, size, error } = { sha256: null, size: null, error: null, ...made };
  await tx.run(sql`
    UPDATE archives SET status = ${error === null ? "ready" : "failed"}, sha256 = ${sha256}, size = ${size},
      error = ${error}, completed_at = ${time}, expires_at = ${time + keptMs}
    WHERE user_id = ${userID} AND requested_at = ${at} AND status = 'waiting'`);
}

export const removeExpired = (db: Database): Promise<number> =>
  removeRows(db, "archives", sql`expires_at <= ${Date.now()}`, "user_id");

const none: Archive = {
  status: "none",
  error: null,
  size: null,
  url: null,
  requestedAt: null,
  madeAt: null,
  expiresAt: null,
};

function toArchive(row: ArchiveRow | null): Archive {
  if (!row) return none;
  return {
    status: row.status,
    error: row.error,
    size: row.size,
    url: row.sha256 === null ? null : contentPath,
    requestedAt: new Date(row.requested_at).toISOString(),
    madeAt: row.completed_at === null ? null : new Date(row.completed_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}
