import type { Reader } from "../../platform/database/database.ts";
import { joinedBy, raw, sql, type Sql, type Value } from "../../platform/database/sql.ts";
import type { Scope } from "./entry.ts";
import { exportedTables, type ExportedTable } from "./tables.ts";
import type { Row } from "./values.ts";

const usualRowsAtOnce = 200;

/** What is being deleted for good is not exported. */
const isKept = sql`(trash_id IS NULL OR trash_id IN (SELECT id FROM trash WHERE deleted_at > 0))`;

function conditionsOf({ columns, where, isOf }: ExportedTable, personID: number | null): Sql[] {
  return [
    ...(where ? [where] : []),
    ...(columns.includes("trash_id") ? [isKept] : []),
    ...(personID === null || isOf === null ? [] : [isOf(personID)]),
  ];
}

export function tableOf(file: string): ExportedTable {
  const found = exportedTables.find((table) => table.file === file);
  if (!found) throw new Error(`There is no data/${file}.jsonl.`);
  return found;
}

/** The rows of a table that are exported, a few at a time. `more` is a further condition. */
export async function* readRows(
  { db, personID, schema }: Scope,
  table: ExportedTable,
  more: Sql[] = [],
): AsyncGenerator<Row[]> {
  if (personID !== null && table.isOf === null) return;
  const declared = schema.tables.find(({ name }) => name === table.table);
  if (!declared) throw new Error(`No module has the table ${table.table}.`);
  const { key, rowsAtOnce = usualRowsAtOnce } = declared;
  const columns = raw(key.join(", "));
  let last: Row | null = null;
  for (;;) {
    const after: Sql[] = last ? [sql`(${columns}) > (${valuesOf(last, key)})`] : [];
    const conditions = [...conditionsOf(table, personID), ...more, ...after];
    const where = conditions.length > 0 ? sql`WHERE ${joinedBy(" AND ", conditions)}` : sql``;
    const rows: Row[] = await db.all<Row>(
      sql`SELECT * FROM ${raw(table.table)} ${where} ORDER BY ${columns} LIMIT ${rowsAtOnce}`,
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
