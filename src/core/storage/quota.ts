import { Problem } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { selectStoredBytes } from "./stored-bytes.ts";

/** The limits of every upload. */
export type StorageLimits = { maxUploadBytes: number; versionsKept: number; quotaBytes: number | null };

/**
 * In bytes: all that the modules declare as stored, also in the trash; and as reserved, such as unfinished uploads, with the
 * reservations of uploads that are coming in.
 */
type Usage = { username: string; stored: number; reserved: number };

/** The owner whose storage is counted, and how much that may be; null: no limit. */
export type Quota = { ownerID: number; quotaBytes: number | null };

type Demand = {
  /** Bytes that come in addition to what is counted. */
  moreBytes?: number;
  /** Measures the bytes that will be removed in exchange, after the owner is locked. */
  measureFreed?: () => Promise<number>;
  /**
   * The bytes are stored now and were reserved before. The reservation was checked against all others when it was made, and
   * content that is replaced counts as reserved until it is off the disk: only what is stored is checked again.
   */
  isReserved?: boolean;
};

/**
 * The one rule of the quota: what an owner has stored and reserved, and `moreBytes`, must not exceed it. Returns how many
 * bytes the owner can add: Infinity for admins, who have no quota. It is called in the transaction that writes the rows:
 * when it throws, they are rolled back, and no other transaction adds to the owner's storage before this one ends.
 */
export async function checkQuota(tx: Queries, { ownerID, quotaBytes }: Quota, demand: Demand = {}): Promise<number> {
  const { moreBytes = 0, measureFreed = async () => 0, isReserved = false } = demand;
  if (quotaBytes === null) return Infinity;
  await tx.get(sql`SELECT id FROM users WHERE id = ${ownerID} ${tx.forUpdate}`);
  const usage = await readUsage(tx, ownerID);
  if (!usage) return Infinity;
  const counted = isReserved ? { ...usage, reserved: 0 } : usage;
  const free = quotaBytes - counted.stored - counted.reserved;
  const freed = await measureFreed();
  if (free >= 0 && moreBytes <= free + freed) return free + freed;
  throw overQuota(counted, quotaBytes, Math.max(0, moreBytes - freed));
}

/** Null for admins. */
export function readUsage(db: Reader, ownerID: number): Promise<Usage | null> {
  return db.get<Usage>(sql`
    SELECT username, ${selectStoredBytes} AS stored, ${reservedBytes(ownerID, Date.now())} AS reserved
    FROM users WHERE id = ${ownerID} AND role <> 'admin'`);
}

const reservedBytes = (ownerID: number, now: number) => sql`CAST(
  (SELECT coalesce(sum(bytes), 0) FROM reserved_bytes WHERE owner_id = ${ownerID}) +
  (SELECT coalesce(sum(bytes), 0) FROM reservations WHERE owner_id = ${ownerID} AND expires_at > ${now}) AS BIGINT)`;

function overQuota({ username, stored, reserved }: Usage, quotaBytes: number, moreBytes: number): Problem {
  const bytes = stored + reserved + moreBytes;
  const unfinished = reserved > 0 ? ` ${reserved} of these bytes are for uploads that are not finished.` : "";
  return new Problem(
    "quota",
    `This would bring ${username}'s storage to ${bytes} bytes, over the limit of ${quotaBytes}.${unfinished} Delete something permanently first.`,
  );
}
