import { isBeingRemoved, listReferences } from "../../core/users/remove.ts";
import { deleteUser, lockUser, lockUsers } from "../../core/users/store.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import type { ForeignKey } from "../../platform/database/tables.ts";
import { nextTurn } from "../../platform/event-loop.ts";

const atOnce = 50;

/**
 * Removes the accounts that undone imports have made, without those that have a password, and those to which anything belongs. What
 * is in the trash belongs to its author: restored as somebody else's, it would be in the wrong name. A job comes back for those.
 */
export async function removePeople(db: Database, pause: () => Promise<unknown> = nextTurn): Promise<void> {
  const references = (await listReferences(db)).filter(({ isCascade }) => !isCascade);
  for (let last = 0; ;) {
    const rows = await db.all<{ item: number; id: number }>(sql`
      SELECT import_items.id AS item, users.id FROM imports
      JOIN import_items ON import_items.owner_id = imports.owner_id AND import_items.source = imports.source
        AND import_items.kind = 'person' AND import_items.import_id = imports.id
      JOIN users ON users.id = import_items.record_id
      WHERE undone_at IS NOT NULL AND import_items.outcome = 'added' AND password_hash = ${noPasswordHash}
        AND import_items.id > ${last}
        AND NOT EXISTS (SELECT 1 FROM imports AS running
          WHERE running.owner_id = imports.owner_id AND running.source = imports.source AND running.finished_at IS NULL)
      ORDER BY import_items.id LIMIT ${atOnce}`);
    if (rows.length > 0)
      await db.transaction(async (tx) => {
        await lockUsers(tx);
        for (const { id, item } of rows) await removeUnused(tx, { id, item, references });
      });
    if (rows.length < atOnce) return;
    last = rows.at(-1)?.item ?? last;
    await pause();
  }
}

type Unused = { id: number; item: number; references: ForeignKey[] };

async function removeUnused(tx: Queries, { id, item, references }: Unused): Promise<void> {
  await lockUser(tx, id);
  if (await isBeingRemoved(tx, id)) return;
  for (const { table, column } of references)
    if (await tx.get(sql`SELECT 1 AS one FROM ${raw(table)} WHERE ${raw(column)} = ${id} LIMIT 1`)) return;
  await deleteUser(tx, id);
  await tx.run(sql`UPDATE import_items SET source = NULL WHERE id = ${item}`);
}
