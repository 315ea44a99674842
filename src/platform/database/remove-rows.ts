import { nextTurn } from "../event-loop.ts";
import type { Database, Queries } from "./database.ts";
import { raw, sql, type Sql } from "./sql.ts";

const rowsAtOnce = 500;

/**
 * Deletes the rows that meet a condition, some in each transaction: other requests run in between. `key` identifies a row.
 * Returns how many there were.
 */
export async function removeRows(db: Database, table: string, where: Sql, key = "id"): Promise<number> {
  const columns = raw(key);
  const removeSome = (tx: Queries) =>
    tx.run(sql`
      DELETE FROM ${raw(table)} WHERE (${columns}) IN (
        SELECT ${columns} FROM ${raw(table)} WHERE ${where} LIMIT ${rowsAtOnce})`);
  // Most calls find nothing to delete. A transaction would flush the log also then.
  if (!(await db.get(sql`SELECT 1 AS one FROM ${raw(table)} WHERE ${where} LIMIT 1`))) return 0;
  let total = 0;
  for (let some = -1; some !== 0; total += some) {
    if (total > 0) await nextTurn();
    some = await db.transaction(removeSome);
  }
  return total;
}
