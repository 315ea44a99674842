import { recordActivity } from "../activity/record.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import { Problem } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { dropSetting } from "../../platform/database/settings.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Role } from "../../platform/http/route.ts";
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
  const row = await db.get<UserRow>(sql`SELECT ${columns} FROM users WHERE username_key = ${usernameKey(name)}`);
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

export async function listUserIDs(db: Reader): Promise<number[]> {
  return (await db.all<{ id: number }>(sql`SELECT id FROM users ORDER BY id`)).map(({ id }) => id);
}

export async function hasAdmin(db: Reader): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM users WHERE role = 'admin' LIMIT 1`)) !== null;
}

/** Throws if the name, or one that looks like it, is taken. */
export async function addUser(db: Database, name: string, passwordHash: string, role: Role): Promise<User> {
  await addMissingSkeletons(db);
  return db.transaction(async (tx) => {
    await lockUsers(tx);
    return insertLocked(tx, { name, passwordHash, role, action: "created" });
  });
}

/** `action` is null for an account that comes with an import. */
type NewUser = { name: string; passwordHash: string; role: Role; action: "created" | "signedUp" | null };

/** Until the transaction ends, nobody else is added or becomes an admin: no unique key prevents names that look alike. */
export const lockUsers = (tx: Queries): Promise<void> => tx.lock("new users");

/** The users are locked. */
export async function insertLocked(tx: Queries, { name, passwordHash, role, action }: NewUser): Promise<User> {
  await checkNameIsFree(tx, name);
  const time = Date.now();
  const row = await tx.get<UserRow>(sql`
    INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
    VALUES (${name.normalize("NFC")}, ${usernameKey(name)}, ${usernameSkeleton(name)}, ${passwordHash}, ${role},
      ${time}, ${time})
    RETURNING ${columns}`);
  const user = toUser(row as UserRow);
  if (action) recordActivity(tx, action === "signedUp" ? user.id : null, action, activityOf(user));
  if (role === "admin") await dropSetting(tx, setupKeyName);
  return user;
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

/** Accounts created by versions without skeletons get one when the next account is added. */
export async function addMissingSkeletons(db: Database): Promise<void> {
  const missing = sql`SELECT id, username FROM users WHERE username_skeleton IS NULL LIMIT 100`;
  const addSome = async (tx: Queries) => {
    const rows = await tx.all<Pick<UserRow, "id" | "username">>(missing);
    for (const { id, username } of rows) {
      await tx.run(sql`UPDATE users SET username_skeleton = ${usernameSkeleton(username)} WHERE id = ${id}`);
    }
  };
  while (await db.get(missing)) await db.transaction(addSome);
}

/** The users are locked. `actorID` is null for the command line. Throws if it would leave the site without an admin. */
export async function setRole(tx: Queries, user: User, role: Role, actorID: number | null): Promise<void> {
  if (role !== "admin") await refuseLastAdmin(tx, user, actorID);
  if (role === "admin") await dropSetting(tx, setupKeyName);
  await tx.run(sql`UPDATE users SET role = ${role}, updated_at = ${Date.now()} WHERE id = ${user.id}`);
  recordActivity(tx, actorID, "roleChanged", activityOf(user));
}

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
export async function setPassword(db: Database, user: User, passwordHash: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(
      sql`UPDATE users SET password_hash = ${passwordHash}, updated_at = ${Date.now()} WHERE id = ${user.id}`,
    );
    await revokeEverything(tx, user.id);
    recordActivity(tx, null, "passwordChanged", activityOf(user));
  });
}

/** Also revokes every session of the user, and every app key unless it `keepsKeys`. */
export async function setForgottenPassword(
  tx: Queries,
  user: User,
  passwordHash: string,
  { keepsKeys }: { keepsKeys: boolean },
): Promise<void> {
  await tx.run(sql`UPDATE users SET password_hash = ${passwordHash}, updated_at = ${Date.now()} WHERE id = ${user.id}`);
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
  passwordHash: string,
  { keptTokenID, also }: { keptTokenID: string; also: (tx: Queries) => Promise<void> },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx.run(sql`
      UPDATE users SET password_hash = ${passwordHash}, updated_at = ${Date.now()}
      WHERE id = ${account.id} AND password_hash = ${account.passwordHash}`);
    if (changed === 0) return false;
    await revokeSessions(tx, account.id, keptTokenID);
    recordActivity(tx, account.id, "passwordChanged", activityOf(account));
    await also(tx);
    return true;
  });
}

export function toAccount(row: UserRow): Account {
  return { ...toUser(row), passwordHash: row.password_hash };
}

export function toUser(row: Omit<UserRow, "password_hash">): User {
  return { id: row.id, username: row.username, role: row.role, createdAt: new Date(row.created_at).toISOString() };
}
