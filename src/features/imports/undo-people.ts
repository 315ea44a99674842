import { isBeingRemoved, listReferences } from "../../core/users/remove.ts";
import { deleteUser, lockUser, lockUsers } from "../../core/users/store.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { readSlices } from "../../platform/database/slices.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import type { ForeignKey } from "../../platform/database/tables.ts";

const atOnce = 50;

type Person = { item: number; id: number };

/**
 * Removes the accounts that undone imports have made, without those that have a password, and those to which anything belongs. What
 * is in the trash belongs to its author: restored as somebody else's, it would be in the wrong name. A job comes back for those.
 */
export async function removePeople(db: Database, check: () => void | Promise<void> = () => {}): Promise<void> {
  const references = (await listReferences(db)).filter(({ isCascade }) => !isCascade);
  const slices = readSlices<Person>(
    (last, count) =>
      db.all<Person>(sql`
        SELECT import_items.id AS item, users.id FROM imports
        JOIN import_items ON import_items.owner_id = imports.owner_id AND import_items.source = imports.source
          AND import_items.kind = 'person' AND import_items.import_id = imports.id
        JOIN users ON users.id = import_items.record_id
        WHERE undone_at IS NOT NULL AND import_items.outcome = 'added' AND password_hash = ${noPasswordHash}
          AND import_items.id > ${last?.item ?? 0}
          AND NOT EXISTS (SELECT 1 FROM imports AS running
            WHERE running.owner_id = imports.owner_id AND running.source = imports.source AND running.finished_at IS NULL)
        ORDER BY import_items.id LIMIT ${count}`),
    { size: atOnce },
  );
  for await (const rows of slices) {
    await db.transaction(async (tx) => {
      await lockUsers(tx);
      for (const { id, item } of rows) await removeUnused(tx, { id, item, references });
    });
    await check();
  }
}

type Unused = Person & { references: ForeignKey[] };

async function removeUnused(tx: Queries, { id, item, references }: Unused): Promise<void> {
  await lockUser(tx, id);
  if (await isBeingRemoved(tx, id)) return;
  for (const { table, column } of references)
    if (await tx.get(sql`SELECT 1 AS one FROM ${raw(table)} WHERE ${raw(column)} = ${id} LIMIT 1`)) return;
  await deleteUser(tx, id);
  await tx.run(sql`UPDATE import_items SET source = NULL WHERE id = ${item}`);
}
