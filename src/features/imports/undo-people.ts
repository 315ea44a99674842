import { giveComments } from "../../content/comments/import.ts";
import { beginRemoval, isBeingRemoved, listReferences } from "../../core/users/remove.ts";
import { deleteUser, lockUser, lockUsers, toUser, type UserRow } from "../../core/users/store.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { ForeignKey } from "../../platform/database/tables.ts";
import { raw, sql } from "../../platform/database/sql.ts";

const atOnce = 50;
const commentsAtOnce = 1000;

/**
 * Removes the accounts that an import has made, without those that have a password or something else by now. What is in the
 * trash of them goes to the importer. Returns how many.
 */
export async function removePeople(
  db: Database,
  importID: number,
  { heirID, pause }: { heirID: number; pause: () => Promise<void> },
): Promise<number> {
  const references = (await listReferences(db)).filter(({ isCascade }) => !isCascade);
  let removed = 0;
  for (let last = 0; ;) {
    const rows = await db.all<UserRow & { item: number }>(sql`
      SELECT import_items.id AS item, users.id, username, role, users.created_at, password_hash
      FROM import_items JOIN users ON users.id = import_items.record_id
      WHERE import_id = ${importID} AND outcome = 'added' AND import_items.id > ${last} AND import_items.kind = 'person'
      ORDER BY import_items.id LIMIT ${atOnce}`);
    let left = rows.filter((row) => row.password_hash === noPasswordHash);
    while (left.length > 0) {
      const results = await db.transaction((tx) => removeSome(tx, left, { heirID, references }));
      removed += results.filter((result) => result === "removed").length;
      left = left.slice(results.at(-1) === "more" ? results.length - 1 : results.length);
      if (left.length > 0) await pause();
    }
    if (rows.length < atOnce) return removed;
    last = rows.at(-1)?.item ?? last;
    await pause();
  }
}

type Removal = { heirID: number; references: ForeignKey[] };
type Result = "kept" | "removed" | "more";

/** As many as one transaction should: until the first who has written more than that. */
async function removeSome(tx: Queries, rows: UserRow[], removal: Removal): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    if (results.at(-1) === "more") break;
    results.push(await removePerson(tx, row, removal));
  }
  return results;
}

async function removePerson(tx: Queries, row: UserRow, { heirID, references }: Removal): Promise<Result> {
  const { id } = row;
  await lockUsers(tx);
  await lockUser(tx, id);
  if ((await isBeingRemoved(tx, id)) || (await hasRecords(tx, id))) return "kept";
  if (!(await giveComments(tx, id, heirID, commentsAtOnce))) return "more";
  if (!(await isReferredTo(tx, id, references))) await deleteUser(tx, id);
  // Posts in the trash take longer: a server gives them to the importer.
  else await beginRemoval(tx, { user: toUser(row), heirID, records: "given", removedByID: heirID });
  return "removed";
}

/** Whether anything of theirs is not in the trash. */
async function hasRecords(tx: Queries, id: number): Promise<boolean> {
  const live = ["posts", "photos", "albums", "files"].map(
    (table) => sql`SELECT 1 AS one FROM ${raw(table)} WHERE owner_id = ${id} AND trash_id IS NULL`,
  );
  const comments = sql`
    SELECT 1 AS one FROM comments WHERE owner_id = ${id} AND trash_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.id = comments.post_id AND posts.trash_id IS NOT NULL)`;
  for (const query of [...live, comments]) if (await tx.get(sql`${query} LIMIT 1`)) return true;
  return false;
}

async function isReferredTo(tx: Queries, id: number, references: ForeignKey[]): Promise<boolean> {
  for (const { table, column } of references)
    if (await tx.get(sql`SELECT 1 AS one FROM ${raw(table)} WHERE ${raw(column)} = ${id} LIMIT 1`)) return true;
  return false;
}
