import { Database as Sqlite } from "bun:sqlite";

type Value = string | number | null;
type Row = Record<string, Value>;

type TemporaryTables = {
  index(table: string, names: string): void;
  /** A row that is there already stays, or is replaced. */
  insert(table: string, row: Row, otherwise: "IGNORE" | "REPLACE"): void;
  update(table: string, id: number, row: Row): void;
  all<Found>(query: string, ...values: Value[]): Found[];
  each<Found>(query: string): IterableIterator<Found>;
  close(): void;
};

/**
 * Tables in a new file, for what one run of a command has to remember and is more than should be in memory. Nothing in it
 * survives the run. `columns` says what each table has: `{ pages: "id INTEGER PRIMARY KEY, name TEXT" }`.
 */
export function openTemporaryTables(path: string, columns: Record<string, string>): TemporaryTables {
  const db = new Sqlite(path, { create: true });
  db.run("PRAGMA journal_mode = OFF");
  db.run("PRAGMA synchronous = OFF");
  for (const [name, definition] of Object.entries(columns)) db.run(`CREATE TABLE ${name} (${definition})`);
  // It is never committed: each commit would write to the file.
  db.run("BEGIN");
  return {
    index: (table, names) => void db.run(`CREATE INDEX ${table}_listed ON ${table} (${names})`),
    insert(table, row, otherwise) {
      const names = Object.keys(row);
      const values = names.map(() => "?").join(", ");
      db.query(`INSERT OR ${otherwise} INTO ${table} (${names.join(", ")}) VALUES (${values})`).run(
        ...Object.values(row),
      );
    },
    update(table, id, row) {
      const settings = Object.keys(row).map((name) => `${name} = ?`);
      db.query(`UPDATE ${table} SET ${settings.join(", ")} WHERE id = ?`).run(...Object.values(row), id);
    },
    all: <Found>(query: string, ...values: Value[]) => db.query<Found, Value[]>(query).all(...values),
    each: <Found>(query: string) => db.query<Found, []>(query).iterate(),
    close: () => db.close(),
  };
}
