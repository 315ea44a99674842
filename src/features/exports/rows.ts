import type { Reader } from "../../platform/database/database.ts";
import { joinedBy, raw, sql, type Sql, type Value } from "../../platform/database/sql.ts";
import type { Scope } from "./entry.ts";
import { conditionsOf, type ExportedTable } from "./exported.ts";
import type { Row } from "./values.ts";

const usualRowsAtOnce = 200;

/** The rows of a table that are exported, a few at a time. `more` is a further condition. */
export async function* readRows(
  { db, personID }: Scope,
  table: ExportedTable,
  more: Sql[] = [],
): AsyncGenerator<Row[]> {
  const kept = conditionsOf(table, personID);
  if (!kept) return;
  const { key, rowsAtOnce = usualRowsAtOnce } = table;
  const columns = raw(key.join(", "));
  let last: Row | null = null;
  for (;;) {
    const after: Sql[] = last ? [sql`(${columns}) > (${valuesOf(last, key)})`] : [];
    const where = joinedBy(" AND ", [...kept, ...more, ...after]);
    const rows: Row[] = await db.all<Row>(
      sql`SELECT * FROM ${raw(table.name)} WHERE ${where} ORDER BY ${columns} LIMIT ${rowsAtOnce}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1) ?? null;
  }
}

const valuesOf = (row: Row, key: string[]): Sql =>
  joinedBy(
    ", ",
    key.map((column) => sql`${row[column] as Value}`),
  );

export async function findUsername(db: Reader, id: number): Promise<string | null> {
  return (await db.get<{ username: string }>(sql`SELECT username FROM users WHERE id = ${id}`))?.username ?? null;
}
