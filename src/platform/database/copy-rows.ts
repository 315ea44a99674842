import type { Database, Queries, Reader } from "./database.ts";
import { continueIDs, readLastID } from "./sequences.ts";
import { joined, raw, sql, type Sql, type Value } from "./sql.ts";
import { platformTables } from "./platform-tables.ts";
import { listForeignKeys, type Schema, sortByReferences, type Table } from "./tables.ts";

type Row = Record<string, Value>;

/** A database from which is only read. */
export type Source = Reader & Pick<Database, "engine">;

const usualRowsAtOnce = 500;

/** Every table whose rows mean something to another site, after those that it refers to. */
export async function listCopiedTables(db: Source, { tables }: Pick<Schema, "tables">): Promise<Table[]> {
  const copied = [...tables, ...platformTables].filter(({ isTemporary }) => !isTemporary);
  return sortByReferences(copied, await listForeignKeys(db));
}

/** Replaces the rows of the tables in `target` by those of `source`, ids and all. `tables` are in the order of their references. */
export async function copyRows(
  source: Source,
  target: Database,
  tables: Table[],
  say: (line: string) => void,
): Promise<void> {
  for (const table of tables.toReversed()) {
    while ((await target.transaction((tx) => tx.run(deleteSome(table)))) > 0);
  }
  for (const table of tables) {
    let copied = 0;
    let rows = await readRows(source, table, null);
    while (rows.length > 0) {
      await target.transaction((tx) => tx.run(insertRows(table, rows)), { isCopy: true });
      copied += rows.length;
      say(`${table.name}: ${copied}`);
      rows = await readRows(source, table, rows.at(-1) as Row);
    }
    if (table.key[0] === "id") await continueIDs(target, table.name, await readLastID(source, table.name));
  }
}

/** The same in one transaction: others see either the rows as they were, or all the new ones. Ids go on where they were. */
export async function replaceRows(source: Source, tx: Queries, tables: Table[]): Promise<void> {
  for (const table of tables.toReversed()) while ((await tx.run(deleteSome(table))) > 0);
  for (const table of tables) {
    let rows = await readRows(source, table, null);
    while (rows.length > 0) {
      await tx.run(insertRows(table, rows));
      rows = await readRows(source, table, rows.at(-1) as Row);
    }
  }
}

export async function countRows(db: Reader, { name }: Table): Promise<number> {
  return (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${word(name)}`))?.rows ?? 0;
}

function readRows(db: Reader, { name, key, rowsAtOnce = usualRowsAtOnce }: Table, after: Row | null): Promise<Row[]> {
  const columns = words(key);
  const rest = after ? sql`WHERE (${columns}) > (${values(key.map((column) => after[column] as Value))})` : sql``;
  return db.all<Row>(sql`SELECT * FROM ${word(name)} ${rest} ORDER BY ${columns} LIMIT ${rowsAtOnce}`);
}

/** All rows have the same columns. */
export function insertRows({ name }: Pick<Table, "name">, rows: Row[]): Sql {
  const columns = Object.keys(rows[0] as Row);
  const lines = rows.map((row) => sql`(${values(columns.map((column) => row[column] as Value))})`);
  return sql`INSERT INTO ${word(name)} (${words(columns)}) VALUES ${joined(lines)}`;
}

function deleteSome({ name, key, rowsAtOnce = usualRowsAtOnce }: Table): Sql {
  const columns = words(key);
  const table = word(name);
  return sql`DELETE FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${table} LIMIT ${rowsAtOnce})`;
}

/** Names of tables and columns: ours or the database's own, never a user's. */
const word = (name: string): Sql => raw(`"${name}"`);
const words = (names: string[]): Sql => joined(names.map(word));
const values = (list: Value[]): Sql => ({ text: ["", ...Array<string>(list.length - 1).fill(", "), ""], values: list });
