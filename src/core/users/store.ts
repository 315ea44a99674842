import { recordActivity } from "../activity/record.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { noteMissing } from "../../platform/database/generations.ts";
import { dropSetting } from "../../platform/database/settings.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import { found } from "../../platform/database/touched-tables.ts";
import type { Role } from "../../platform/http/route.ts";
import { settlePasswordRule } from "../settings/store.ts";
import type { NewPassword } from "./new-password.ts";
import { revokeEverything, revokeSessions } from "./sessions.ts";
import { usernameSkeleton } from "./skeleton.ts";
import { nameTaken, type User, usernameKey } from "./user.ts";

/** `passwordHash` also identifies a password change: it is never the same again, even for the same password. */
export type Account = User & { passwordHash: string };

export type UserRow = { id: number; username: string; role: Role; created_at: number; password_hash: string };

/** The name of the key with which the first admin is created. It is gone as soon as there is one. */
export const setupKeyName = "setup-key";

const columns = sql`id, username, role, created_at, password_hash`;

export async function findUserByName(db: Reader, name: string): Promise<Account | null> {
  const row = await db.get<UserRow>(
    sql`SELECT ${columns} FROM ${found("users")} WHERE username_key = ${usernameKey(name)}`,
  );
  if (!row) noteMissing("users");
  return row && toAccount(row);
}

export async function findUser(db: Reader, id: number): Promise<Account | null> {
  const row = await db.get<UserRow>(sql`SELECT ${columns} FROM users WHERE id = ${id}`);
  return row && toAccount(row);
}

export async function findUsers(db: Reader, ids: number[]): Promise<Map<number, User>> {
  const rows = await inChunks(ids, (some) =>
    db.all<UserRow>(sql`SELECT ${columns} FROM users WHERE id IN (${list(some)})`),
  );
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

export async function listUsers(db: Reader): Promise<User[]> {
  return (await db.all<UserRow>(sql`SELECT ${columns} FROM users ORDER BY id`)).map(toUser);
}

export async function hasWeakPassword(db: Reader, id: number): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM users WHERE id = ${id} AND has_weak_password = 1`)) !== null;
}

export async function listUserIDs(db: Reader): Promise<number[]> {
  return (await db.all<{ id: number }>(sql`SELECT id FROM users ORDER BY id`)).map(({ id }) => id);
}

export async function hasAdmin(db: Reader): Promise<boolean> {
  const row = await db.get(sql`SELECT 1 AS found FROM ${found("users")} WHERE role = 'admin' LIMIT 1`);
  if (!row) noteMissing("users");
  return row !== null;
}

/** Throws if the name, or one that looks like it, is taken. */
export async function addUser(db: Database, name: string, password: NewPassword, role: Role): Promise<User> {
  return db.transaction(async (tx) => {
    await lockUsers(tx);
    return insertLocked(tx, { name, password, role, action: "created" });
  });
}

/** `action` is null for an account that comes with an import. */
type NewUser = { name: string; password: NewPassword; role: Role; action: "created" | "signedUp" | null };

/** For an account that nobody can sign in to before a password is set. */
export const noPassword: NewPassword = { hash: noPasswordHash, warning: null };

/** Until the transaction ends, nobody else is added or becomes an admin: no unique key prevents names that look alike. */
export const lockUsers = (tx: Queries): Promise<void> => tx.lock("new users");

/** The users are locked. */
export async function insertLocked(tx: Queries, { name, password, role, action }: NewUser): Promise<User> {
  await checkNameIsFree(tx, name);
  const time = Date.now();
  const row = await tx.get<UserRow>(sql`
    INSERT INTO users (username, username_key, username_skeleton, password_hash, has_weak_password, role, created_at,
      updated_at)
    VALUES (${name.normalize("NFC")}, ${usernameKey(name)}, ${usernameSkeleton(name)}, ${password.hash},
      ${isWeak(password)}, ${role}, ${time}, ${time})
    RETURNING ${columns}`);
  const user = toUser(row as UserRow);
  if (action) recordActivity(tx, action === "signedUp" ? user.id : null, action, activityOf(user));
  if (role === "admin") await settleAdmin(tx);
  return user;
}

/** 1 or 0. */
const isWeak = ({ warning }: NewPassword): number => Number(warning !== null);

/** The site has an admin now: it is set up. */
async function settleAdmin(tx: Queries): Promise<void> {
  await dropSetting(tx, setupKeyName);
  await settlePasswordRule(tx);
}

/** An account belongs to its user. */
export const activityOf = ({ id, username }: Pick<User, "id" | "username">) => ({
  kind: "user",
  id,
  ownerID: id,
  name: username,
});

export async function checkNameIsFree(db: Reader, name: string): Promise<void> {
  const taken = await db.get(sql`
    SELECT id FROM users
    WHERE username_key = ${usernameKey(name)} OR username_skeleton = ${usernameSkeleton(name)} LIMIT 1`);
  if (taken) throw nameTaken(name);
}

/**
 * The users are locked. `actorID` is null for the command line. Throws if it would leave the site without an admin, or if the
 * password of an admin would be weak.
 */
export async function setRole(tx: Queries, user: User, role: Role, actorID: number | null): Promise<void> {
  if (role !== "admin") await refuseLastAdmin(tx, user, actorID);
  // Users are not locked while a password is set, so that this is the statement that looks.
  const mayHaveRole = role === "admin" ? sql`has_weak_password = 0` : sql`1 = 1`;
  const changed = await tx.run(sql`
    UPDATE users SET role = ${role}, updated_at = ${Date.now()} WHERE id = ${user.id} AND ${mayHaveRole}`);
  if (changed === 0) throw needsStronger(user);
  if (role === "admin") await settleAdmin(tx);
  recordActivity(tx, actorID, "roleChanged", activityOf(user));
}

const needsStronger = ({ username }: User) =>
  invalid(
    `${username} has a password that is easy to guess, and an admin needs a strong one: ${username} has to change it first.`,
    "role",
  );

/** The users are locked. */
export async function refuseLastAdmin(tx: Queries, user: User, actorID: number | null): Promise<void> {
  if (user.role !== "admin" || (await hasOtherAdmin(tx, user.id))) return;
  const who = actorID === user.id ? "You are" : `${user.username} is`;
  throw new Problem("conflict", `${who} the only admin: make someone else an admin first.`);
}

/** A reader who cannot sign in becomes an author, if `isMade` selects a row. */
export async function promoteStandIn(tx: Queries, id: number, isMade: Sql): Promise<void> {
  await tx.run(sql`
    UPDATE users SET role = 'author'
    WHERE id = ${id} AND role = 'reader' AND password_hash = ${noPasswordHash} AND EXISTS (${isMade})`);
}

async function hasOtherAdmin(tx: Queries, id: number): Promise<boolean> {
  return (await tx.get(sql`SELECT id FROM users WHERE role = 'admin' AND id <> ${id} LIMIT 1`)) !== null;
}

/** Prevents rows that refer to the user from being added until the transaction ends. */
export async function lockUser(tx: Queries, id: number): Promise<void> {
  await tx.get(sql`SELECT id FROM users WHERE id = ${id} ${tx.forUpdate}`);
}

/** Also revokes every session of the user, who must not own any records. */
export async function deleteUser(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM users WHERE id = ${id}`);
}

