import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { missing, Problem } from "../../platform/errors.ts";
import { toISO } from "../../platform/http/times.ts";
import { mostPasskeys, type Passkey } from "./passkey.ts";

export type StoredPasskey = {
  id: number;
  userID: number;
  credentialID: string;
  publicKey: string;
  userHandle: string;
  counter: number;
  transports: string[];
  site: string;
  isCopied: boolean;
};

type Row = {
  id: number;
  user_id: number;
  credential_id: string;
  public_key: string;
  user_handle: string;
  counter: number;
  transports: string;
  site: string;
  name: string;
  is_synced: number;
  created_at: number;
  used_at: number | null;
  copied_at: number | null;
};

const select = (where: Sql): Sql => sql`
  SELECT id, user_id, credential_id, public_key, user_handle, counter, transports, site, name, is_synced, created_at, used_at,
    copied_at
  FROM passkeys WHERE ${where}`;

type NewPasskey = Omit<StoredPasskey, "id" | "isCopied"> & { name: string; isSynced: boolean };

/** Throws if the user has too many, or if the passkey is known already. */
export async function insertPasskey(tx: Queries, passkey: NewPasskey): Promise<Passkey> {
  const { userID, credentialID, publicKey, userHandle, counter, transports, site, name, isSynced } = passkey;
  // Of several requests at the same time, each counts those before it.
  await tx.get(sql`SELECT id FROM users WHERE id = ${userID} ${tx.forUpdate}`);
  const { count } = (await tx.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM passkeys WHERE user_id = ${userID}`)) as { count: number };
  if (count >= mostPasskeys) {
    throw new Problem("conflict", `You have ${mostPasskeys} passkeys. Remove one that is no longer used.`);
  }
  const added = await tx.get<{ id: number }>(sql`
    INSERT INTO passkeys (user_id, credential_id, public_key, user_handle, counter, transports, site, name, is_synced,
      created_at)
    VALUES (${userID}, ${credentialID}, ${publicKey}, ${userHandle}, ${counter}, ${JSON.stringify(transports)}, ${site},
      ${name}, ${Number(isSynced)}, ${Date.now()})
    ON CONFLICT (credential_id) DO NOTHING RETURNING id`);
  if (!added) throw new Problem("conflict", "This passkey is stored already.");
  return getPasskey(tx, userID, added.id);
}

/** Newest first. */
export async function listPasskeys(db: Reader, userID: number): Promise<Passkey[]> {
  return (await selectOf(db, userID)).map(toPasskey);
}

/** With what is needed to check them. */
export async function listStored(db: Reader, userID: number): Promise<StoredPasskey[]> {
  return (await selectOf(db, userID)).map(toStored);
}

const selectOf = (db: Reader, userID: number): Promise<Row[]> =>
  db.all<Row>(sql`${select(sql`user_id = ${userID}`)} ORDER BY id DESC LIMIT ${mostPasskeys}`);

/** Throws if the user has no such passkey. */
export async function getPasskey(db: Reader, userID: number, id: number): Promise<Passkey> {
  const row = await db.get<Row>(select(sql`id = ${id} AND user_id = ${userID}`));
  if (!row) throw missing(`passkey ${id}`);
  return toPasskey(row);
}

export async function findByCredential(db: Reader, credentialID: string): Promise<StoredPasskey | null> {
  const row = await db.get<Row>(select(sql`credential_id = ${credentialID}`));
  return row && toStored(row);
}

export async function renamePasskey(tx: Queries, id: number, name: string): Promise<void> {
  await tx.run(sql`UPDATE passkeys SET name = ${name} WHERE id = ${id}`);
}

export async function removePasskey(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM passkeys WHERE id = ${id}`);
}

export const removePasskeysOf = (tx: Queries, userID: number): Promise<number> =>
  tx.run(sql`DELETE FROM passkeys WHERE user_id = ${userID}`);

/** False if it was removed, or used by another request with the same or a higher counter, since it was read. */
export async function noteUsed(tx: Queries, id: number, counter: number): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE passkeys SET counter = ${counter}, used_at = ${Date.now()}
    WHERE id = ${id} AND copied_at IS NULL AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))`);
  return changed > 0;
}

export async function markCopied(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`UPDATE passkeys SET copied_at = ${Date.now()} WHERE id = ${id} AND copied_at IS NULL`);
}

const toPasskey = (row: Row): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: toISO(row.used_at),
  isSynced: row.is_synced === 1,
  site: row.site,
  isCopied: row.copied_at !== null,
});

const toStored = (row: Row): StoredPasskey => ({
  id: row.id,
  userID: row.user_id,
  credentialID: row.credential_id,
  publicKey: row.public_key,
  userHandle: row.user_handle,
  counter: row.counter,
  transports: JSON.parse(row.transports) as string[],
  site: row.site,
  isCopied: row.copied_at !== null,
});
