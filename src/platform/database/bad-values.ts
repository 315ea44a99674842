import type { Reader } from "./database.ts";
import { maxNamed, nameOf, restore, type WrongRows } from "./integrity.ts";
import type { Engine } from "./migrate.ts";
import { joined, raw, sql, type Sql, type Value } from "./sql.ts";
import type { Table } from "./tables.ts";

/** A value that no row may have in this column. */
type Bad = { column: string; where: string; what: string };

/** What fits into a date of JavaScript: another value cannot be shown. */
const latestTime = 8_640_000_000_000_000;
const rowsAtOnce = 500;

/**
 * Rows with values that the program cannot have written: times that are no dates, flags that are neither 0 nor 1, hashes that
 * are none, sizes below zero, and JSON that cannot be read. What a column holds follows from its name and from what its table
 * declares.
 */
export async function* findBadValues(db: Reader, engine: Engine, tables: Table[]): AsyncGenerator<WrongRows> {
  const columns = await listColumns(db, engine);
  for (const table of tables) {
    yield* findByConditions(db, table, listBad(table, columns.get(table.name) ?? []));
    if (table.json) yield* findBadJSON(db, table, table.json);
  }
}

function listBad({ blobs = [], bytes = [], otherHashes = [] }: Table, columns: string[]): Bad[] {
  const hashes = [...blobs.map(({ column }) => column), ...otherHashes];
  const sizes = [...blobs, ...bytes].map(({ size }) => size);
  return [
    ...columns
      .filter((column) => column.endsWith("_at"))
      .map((column) => ({
        column,
        where: `${column} NOT BETWEEN ${-latestTime} AND ${latestTime}`,
        what: "is no time",
      })),
    ...columns
      .filter((column) => column.startsWith("is_"))
      .map((column) => ({ column, where: `${column} NOT IN (0, 1)`, what: "is neither 0 nor 1" })),
    ...hashes.map((column) => ({
      column,
      where: `length(${column}) <> 64 OR ltrim(${column}, '0123456789abcdef') <> ''`,
      what: "is no SHA-256",
    })),
    ...sizes.map((column) => ({ column, where: `${column} < 0`, what: "is below zero" })),
  ];
}

/** Each table is read once, however many columns are checked; and again for each that has bad values. */
async function* findByConditions(db: Reader, { name, key }: Table, bad: Bad[]): AsyncGenerator<WrongRows> {
  if (bad.length === 0) return;
  const counts = bad.map(({ where }, index) => raw(`count(CASE WHEN ${where} THEN 1 END) AS bad${index}`));
  const found = await db.get<Record<string, number>>(sql`SELECT ${joined(counts)} FROM ${raw(name)}`);
  for (const [index, { column, where, what }] of bad.entries()) {
    const count = found?.[`bad${index}`] ?? 0;
    if (count === 0) continue;
    const rows = await db.all<Record<string, unknown>>(
      sql`SELECT ${words(key)} FROM ${raw(name)} WHERE ${raw(where)} LIMIT ${maxNamed}`,
    );
    yield describe(name, `whose ${column} ${what}`, rows.map(nameOf).toSorted(), count);
  }
}

/** The two databases do not agree on what JSON is, and the oldest PostgreSQL cannot say. */
async function* findBadJSON(db: Reader, table: Table, columns: string[]): AsyncGenerator<WrongRows> {
  const named = new Map<string, string[]>();
  for (let rows = await readSome(db, table, columns, null); rows.length > 0;) {
    for (const row of rows) {
      for (const column of columns) {
        if (isJSON(row[column] ?? null)) continue;
        const name = table.key.map((one) => row[one]).join("/");
        named.set(column, [...(named.get(column) ?? []), name]);
      }
    }
    rows = await readSome(db, table, columns, rows.at(-1) ?? null);
  }
  for (const [column, rows] of named)
    yield describe(table.name, `whose ${column} is no JSON`, rows.slice(0, maxNamed), rows.length);
}

type Row = Record<string, Value>;

function readSome(db: Reader, { name, key }: Table, columns: string[], last: Row | null): Promise<Row[]> {
  const after = joined(key.map((column) => sql`${last?.[column] ?? null}`));
  const rest = last ? sql`WHERE (${words(key)}) > (${after})` : sql``;
  return db.all<Row>(sql`
    SELECT ${words([...new Set([...key, ...columns])])} FROM ${raw(name)} ${rest}
    ORDER BY ${words(key)} LIMIT ${rowsAtOnce}`);
}

function isJSON(value: Value): boolean {
  try {
    if (value !== null) JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

const describe = (table: string, what: string, rows: string[], count: number): WrongRows => ({
  table,
  what,
  rows,
  count,
  repair: restore,
});

const words = (names: string[]): Sql => joined(names.map((name) => raw(`"${name}"`)));

async function listColumns(db: Reader, engine: Engine): Promise<Map<string, string[]>> {
  const rows = await db.all<{ table: string; column: string }>(
    engine === "sqlite"
      ? sql`
        SELECT tables.name AS "table", columns.name AS "column"
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`
      : sql`
        SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
        WHERE table_schema = current_schema()`,
  );
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return new Map([...byTable].map(([table, some]) => [table, some.map(({ column }) => column)]));
}
