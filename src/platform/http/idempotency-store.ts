import type { Database, Queries, Reader } from "../database/database.ts";
import { removeRows } from "../database/remove-rows.ts";
import { sql } from "../database/sql.ts";
import type { Answer } from "./answer.ts";

const keptMs = 86_400_000;
/**
 * An account has at most this many keys, and this many bytes in their responses, besides the newest one. The oldest are removed
 * first: responses, then keys.
 */
const [maxKeys, maxBytes] = [2000, 512 * 1024];
/** A longer response is not stored. */
const longestResponse = 4 * 1024 * 1024;
/** The limits are checked after this much was stored, and may be exceeded by as much. */
const checkedAfter = { keys: 100, bytes: 64 * 1024 };
const maxCounted = 10_000;

/** A request that has an Idempotency-Key: whose it is, its key, and a keyed hash of what it asks for. */
export type Keyed = { caller: string; ownerID: number | null; name: string; fingerprint: string };
export type KeyRow = { fingerprint: string; status: number; body: string | null; location: string | null };

/** Keys are committed with their responses. */
const isFree = (now: number) => sql`idempotency_keys.expires_at <= ${now}`;

export const findKey = (db: Pick<Reader, "get">, { caller, name }: Keyed) =>
  db.get<KeyRow>(sql`
    SELECT fingerprint, status, body, location FROM idempotency_keys
    WHERE caller = ${caller} AND name = ${name} AND NOT ${isFree(Date.now())}`);

/**
 * Stores the key with the response, at the end of the transaction of the request. Returns how many bytes that are, or null if
 * the key is not free. Waits for a transaction that has stored it and has not ended.
 */
export async function storeKey(tx: Queries, keyed: Keyed, answer: Answer | Response): Promise<number | null> {
  const { caller, ownerID, name, fingerprint } = keyed;
  const { location, body, bytes } = describeResponse(answer);
  const now = Date.now();
  const stored = await tx.get(sql`
    INSERT INTO idempotency_keys (caller, name, owner_id, fingerprint, expires_at, status, location, body, bytes)
    VALUES (${caller}, ${name}, ${ownerID}, ${fingerprint}, ${now + keptMs}, ${answer.status}, ${location}, ${body},
      ${ownerID === null ? 0 : bytes})
    ON CONFLICT (caller, name) DO UPDATE SET owner_id = excluded.owner_id, fingerprint = excluded.fingerprint,
      expires_at = excluded.expires_at, status = excluded.status, location = excluded.location, body = excluded.body,
      bytes = excluded.bytes
    WHERE ${isFree(now)}
    RETURNING name`);
  return stored ? bytes : null;
}

/** Stores another response for a key that has one. */
export async function replaceResponse(tx: Queries, { caller, ownerID, name }: Keyed, answer: Answer): Promise<void> {
  const { location, body, bytes } = describeResponse(answer);
  await tx.run(sql`
    UPDATE idempotency_keys SET status = ${answer.status}, location = ${location}, body = ${body},
      bytes = ${ownerID === null ? 0 : bytes}
    WHERE caller = ${caller} AND name = ${name}`);
}

/** One that is too long, or is sent while it is read, is stored without its body. */
function describeResponse(answer: Answer | Response) {
  if (answer instanceof Response) return { location: answer.headers.get("Location"), body: null, bytes: 0 };
  const { headers, body } = answer.plain;
  const isStored = body.length <= longestResponse;
  return {
    location: headers.Location ?? null,
    body: isStored ? new TextDecoder().decode(body) : null,
    bytes: isStored ? body.length : 0,
  };
}

/** Called with what was stored; keeps what each account has within the limits. */
export function createTrimming(): (tx: Queries, keyed: Keyed, bytes: number) => Promise<void> {
  const added = new Map<string, { keys: number; bytes: number }>();
  return async (tx, keyed, bytes) => {
    const account = keyed.ownerID === null ? keyed.caller : callerOf(keyed.ownerID, null);
    // After a start, nothing is known.
    const before = added.get(account) ?? checkedAfter;
    const sum = { keys: before.keys + 1, bytes: before.bytes + bytes };
    const isDue = sum.keys > checkedAfter.keys || sum.bytes > checkedAfter.bytes;
    if (added.size >= maxCounted) added.clear();
    added.set(account, isDue ? { keys: 0, bytes: 0 } : sum);
    if (isDue) await trim(tx, keyed);
  };
}

/** What was just stored stays in any case. */
async function trim(tx: Queries, { caller, ownerID, name }: Keyed): Promise<void> {
  const ofAccount = ownerID === null ? sql`caller = ${caller}` : isOfUser(ownerID);
  const newestFirst = sql`FROM idempotency_keys WHERE ${ofAccount} ORDER BY expires_at DESC`;
  const excess = await tx.get<{ at: number }>(sql`SELECT expires_at AS at ${newestFirst} LIMIT 1 OFFSET ${maxKeys}`);
  const olderThan = (at: number) =>
    sql`${ofAccount} AND expires_at <= ${at} AND NOT (caller = ${caller} AND name = ${name})`;
  if (excess) await tx.run(sql`DELETE FROM idempotency_keys WHERE ${olderThan(excess.at)}`);
  let left = maxBytes;
  const rows = await tx.all<{ at: number; bytes: number }>(sql`SELECT expires_at AS at, bytes ${newestFirst}`);
  const oldest = rows.find(({ bytes }) => (left -= bytes) < 0);
  if (!oldest) return;
  const older = sql`${olderThan(oldest.at)} AND bytes > 0`;
  await tx.run(sql`UPDATE idempotency_keys SET body = NULL, bytes = 0 WHERE ${older}`);
}

/** With the responses, which may quote what the user has. */
export function removeKeysOf(db: Database, userID: number): Promise<number> {
  return removeRows(db, "idempotency_keys", isOfUser(userID), "caller, name");
}

/** A space follows if the caller is one of the user's app keys; "!" is the next character. */
function isOfUser(userID: number) {
  const [first, end] = [callerOf(userID, null), `${callerOf(userID, null)}!`];
  return sql`caller >= ${first} AND caller < ${end}`;
}

/** With `keyID`, an app key that has requests of its own. */
export const callerOf = (userID: number, keyID: string | null): string =>
  `user ${userID}${keyID === null ? "" : ` ${keyID}`}`;

export function removeExpiredKeys(db: Database): Promise<number> {
  return removeRows(db, "idempotency_keys", sql`expires_at <= ${Date.now()}`, "caller, name");
}
