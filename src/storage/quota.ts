import { invalid, type Problem } from "../errors.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";

/** What everybody who stores a file keeps to. */
export type StorageLimits = { maxUploadBytes: number; versionsKept: number; quotaBytes: number | null };

/** In bytes. `stored`: files, trash and versions. `reserved`: unfinished uploads by their length, and reservations. */
export type Usage = { username: string; stored: number; reserved: number };

/** Null for admins, who have no quota. Whoever else adds to the owner's storage waits until the transaction ends. */
export async function lockUsage(tx: Queries, ownerID: number): Promise<Usage | null> {
  await tx.get(sql`SELECT id FROM users WHERE id = ${ownerID} ${tx.forUpdate}`);
  return readUsage(tx, ownerID);
}

export function readUsage(db: Reader, ownerID: number): Promise<Usage | null> {
  return db.get<Usage>(sql`
    SELECT username, ${storedBytes} AS stored, ${reservedBytes(Date.now())} AS reserved
    FROM users WHERE id = ${ownerID} AND role <> 'admin'`);
}

const storedBytes = sql`CAST(
  (SELECT coalesce(sum(size), 0) FROM files WHERE owner_id = users.id) +
  (SELECT coalesce(sum(size), 0) FROM file_versions WHERE owner_id = users.id) AS BIGINT)`;

const reservedBytes = (now: number) => sql`CAST(
  (SELECT coalesce(sum(length), 0) FROM uploads WHERE owner_id = users.id AND file_id IS NULL) +
  (SELECT coalesce(sum(bytes), 0) FROM reservations WHERE owner_id = users.id AND expires_at > ${now}) AS BIGINT)`;

/**
 * Throws when what an owner has stored and reserved, and `moreBytes`, are more than the quota. Called in the transaction
 * that writes a row: if that is too much, nothing of it stays.
 */
export async function checkQuota(
  tx: Queries,
  quotaBytes: number | null,
  ownerID: number,
  moreBytes = 0,
): Promise<void> {
  if (quotaBytes === null) return;
  const usage = await lockUsage(tx, ownerID);
  if (!usage || usage.stored + usage.reserved + moreBytes <= quotaBytes) return;
  throw overQuota(usage, quotaBytes, moreBytes);
}

/** For an upload that had a reservation: the others were made beside it, and do not count against it. */
export async function checkStored(tx: Queries, quotaBytes: number | null, ownerID: number): Promise<void> {
  if (quotaBytes === null) return;
  const usage = await lockUsage(tx, ownerID);
  if (usage && usage.stored > quotaBytes) throw overQuota({ ...usage, reserved: 0 }, quotaBytes);
}

export function overQuota({ username, stored, reserved }: Usage, quotaBytes: number, moreBytes = 0): Problem {
  const bytes = stored + reserved + moreBytes;
  const unfinished = reserved > 0 ? ` ${reserved} of these bytes are for uploads that are not finished.` : "";
  return invalid(
    `This would bring ${username}'s storage to ${bytes} bytes, over the limit of ${quotaBytes}.${unfinished} Delete something permanently first.`,
  );
}
