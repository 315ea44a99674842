import type { Database, Reader } from "./database.ts";
import { sql } from "./sql.ts";

/** The highest id that a table has ever assigned, even if its record was deleted. */
export async function readLastID(db: Reader & Pick<Database, "engine">, table: string): Promise<number> {
  const row = await (db.engine === "sqlite" ? readSqlite(db, table) : readPostgres(db, table));
  return row?.last ?? 0;
}

/** From now on the table assigns ids higher than `last`. */
export async function continueIDs(db: Database, table: string, last: number): Promise<void> {
  await db.transaction(async (tx) => {
    if (db.engine === "postgres") {
      await tx.get(
        sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${Math.max(last, 1)}, ${last > 0 ? 1 : 0} = 1)`,
      );
      return;
    }
    await tx.run(sql`DELETE FROM sqlite_sequence WHERE name = ${table}`);
    await tx.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`);
  });
}

const readSqlite = (db: Reader, table: string) =>
  db.get<{ last: number }>(sql`SELECT seq AS last FROM sqlite_sequence WHERE name = ${table}`);

const readPostgres = (db: Reader, table: string) =>
  db.get<{ last: number }>(
    sql`SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0) AS last`,
  );
