import { recordActivity } from "../activity/record.ts";
import { invalid } from "../errors.ts";
import type { Database, Reader } from "../platform/database/database.ts";
import { raw, sql } from "../platform/database/sql.ts";
import { type ForeignKey, listForeignKeys } from "../platform/database/tables.ts";
import { markOwnWordsUnread } from "../platform/search/documents.ts";
import type { User } from "./user.ts";
import { activityOf, deleteUser, lockUser } from "./store.ts";

/** Every column that refers to a user, except those of rows that are deleted with the user. */
async function listReferences(db: Database): Promise<ForeignKey[]> {
  return (await listForeignKeys(db)).filter(({ refersTo, isCascade }) => refersTo === "users" && !isCascade);
}

/** What keeps the user from being removed, such as `files: 3, trash: 1`; "" for nothing. */
export async function describeRecords(db: Database, user: User): Promise<string> {
  return countRecords(db, user, await listReferences(db));
}

async function countRecords(db: Reader, user: User, references: ForeignKey[]): Promise<string> {
  const counts = new Map<string, number>();
  for (const { table, column } of references) {
    const row = await db.get<{ rows: number }>(
      sql`SELECT count(*) AS rows FROM ${raw(table)} WHERE ${raw(column)} = ${user.id}`,
    );
    if (row?.rows) counts.set(table, Math.max(row.rows, counts.get(table) ?? 0));
  }
  return [...counts].map(([table, count]) => `${table.replace("_", " ")}: ${count}`).join(", ");
}

/** Ends all sign-ins of the user. The records go to `heir`; without one, a user who has any is refused. */
export async function removeUser(db: Database, user: User, heir: User | null): Promise<void> {
  const references = await listReferences(db);
  await db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const records = await countRecords(tx, user, references);
    if (records && !heir) throw ownsRecords(user, records);
    if (records && heir) {
      await markOwnWordsUnread(tx, user.id);
      for (const { table, column } of references) {
        await tx.run(sql`UPDATE ${raw(table)} SET ${raw(column)} = ${heir.id} WHERE ${raw(column)} = ${user.id}`);
      }
    }
    await deleteUser(tx, user.id);
    recordActivity(tx, null, "removed", activityOf(user));
  });
}

export const ownsRecords = ({ username }: User, records: string) =>
  invalid(`${username} has records (${records}): give them to another account with --give-to OTHER.`);
