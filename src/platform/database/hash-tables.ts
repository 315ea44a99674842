import { Database as Sqlite } from "bun:sqlite";
import { createHasher } from "../hash.ts";
import { everyTable } from "./touched-tables.ts";

/** The hash of the rows of each table of a SQLite file that nobody writes to. Virtual tables have theirs in others. */
export function hashTables(path: string): Map<string, string> {
  const db = new Sqlite(path, { readonly: true });
  try {
    const tables = db
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
      )
      .all();
    return new Map(tables.map(({ name }) => [name, hashTable(db, name)]));
  } finally {
    db.close();
  }
}

function hashTable(db: Sqlite, table: string): string {
  const hasher = createHasher("sha256");
  const columns = db.query<{ name: string }, [string]>("SELECT name FROM pragma_table_xinfo(?)").all(table);
  hasher.update(JSON.stringify(columns));
  // As SQLite prints them: JavaScript cannot tell all large numbers apart.
  const values = columns.map(({ name }) => `quote(${quoteName(name)})`).join(" || ',' || ");
  const rows = db.prepare<{ row: string }, []>(`SELECT ${values} AS row FROM ${quoteName(table)}`);
  try {
    for (const { row } of rows.iterate()) hasher.update(`${row}\n`);
  } finally {
    rows.finalize();
  }
  return hasher.digest("hex");
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The hashes of those of the tables that these names are about, as `tablesOf` finds them. */
export function selectHashes(hashes: ReadonlyMap<string, string>, tables: readonly string[]): string[] {
  const isMeant = (name: string) =>
    tables.some(
      (table) => table === everyTable || table === name || (!hashes.has(table) && name.startsWith(`${table}_`)),
    );
  return [...hashes].filter(([name]) => isMeant(name)).map(([name, hash]) => `${name} ${hash}`);
}
