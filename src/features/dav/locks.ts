import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { keysAbove, pathKeyOf } from "./address.ts";
import { locked, Refusal } from "./refusal.ts";
import { findRecord } from "./resources.ts";

export type Lock = {
  token: string;
  userID: number;
  isExclusive: boolean;
  /** Also for everything below. */
  isDeep: boolean;
  seconds: number;
  expiresAt: number;
  pathKey: string;
  /** The names of the path. */
  names: string[];
  /** What the client says of itself, as XML. */
  owner: string;
  /** What was at the path when it was locked. The lock ends with it. */
  record: string;
};

/** An account can have so many locks. */
const mostLocks = 200;
/** The longest key of a path that both databases can index, and with it the longest path that can be locked. */
const maxKeyBytes = 2000;

type Row = {
  token: string;
  user_id: number;
  is_exclusive: number;
  is_deep: number;
  seconds: number;
  expires_at: number;
  path_key: string;
  path: string;
  owner: string;
  record: string;
};

const toLock = (row: Row): Lock => ({
  token: row.token,
  userID: row.user_id,
  isExclusive: row.is_exclusive === 1,
  isDeep: row.is_deep === 1,
  seconds: row.seconds,
  expiresAt: row.expires_at,
  pathKey: row.path_key,
  names: row.path.split("/").filter((name) => name !== ""),
  owner: row.owner,
  record: row.record,
});

/** `where` is a condition on rows that are found by an index. */
async function select(db: Reader, where: Sql): Promise<Lock[]> {
  const rows = await db.all<Row>(sql`
    SELECT token, user_id, is_exclusive, is_deep, seconds, expires_at, path_key, path, owner, record FROM dav_locks
    WHERE ${where} AND expires_at + 0 > ${Date.now()}`);
  return keepHeld(db, rows.map(toLock));
}

/** Without those of what was deleted, moved or renamed since: whatever has that path now is not locked. */
async function keepHeld(db: Reader, locks: Lock[]): Promise<Lock[]> {
  const records = new Map<string, string | null>();
  const held: Lock[] = [];
  for (const lock of locks) {
    const key = `${lock.userID} ${lock.pathKey}`;
    if (!records.has(key)) records.set(key, await findRecord(db, lock.userID, lock.names));
    if (records.get(key) === lock.record) held.push(lock);
  }
  return held;
}

/** The locks of these paths themselves. */
export const findLocksAt = (db: Reader, keys: string[]): Promise<Lock[]> =>
  inChunks(keys, (some) => select(db, sql`path_key IN (${list(some)})`));

/** The locks that hold for a path: its own ones, and those of directories above with all that is in them. */
export async function findLocksOn(db: Reader, names: readonly string[]): Promise<Lock[]> {
  const key = pathKeyOf(names);
  const found = await findLocksAt(db, [...keysAbove(names), key]);
  return found.filter((lock) => lock.isDeep || lock.pathKey === key);
}

/** The locks of what is below a path. */
const findLocksBelow = (db: Reader, key: string): Promise<Lock[]> =>
  select(db, sql`path_key > ${key} AND path_key < ${afterAll(key)}`);

/** All keys that begin with this one, which ends with a slash, come before it. */
const afterAll = (key: string) => `${key.slice(0, -1)}0`;

/** What a request changes. */
export type Touched = {
  names: readonly string[];
  /** Whether a name is added to the directory or taken from it. */
  isMember: boolean;
  /** Whether all below it is changed, too. */
  isTree: boolean;
};

/** Throws if somebody has locked what is changed, unless the caller has sent the token of the lock. */
export async function checkLocks(
  db: Reader,
  caller: Caller,
  tokens: ReadonlySet<string>,
  touched: Touched,
): Promise<void> {
  const { names, isMember, isTree } = touched;
  const parentKey = pathKeyOf(names.slice(0, -1));
  const key = pathKeyOf(names);
  const near = await findLocksAt(db, [...keysAbove(names), key]);
  const found = near.filter((lock) => lock.isDeep || lock.pathKey === key || (isMember && lock.pathKey === parentKey));
  if (isTree) found.push(...(await findLocksBelow(db, key)));
  const isHeld = (lock: Lock) => lock.userID === caller.id && tokens.has(lock.token);
  // Of several shared locks on one path, one is enough.
  for (const locks of Map.groupBy(found, (lock) => lock.pathKey).values()) if (!locks.some(isHeld)) throw locked();
}

type NewLock = Omit<Lock, "token" | "expiresAt" | "pathKey">;

/** Adds a lock, in the transaction that has locked the name `lockingName`. */
export async function insertLock(tx: Queries, lock: NewLock): Promise<Lock> {
  const { userID, names, isExclusive, isDeep, seconds, owner, record } = lock;
  const pathKey = pathKeyOf(names);
  if (Buffer.byteLength(pathKey) > maxKeyBytes) throw new Refusal(403, "This path is too long to be locked.");
  await tx.lock(lockingName);
  const below = isDeep ? await findLocksBelow(tx, pathKey) : [];
  const found = [...(await findLocksOn(tx, names)), ...below];
  if (found.some((other) => isExclusive || other.isExclusive))
    throw new Refusal(423, "This is locked already.", { condition: "no-conflicting-lock" });
  await tx.run(sql`DELETE FROM dav_locks WHERE user_id = ${userID} AND expires_at <= ${Date.now()}`);
  const counted = await tx.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM dav_locks WHERE user_id = ${userID}`);
  if ((counted?.count ?? 0) >= mostLocks) throw new Refusal(507, `You have ${mostLocks} locks: end one of them first.`);
  const token = `urn:uuid:${crypto.randomUUID()}`;
  const expiresAt = Date.now() + seconds * 1000;
  await tx.run(sql`
    INSERT INTO dav_locks (token, user_id, is_exclusive, is_deep, seconds, expires_at, path_key, path, owner, record)
    VALUES (${token}, ${userID}, ${isExclusive ? 1 : 0}, ${isDeep ? 1 : 0}, ${seconds}, ${expiresAt}, ${pathKey},
      ${`/${names.join("/")}`}, ${owner}, ${record})`);
  return { ...lock, token, expiresAt, pathKey };
}

/** Two requests that lock the same at the same time wait for each other. */
const lockingName = "locks of WebDAV";

/** From now on, it lasts so long. */
export async function refreshLock(tx: Queries, lock: Lock, seconds: number): Promise<Lock> {
  const expiresAt = Date.now() + seconds * 1000;
  await tx.run(sql`UPDATE dav_locks SET seconds = ${seconds}, expires_at = ${expiresAt} WHERE token = ${lock.token}`);
  return { ...lock, seconds, expiresAt };
}

export async function removeLock(tx: Queries, token: string): Promise<void> {
  await tx.run(sql`DELETE FROM dav_locks WHERE token = ${token}`);
}

/** What was at this path is gone, and its locks with it. */
export async function removeLocksOf(tx: Queries, names: readonly string[]): Promise<void> {
  const key = pathKeyOf(names);
  await tx.run(sql`DELETE FROM dav_locks WHERE path_key >= ${key} AND path_key < ${afterAll(key)}`);
}

export const removeExpiredLocks = (db: Database): Promise<number> =>
  removeRows(db, "dav_locks", sql`expires_at <= ${Date.now()}`, "token");
