import type { Database, Queries, Reader } from "../database/database.ts";
import { removeRows } from "../database/remove-rows.ts";
import { sql } from "../database/sql.ts";
import type { Answer } from "./answer.ts";

const keptMs = 86_400_000;
/** A caller has at most this many keys, and this many bytes in their responses. The oldest are removed first: responses, then keys. */
const [maxKeys, maxBytes] = [5000, 4 * 1024 * 1024];
/** The limits are checked after this much was stored, and may be exceeded by as much. */
const checkedAfter = { keys: 100, bytes: 256 * 1024 };
const maxCounted = 10_000;

/** A request that has an Idempotency-Key: whose it is, its key, and a keyed hash of what it asks for. */
export type Keyed = { caller: string; ownerID: number | null; name: string; fingerprint: string };
export type KeyRow = { fingerprint: string; status: number | null; body: string | null; location: string | null };

export const findKey = (db: Pick<Reader, "get">, { caller, name }: Keyed) =>
  db.get<KeyRow>(sql`
    SELECT fingerprint, status, body, location FROM idempotency_keys
    WHERE caller = ${caller} AND name = ${name} AND expires_at > ${Date.now()}`);

/** Returns null if the key was free. Waits for a transaction that has claimed it and has not ended. */
export async function claimKey(tx: Queries, keyed: Keyed): Promise<KeyRow | null> {
  const { caller, ownerID, name, fingerprint } = keyed;
  const now = Date.now();
  const claimed = await tx.get(sql`
    INSERT INTO idempotency_keys (caller, owner_id, name, fingerprint, expires_at)
    VALUES (${caller}, ${ownerID}, ${name}, ${fingerprint}, ${now + keptMs})
    ON CONFLICT (caller, name) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
      owner_id = excluded.owner_id, status = NULL, body = NULL, location = NULL, bytes = 0
    WHERE idempotency_keys.expires_at <= ${now}
    RETURNING name`);
  if (claimed) return null;
  const row = await findKey(tx, keyed);
  // Otherwise it has expired, or was removed, since.
  return row ?? claimKey(tx, keyed);
}

/** Returns how many bytes were stored. A response that is too long is stored without its body. */
export async function storeResponse(tx: Queries, keyed: Keyed, answer: Answer | Response): Promise<number> {
  const { caller, ownerID, name } = keyed;
  const { length = 0 } = answer instanceof Response ? {} : answer.plain.body;
  const isStored = !(answer instanceof Response) && length <= maxBytes;
  const location = answer instanceof Response ? answer.headers.get("Location") : answer.plain.headers.Location;
  await tx.run(sql`
    UPDATE idempotency_keys SET status = ${answer.status}, location = ${location ?? null},
      body = ${isStored ? new TextDecoder().decode(answer.plain.body) : null},
      bytes = ${isStored && ownerID !== null ? length : 0}
    WHERE caller = ${caller} AND name = ${name}`);
  return isStored ? length : 0;
}

/** Called with what was stored; keeps what each caller has within the limits. */
export function createTrimming(): (tx: Queries, keyed: Keyed, bytes: number) => Promise<void> {
  const added = new Map<string, { keys: number; bytes: number }>();
  return async (tx, keyed, bytes) => {
    const { caller } = keyed;
    // After a start, nothing is known.
    const before = added.get(caller) ?? checkedAfter;
    const sum = { keys: before.keys + 1, bytes: before.bytes + bytes };
    const isDue = sum.keys > checkedAfter.keys || sum.bytes > checkedAfter.bytes;
    if (added.size >= maxCounted) added.clear();
    added.set(caller, isDue ? { keys: 0, bytes: 0 } : sum);
    if (isDue) await trim(tx, keyed);
  };
}

/** What was just stored stays in any case. */
async function trim(tx: Queries, { caller, name }: Keyed): Promise<void> {
  const newestFirst = sql`FROM idempotency_keys WHERE caller = ${caller} ORDER BY expires_at DESC`;
  const excess = await tx.get<{ at: number }>(sql`SELECT expires_at AS at ${newestFirst} LIMIT 1 OFFSET ${maxKeys}`);
  const olderThan = (at: number) => sql`caller = ${caller} AND expires_at <= ${at} AND name <> ${name}`;
  if (excess) await tx.run(sql`DELETE FROM idempotency_keys WHERE ${olderThan(excess.at)}`);
  const stored = await tx.get<{ bytes: number }>(
    sql`SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM idempotency_keys WHERE caller = ${caller}`,
  );
  if (!stored || stored.bytes <= maxBytes) return;
  let left = maxBytes;
  const rows = await tx.all<{ at: number; bytes: number }>(sql`SELECT expires_at AS at, bytes ${newestFirst}`);
  const oldest = rows.find(({ bytes }) => (left -= bytes) < 0);
  const older = sql`${olderThan(oldest?.at ?? 0)} AND bytes > 0`;
  await tx.run(sql`UPDATE idempotency_keys SET body = NULL, bytes = 0 WHERE ${older}`);
}

/** With the responses, which may quote what the user has. */
export const removeKeysOf = (db: Database, userID: number): Promise<number> =>
  removeRows(db, "idempotency_keys", sql`caller = ${callerOf(userID)}`, "caller, name");

export const callerOf = (userID: number): string => `user ${userID}`;

export function removeExpiredKeys(db: Database): Promise<number> {
  return removeRows(db, "idempotency_keys", sql`expires_at <= ${Date.now()}`, "caller, name");
}
