import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { limitKey } from "../../platform/http/address.ts";
import { keyedHash } from "../../platform/secrets.ts";
import { type Account, toAccount, type UserRow } from "./store.ts";
import { usernameKey } from "./user.ts";

const day = 86_400_000;
const keptDays = 90;
const keptPerUser = 20;

/** The address of a request as it is stored: a keyed hash, which has a fixed length and reveals nothing. */
export const hashAddress = (secret: string, address: string): string =>
  keyedHash(secret, `address:${limitKey(address)}`);

/** `address` is a hash. Always one query, so that known and unknown names and addresses take the same time. */
export async function findAccountAt(
  db: Reader,
  name: string,
  address: string,
): Promise<{ account: Account | null; seenAt: number | null }> {
  const row = await db.get<UserRow & { seen_at: number | null }>(sql`
    SELECT id, username, role, created_at, password_hash, seen_at
    FROM users LEFT JOIN familiar_addresses ON user_id = id AND address = ${address} AND seen_at > ${oldest()}
    WHERE username_key = ${usernameKey(name)}`);
  return { account: row && toAccount(row), seenAt: row?.seen_at ?? null };
}

/** When the user last signed in from this address, which is a hash; null if that was long ago or never. */
export async function findSeenAt(db: Reader, userID: number, address: string): Promise<number | null> {
  const row = await db.get<{ seen_at: number }>(sql`
    SELECT seen_at FROM familiar_addresses
    WHERE user_id = ${userID} AND address = ${address} AND seen_at > ${oldest()}`);
  return row?.seen_at ?? null;
}

/** Stores that the user has signed in from this address, at most once a day. Keeps only the most recent addresses. */
export async function rememberAddress(
  tx: Queries,
  userID: number,
  address: string,
  seenAt: number | null,
): Promise<void> {
  const now = Date.now();
  if (seenAt !== null && seenAt > now - day) return;
  await tx.run(sql`
    INSERT INTO familiar_addresses (user_id, address, seen_at) VALUES (${userID}, ${address}, ${now})
    ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at`);
  await tx.run(sql`
    DELETE FROM familiar_addresses WHERE user_id = ${userID} AND address NOT IN (
      SELECT address FROM familiar_addresses WHERE user_id = ${userID}
      ORDER BY seen_at DESC, address LIMIT ${keptPerUser})`);
}

export function removeOldAddresses(db: Database): Promise<number> {
  return removeRows(db, "familiar_addresses", sql`seen_at <= ${oldest()}`, "user_id, address");
}

const oldest = () => Date.now() - keptDays * day;
