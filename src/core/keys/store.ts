import { createToken, hashToken, isToken, keyPrefix } from "../../platform/auth/link-tokens.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import { missing, Problem } from "../../platform/errors.ts";
import type { Caller, Role } from "../../platform/http/route.ts";
import type { LimitKind, Scope } from "../../platform/http/scopes.ts";
import { toISO } from "../../platform/http/times.ts";
import { lacksFactor } from "../settings/needed-factors.ts";
import { type Key, mostKeys } from "./key.ts";
import type { KeyLimits, Limited } from "./limits.ts";

export const createKey = (): string => keyPrefix + createToken();
export const isKey = (token: string): boolean => token.startsWith(keyPrefix);

type NewKey = {
  key: string;
  userID: number;
  name: string;
  scopes: Scope[];
  expiresAt: number | null;
  limit: Limited | null;
};

export async function insertKey(tx: Queries, limits: KeyLimits, added: NewKey): Promise<Key> {
  const { key, userID, name, scopes, expiresAt, limit } = added;
  const counted = await tx.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM app_keys WHERE user_id = ${userID}`);
  if ((counted?.count ?? 0) >= mostKeys)
    throw new Problem("conflict", `You have ${mostKeys} app keys. Remove one that is no longer used.`);
  const unique = JSON.stringify([...new Set(scopes)]);
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO app_keys (user_id, key_hash, name, scopes, created_at, expires_at, limit_kind, limit_id)
    VALUES (${userID}, ${hashToken(key)}, ${name}, ${unique}, ${Date.now()}, ${expiresAt}, ${limit?.kind ?? null},
      ${limit?.id ?? null})
    RETURNING id`);
  return getKey(tx, limits, userID, (row as { id: number }).id);
}

type LimitRow = { limit_kind: LimitKind | null; limit_id: number | null };

type Row = LimitRow & {
  id: number;
  name: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  used_at: number | null;
  used_from: string | null;
};

const select = (where: Sql): Sql => sql`
  SELECT id, name, scopes, created_at, expires_at, used_at, used_from, limit_kind, limit_id FROM app_keys WHERE ${where}`;

/** Newest first, also those that have expired. */
export async function listKeys(db: Reader, limits: KeyLimits, userID: number): Promise<Key[]> {
  const rows = await db.all<Row>(sql`${select(sql`user_id = ${userID}`)} ORDER BY id DESC LIMIT ${mostKeys}`);
  return toKeys(db, limits, userID, rows);
}

/** Throws if the user has no such key. */
export async function getKey(db: Reader, limits: KeyLimits, userID: number, id: number): Promise<Key> {
  const row = await db.get<Row>(select(sql`id = ${id} AND user_id = ${userID}`));
  const [key] = row ? await toKeys(db, limits, userID, [row]) : [];
  if (!key) throw missing(`app key ${id}`);
  return key;
}

export async function removeKey(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM app_keys WHERE id = ${id}`);
}

export async function removeKeysOf(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`DELETE FROM app_keys WHERE user_id = ${userID}`);
}

const month = 30 * 86_400_000;

/** Keys that expired a while ago: until then, people see in the list why a program no longer works. */
export const removeExpiredKeys = (db: Database): Promise<number> =>
  removeRows(db, "app_keys", sql`expires_at <= ${Date.now() - month}`);

async function toKeys(db: Reader, limits: KeyLimits, userID: number, rows: Row[]): Promise<Key[]> {
  const limited = rows.map(toLimited);
  const nameOf = await limits.name(
    db,
    userID,
    limited.filter((limit) => limit !== null),
  );
  return rows.map((row, index) => toKey(row, limited[index] ?? null, nameOf));
}

const toLimited = ({ limit_kind: kind, limit_id: id }: LimitRow): Limited | null =>
  kind === null ? null : { kind, id: id ?? 0 };

const toKey = (row: Row, limit: Limited | null, nameOf: (limit: Limited) => string | null): Key => ({
  id: row.id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as Scope[],
  directoryID: limit?.kind === "directory" ? limit.id : null,
  albumID: limit?.kind === "album" ? limit.id : null,
  limitedTo: limit && nameOf(limit),
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: toISO(row.expires_at),
  lastUsedAt: toISO(row.used_at),
  lastAddress: row.used_from,
});

type CallerRow = LimitRow & {
  id: number;
  username: string;
  role: Role;
  key_id: number;
  scopes: string;
  expires_at: number | null;
  used_at: number | null;
};

/** How long a use of a key is not stored again, so that reading writes nothing. */
const usedPrecision = 3_600_000;

const selectCallers = (where: Sql): Sql => sql`
  SELECT users.id, users.username, users.role, app_keys.id AS key_id, scopes, expires_at, used_at, limit_kind, limit_id
  FROM app_keys JOIN users ON users.id = app_keys.user_id
  WHERE ${where} AND ${lacksFactor} = 0 AND (expires_at IS NULL OR expires_at > ${Date.now()})`;

/** Who acts with a key, until when this is known, and whether it is time to store that it was used. */
export async function findKeyCaller(
  db: Reader,
  limits: KeyLimits,
  key: string,
): Promise<{ caller: Caller & { key: { id: number } }; expiresAt: number; usedUntil: number } | null> {
  if (!isToken(key.slice(keyPrefix.length))) return null;
  const row = await db.get<CallerRow>(selectCallers(sql`key_hash = ${hashToken(key)}`));
  if (!row) return null;
  return {
    caller: toCaller(row, limits.open),
    expiresAt: row.expires_at ?? Number.MAX_SAFE_INTEGER,
    usedUntil: (row.used_at ?? 0) + usedPrecision,
  };
}

/** Those who act with keys that are still valid, by the ids of their tokens. A key with a limit reaches nothing here. */
export async function findKeyCallers(db: Reader, tokenIDs: string[]): Promise<Caller[]> {
  const ids = tokenIDs.flatMap((one) => (one.startsWith(tokenPrefix) ? Number(one.slice(tokenPrefix.length)) : []));
  const rows = await inChunks(ids, (some) => db.all<CallerRow>(selectCallers(sql`app_keys.id IN (${list(some)})`)));
  return rows.map((row) => toCaller(row, (limit) => ({ ...limit, reach: {} })));
}

/** No session has such an id. */
const tokenPrefix = "key:";

function toCaller(row: CallerRow, open: KeyLimits["open"]) {
  const { id, username, role, key_id, scopes: words } = row;
  const scopes = JSON.parse(words) as Scope[];
  const limited = toLimited(row);
  const isCapped = role === "admin" && (!scopes.includes("admin") || limited !== null);
  return {
    id,
    username,
    role: isCapped ? ("author" as const) : role,
    tokenID: `${tokenPrefix}${key_id}`,
    key: { id: key_id, scopes },
    ...(limited && { limit: open(limited) }),
  };
}

export async function noteKeyUsed(db: Database, id: number, address: string): Promise<void> {
  const now = Date.now();
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE app_keys SET used_at = ${now}, used_from = ${address}
      WHERE id = ${id} AND (used_at IS NULL OR used_at <= ${now - usedPrecision})`),
  );
}
