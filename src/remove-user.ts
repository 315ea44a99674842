import { invalid } from "./errors.ts";
import type { Database, Reader } from "./platform/database/database.ts";
import { sql, type Sql } from "./platform/database/sql.ts";
import { markUnread } from "./platform/search/documents.ts";
import type { User } from "./users/user.ts";
import { deleteUser, lockUser } from "./users/store.ts";

/** Every column that refers to a user, except those of rows that are deleted with the user. */
const references = [
  ["files", "owner_id"],
  ["file_versions", "owner_id"],
  ["uploads", "owner_id"],
  ["photos", "owner_id"],
  ["imports", "owner_id"],
  ["posts", "owner_id"],
  ["comments", "owner_id"],
  ["albums", "owner_id"],
  ["trash", "owner_id"],
  ["trash", "deleted_by"],
] as const;

/** What keeps the user from being removed, such as `files: 3, trash: 1`; "" for nothing. */
export async function describeRecords(db: Reader, user: User): Promise<string> {
  const counts = new Map<string, number>();
  for (const [table, column] of references) {
    const row = await db.get<{ rows: number }>(
      sql`SELECT count(*) AS rows FROM ${word(table)} WHERE ${word(column)} = ${user.id}`,
    );
    if (row?.rows) counts.set(table, Math.max(row.rows, counts.get(table) ?? 0));
  }
  return [...counts].map(([table, count]) => `${table.replace("_", " ")}: ${count}`).join(", ");
}

/** Ends all sign-ins of the user. The records go to `heir`; without one, a user who has any is refused. */
export async function removeUser(db: Database, user: User, heir: User | null): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const records = await describeRecords(tx, user);
    if (records && !heir) throw ownsRecords(user, records);
    if (records && heir) {
      // The words that only the owner can search are indexed again.
      await markUnread(tx, "photo", sql`SELECT id FROM photos WHERE owner_id = ${user.id}`);
      for (const [table, column] of references) {
        await tx.run(sql`UPDATE ${word(table)} SET ${word(column)} = ${heir.id} WHERE ${word(column)} = ${user.id}`);
      }
    }
    await deleteUser(tx, user.id);
  });
}

export const ownsRecords = ({ username }: User, records: string) =>
  invalid(`${username} has records (${records}): give them to another account with --give-to OTHER.`);

/** The name of a table or a column, from the list above. */
const word = (name: string): Sql => ({ text: [`"${name}"`], values: [] });
