import { Database as Sqlite } from "bun:sqlite";
import type { Reader } from "./database.ts";
import { listReferences, type Reference, selectBroken, selectLost } from "./integrity.ts";
import type { Salvaged } from "./salvage.ts";
import type { Columns } from "./salvage-evidence.ts";
import { joinedBy, raw, sql, type Sql } from "./sql.ts";
import { peekSqlite } from "./sqlite.ts";
import { platformTables } from "./platform-tables.ts";
import { type Schema, type Table } from "./tables.ts";

/** What was done about rows that refer to lost ones. */
export type Mended = {
  /** Rows that took the place of lost ones. */
  standIns: { table: string; row: Columns }[];
  /** Rows that refer to nothing now. */
  emptied: { table: string; column: string; row: Columns }[];
  /** Rows that mean nothing without the lost one. */
  removed: Lost[];
};

type Broken = { reference: Reference; rows: Columns[] };

/**
 * Makes every reference in a salvaged database right: a stand-in takes the place of a lost row where a table has one; otherwise
 * the reference is emptied if it may be, or its row is removed.
 */
export async function mendReferences(path: string, schema: Schema, salvaged: Salvaged[]): Promise<Mended> {
  const tables = [...schema.tables, ...platformTables];
  const mended: Mended = { standIns: [], emptied: [], removed: [] };
  const target = new Sqlite(path, { strict: true });
  target.run("PRAGMA foreign_keys = OFF");
  const mend = { target, tables, salvaged, mended, kindOf: kindsBy(schema) };
  try {
    for (const { table, lost } of salvaged) {
      for (const [id, known] of lost) addStandIn(mend, table, id, { known, child: null });
    }
    // A row that was removed may leave others that refer to it.
    for (;;) {
      const [broken, lost] = [await findBroken(path, tables), await findLost(path, schema)];
      if (broken.length + lost.length === 0) break;
      target.run("BEGIN");
      for (const one of broken) mendOne(mend, one);
      for (const one of lost) removeRow(mend, one);
      target.run("COMMIT");
    }
  } finally {
    target.close();
  }
  return mended;
}

type Mend = {
  target: Sqlite;
  tables: Table[];
  salvaged: Salvaged[];
  mended: Mended;
  kindOf: (table: string) => string | null;
};

const kindsBy =
  ({ documents }: Schema) =>
  (table: string) =>
    documents.find((one) => one.table === table)?.kind ?? null;

function findBroken(path: string, tables: Table[]): Promise<Broken[]> {
  return peekSqlite(path, async (db) => {
    const broken: Broken[] = [];
    const existing = await listExisting(db);
    for (const reference of await listReferences(db, "sqlite", tables)) {
      if (!existing.has(reference.table) || !existing.has(reference.refersTo)) continue;
      const rows = await db.all<Columns>(sql`SELECT child.* FROM ${selectBroken(reference)}`);
      if (rows.length > 0) broken.push({ reference, rows });
    }
    return broken;
  });
}

type Lost = { table: string; refersTo: string; row: Columns };

/** Rows with the kind and the id of a record that is lost. */
function findLost(path: string, { tables, documents }: Schema): Promise<Lost[]> {
  return peekSqlite(path, async (db) => {
    const lost: Lost[] = [];
    const existing = await listExisting(db);
    for (const table of tables.filter(({ name }) => existing.has(name))) {
      for (const rows of selectLost(table, documents)) {
        for (const row of await db.all<Columns>(sql`SELECT child.* FROM ${rows}`))
          lost.push({ table: table.name, refersTo: "records", row });
      }
    }
    return lost;
  });
}

function removeRow(mend: Mend, lost: Lost): void {
  if (run(mend.target, sql`DELETE FROM ${raw(lost.table)} WHERE ${isRow(mend, lost.table, lost.row)}`) > 0)
    mend.mended.removed.push(lost);
}

/** The names of all tables: a database of an earlier version does not have all that are declared. */
async function listExisting(db: Reader): Promise<Set<string>> {
  const rows = await db.all<{ name: string }>(raw("SELECT name FROM sqlite_schema"));
  return new Set(rows.map(({ name }) => name));
}

function mendOne(mend: Mend, { reference, rows }: Broken): void {
  const { table, columns, refersTo } = reference;
  const [column = ""] = columns;
  for (const row of rows) {
    const id = row[column];
    if (typeof id !== "number" || exists(mend.target, reference, row)) continue;
    const known = mend.salvaged.find((one) => one.table === refersTo)?.lost.get(id) ?? {};
    const child = { kind: mend.kindOf(table), row };
    if (addStandIn(mend, refersTo, id, { known, child })) continue;
    const isEmptied = !isRequired(mend.target, table, column);
    if (!isEmptied) {
      removeRow(mend, { table, refersTo, row });
      continue;
    }
    const emptying = sql`UPDATE ${raw(table)} SET ${raw(column)} = NULL WHERE ${isRow(mend, table, row)}`;
    if (run(mend.target, emptying) > 0) mend.mended.emptied.push({ table, column, row });
  }
}

type Clues = { known: Columns; child: { kind: string | null; row: Columns } | null };

/** Returns whether there is one now. */
function addStandIn({ target, tables, mended }: Mend, table: string, id: number, { known, child }: Clues): boolean {
  const row = tables.find(({ name }) => name === table)?.standIn?.(id, known, child);
  if (!row) return false;
  const names = joinedBy(", ", Object.keys(row).map(raw));
  const values = joinedBy(
    ", ",
    Object.values(row).map((value) => sql`${value}`),
  );
  if (run(target, sql`INSERT INTO ${raw(table)} (${names}) VALUES (${values}) ON CONFLICT DO NOTHING`) === 0)
    return false;
  mended.standIns.push({ table, row });
  return true;
}

function exists(target: Sqlite, { refersTo, columns, itsColumns }: Reference, row: Columns): boolean {
  const isSame = itsColumns.map((name, index) => sql`${raw(name)} = ${row[columns[index] as string] ?? null}`);
  const found = sql`SELECT 1 FROM ${raw(refersTo)} WHERE ${joinedBy(" AND ", isSame)}`;
  return target.prepare(found.text.join("?")).get(...found.values) !== null;
}

/** Null for a column of the key, too: a row without it could not be found. */
function isRequired(target: Sqlite, table: string, column: string): boolean {
  const found = target
    .query<{ notnull: number; pk: number }, [string, string]>(
      'SELECT "notnull", pk FROM pragma_table_info(?) WHERE name = ?',
    )
    .get(table, column);
  return !found || found.notnull === 1 || found.pk > 0;
}

function isRow({ tables }: Mend, table: string, row: Columns): Sql {
  const { key = [] } = tables.find(({ name }) => name === table) ?? {};
  return joinedBy(
    " AND ",
    key.map((name) => sql`${raw(name)} = ${row[name] ?? null}`),
  );
}

const run = (target: Sqlite, { text, values }: Sql): number => target.prepare(text.join("?")).run(...values).changes;
