import type { Database, Reader } from "../../platform/database/database.ts";
import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";

/** A part of what an owner stores, for the storage report. Several can be added up. */
export type Holding = {
  ownerID: number;
  /** A field of the report. */
  part: string;
  count: number;
  bytes: number;
  /** For files that are not in the trash: when they were uploaded, in UTC, such as `2026-06`. */
  month?: string;
};

/** What is counted by: other requests wait for a statement of SQLite, and not for one of PostgreSQL. */
export type Source = Reader & Pick<Database, "engine">;

/** Few enough for a statement of a few milliseconds, and of a tenth of a second. */
const rowsAtOnce = { sqlite: 2000, postgres: 100_000 };

/** The holdings that a column of bytes declares. If they are those of blobs, rows without one do not count. */
export async function* readDeclared(
  db: Source,
  part: string,
  { table, size, column, where }: { table: string; size: string; column: string | null; where?: string },
): AsyncGenerator<Holding[]> {
  const counts = where ?? (column ? `${column} IS NOT NULL` : "1 = 1");
  const read = (some: Sql) =>
    db.all<Omit<Holding, "part" | "month">>(sql`
      SELECT owner_id AS "ownerID", count(*) AS count, CAST(coalesce(sum(${raw(size)}), 0) AS BIGINT) AS bytes
      FROM ${raw(table)} WHERE ${raw(counts)} AND ${some} GROUP BY 1`);
  for await (const rows of readByID(db, table, read)) {
    yield rows.map((row) => ({ ...row, part }));
  }
}

/** What `read` returns for some rows of a table at a time: `some` is a condition on `id`. Other requests run in between. */
export async function* readByID<Row>(
  db: Source,
  table: string,
  read: (some: Sql) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const newest = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(table)}`);
  const size = rowsAtOnce[db.engine];
  for (let last = 0; last < (newest?.id ?? 0); last += size) {
    await nextTurn();
    yield await read(sql`id BETWEEN ${last + 1} AND ${last + size}`);
  }
}
