import type { Database } from "./database.ts";
import { raw, sql, type Sql } from "./sql.ts";

/** Values that are stored, although they follow from other rows. Every transaction that changes those rows updates them. */
export type Maintained = {
  /** What is counted, for people: `photos in albums`. */
  name: string;
  /** Corrects the values that are wrong, while servers may be running. Returns how many were wrong. */
  rebuild(db: Database): Promise<number>;
};

/** Values in a row of `table`: `isWrong` compares them with the truth, `correction` assigns it to them. */
export function maintainedColumns(name: string, table: string, wrong: { isWrong: Sql; correction: Sql }): Maintained {
  const { isWrong, correction } = wrong;
  const rows = raw(table);

  async function correctRow(db: Database, id: number): Promise<number> {
    return db.transaction(async (tx) => {
      // Waits for writers that have changed this row: then the next statement sees all that they count, too.
      await tx.get(sql`SELECT id FROM ${rows} WHERE id = ${id} ${tx.forUpdate}`);
      return tx.run(sql`UPDATE ${rows} SET ${correction} WHERE id = ${id} AND ${isWrong}`);
    });
  }

  return {
    name,
    async rebuild(db) {
      let corrected = 0;
      const found = await db.all<{ id: number }>(sql`SELECT id FROM ${rows} WHERE ${isWrong} ORDER BY id`);
      for (const { id } of found) corrected += await correctRow(db, id);
      return corrected;
    },
  };
}