/** Also revokes every session and every app key of the user. */
export async function setPassword(db: Database, user: User, password: NewPassword): Promise<void> {
  await db.transaction(async (tx) => {
    await storePassword(tx, user, password);
    await revokeEverything(tx, user.id);
    recordActivity(tx, null, "passwordChanged", activityOf(user));
  });
}

/** Also revokes every session of the user, and every app key unless it `keepsKeys`. */
export async function setForgottenPassword(
  tx: Queries,
  user: User,
  password: NewPassword,
  { keepsKeys }: { keepsKeys: boolean },
): Promise<void> {
  await storePassword(tx, user, password);
  await (keepsKeys ? revokeSessions : revokeEverything)(tx, user.id);
  recordActivity(tx, user.id, "passwordChanged", activityOf(user));
}

/**
 * Also revokes every session of the account except `keptTokenID`. `also` runs in the same transaction. Returns false, and changes nothing, if the password has
 * changed since `account` was read.
 */
export async function replacePassword(
  db: Database,
  account: Account,
  password: NewPassword,
  { keptTokenID, also }: { keptTokenID: string; also: (tx: Queries) => Promise<void> },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isCurrent = sql`password_hash = ${account.passwordHash}`;
    if (!(await storePassword(tx, account, password, isCurrent))) return false;
    await revokeSessions(tx, account.id, keptTokenID);
    recordActivity(tx, account.id, "passwordChanged", activityOf(account));
    await also(tx);
    return true;
  });
}

/** Returns false if `isCurrent` does not hold. Throws if it is weak, and the account is one of an admin by now. */
async function storePassword(
  tx: Queries,
  { id }: User,
  password: NewPassword,
  isCurrent: Sql = sql`1 = 1`,
): Promise<boolean> {
  const row = await tx.get<{ role: Role }>(sql`
    UPDATE users SET password_hash = ${password.hash}, has_weak_password = ${isWeak(password)}, updated_at = ${Date.now()}
    WHERE id = ${id} AND ${isCurrent} RETURNING role`);
  if (row?.role === "admin" && isWeak(password))
    throw invalid("Admins need a strong password: at least 8 characters, and not easy to guess.");
  return row !== null;
}

export function toAccount(row: UserRow): Account {
  return { ...toUser(row), passwordHash: row.password_hash };
}

export function toUser(row: Omit<UserRow, "password_hash">): User {
  return { id: row.id, username: row.username, role: row.role, createdAt: new Date(row.created_at).toISOString() };
}
