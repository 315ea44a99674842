import { recordActivity } from "../activity/record.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { type ForeignKey, listForeignKeys } from "../../platform/database/tables.ts";
import type { User } from "./user.ts";
import { revokeEverything } from "./sessions.ts";
import { activityOf, deleteUser, lockUser } from "./store.ts";

/** Every column that refers to a user. Rows of a key that cascades are deleted with the user. */
export async function listReferences(db: Database): Promise<ForeignKey[]> {
  return (await listForeignKeys(db)).filter(({ refersTo }) => refersTo === "users");
}

const kept = (references: ForeignKey[]) => references.filter(({ isCascade }) => !isCascade);

/** What keeps the user from being removed, such as `files: 3, trash: 1`; "" for nothing. */
export async function describeRecords(db: Database, user: User): Promise<string> {
  return countRecords(db, user, await listReferences(db));
}

async function countRecords(db: Reader, user: User, references: ForeignKey[]): Promise<string> {
  const counts = new Map<string, number>();
  for (const { table, column } of kept(references)) {
    const row = await db.get<{ rows: number }>(
      sql`SELECT count(*) AS rows FROM ${raw(table)} WHERE ${raw(column)} = ${user.id}`,
    );
    if (row?.rows) counts.set(table, Math.max(row.rows, counts.get(table) ?? 0));
  }
  return [...counts].map(([table, count]) => `${table.replace("_", " ")}: ${count}`).join(", ");
}

/** Removes a user without records, and revokes all sessions. A user who has any is refused. */
export async function removeUser(db: Database, user: User): Promise<void> {
  const references = await listReferences(db);
  await db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const records = await countRecords(tx, user, references);
    if (records) throw ownsRecords(user, records);
    await deleteUser(tx, user.id);
    recordActivity(tx, null, "removed", activityOf(user));
  });
}

/** Removes an account to which nothing belongs. Returns whether it was one. The users are locked. */
export async function removeUnused(tx: Queries, id: number, references: ForeignKey[]): Promise<boolean> {
  await lockUser(tx, id);
  if (await isBeingRemoved(tx, id)) return false;
  for (const { table, column } of kept(references))
    if (await tx.get(sql`SELECT 1 AS one FROM ${raw(table)} WHERE ${raw(column)} = ${id} LIMIT 1`)) return false;
  await deleteUser(tx, id);
  return true;
}

export const ownsRecords = ({ username }: User, records: string) =>
  invalid(
    `${username} has records (${records}): give them to another account with --give-to OTHER, or delete them with --with-everything.`,
  );

/** The records are given away, or moved to the trash of the heir, or deleted permanently. */
type Removal = { user: User; heirID: number; records: "given" | "trashed" | "erased"; removedByID: number | null };

/**
 * Begins to remove a user, who can no longer sign in or do anything; `createRemovals` does the rest. The users are locked.
 */
export async function beginRemoval(tx: Queries, { user, heirID, records, removedByID }: Removal): Promise<void> {
  if (await isBeingRemoved(tx, user.id)) {
    throw new Problem("conflict", `${user.username} is being removed already.`);
  }
  if (records !== "erased" && (heirID === user.id || (await isBeingRemoved(tx, heirID)))) {
    throw invalid("The records must go to another account, which is not being removed.", "giveTo");
  }
  const now = Date.now();
  await tx.run(sql`
    INSERT INTO user_removals (user_id, heir_id, is_trashed, is_erased, removed_by, created_at)
    VALUES (${user.id}, ${heirID}, ${Number(records === "trashed")}, ${Number(records === "erased")}, ${removedByID}, ${now})`);
  // No password is the right one: a sign-in whose password is being checked now does not open a session.
  await tx.run(sql`
    UPDATE users SET role = 'reader', password_hash = ${noPasswordHash}, updated_at = ${now} WHERE id = ${user.id}`);
  await revokeEverything(tx, user.id);
}

/**
 * Begins to remove a user with everything. Directories in which others have something, and what the user has deleted of
 * others, go to the oldest admin.
 */
export async function beginErasure(tx: Queries, user: User, removedByID: number | null): Promise<void> {
  const heir = await tx.get<{ id: number }>(sql`
    SELECT id FROM users WHERE id <> ${user.id} AND NOT EXISTS (SELECT 1 FROM user_removals WHERE user_id = users.id)
    ORDER BY CASE role WHEN 'admin' THEN 0 ELSE 1 END, id LIMIT 1`);
  await beginRemoval(tx, { user, heirID: heir?.id ?? user.id, records: "erased", removedByID });
}

export async function isBeingRemoved(db: Reader, userID: number): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM user_removals WHERE user_id = ${userID}`)) !== null;
}
