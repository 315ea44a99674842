import { Database as Sqlite } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { createTableFinder, type ReadTable, type WrittenTable } from "../../src/platform/database/touched-tables.ts";
import { numbersFrom } from "../kit/random-writes.ts";
import type { Sent } from "./observation.ts";
import type { Explained } from "./touched-tables.ts";

const trials = 5;
const rowsPerTable = 4;

/**
 * Statements that touch other rows than the response cache derives from their text (`src/platform/database/touched-rows.ts`).
 * They run on SQLite, on tables with random rows: what a statement reads must not change without the other rows of the
 * table, and what it writes must not change these.
 */
export async function findOtherRows(observations: Sent[]): Promise<Explained> {
  const distinct = new Map(observations.map((sent) => [sent.text, sent]));
  const directory = mkdtempSync(join(tmpdir(), "vitrine-rows-"));
  const file = join(directory, "vitrine.db");
  const db = await openSqlite(file, { schema: schemaOf(modules) });
  const find = await createTableFinder(db);
  await db.close();
  const connection = copyToMemory(file);
  rmSync(directory, { recursive: true, force: true });
  const claims = Array.from(distinct.values(), (sent) => ({ sent, ...find(sent.text) })).filter(({ reads, writes }) =>
    [...reads, ...writes].some(({ ids }) => ids !== null),
  );
  const wrong = new Set<string>();
  const random = numbersFrom(1);
  connection.run("PRAGMA ignore_check_constraints = ON");
  // What triggers write is derived from their text: here they would only be in the way.
  for (const trigger of list(connection, "trigger")) connection.run(`DROP TRIGGER "${trigger}"`);
  for (let trial = 0; trial < trials; trial++) {
    connection.run("PRAGMA foreign_keys = OFF");
    connection.transaction(() => fill(connection, random))();
    for (const { sent, reads } of claims) for (const read of checkable(reads)) check(sent, read, readsOthers);
    connection.run("PRAGMA foreign_keys = ON");
    for (const { sent, writes } of claims) for (const write of writes) check(sent, write, writesOthers);
  }
  connection.close();
  return { count: claims.length, wrong: [...wrong] };

  function check(
    sent: Sent,
    { table, ids }: Pick<ReadTable | WrittenTable, "table" | "ids">,
    isWrong: typeof readsOthers,
  ): void {
    if (ids === null) return;
    if (ids === "known") {
      const values = sent.values.map((value) => (Number.isSafeInteger(value) ? 1 + random(rowsPerTable) : value));
      if (readsNew({ text: printed(sent), values, table })) wrong.add(describe(sent, table));
      return;
    }
    if ("returned" in ids) {
      const values = sent.values.map((value) =>
        Number.isSafeInteger(value) && random(2) === 0 ? 1 + random(6) : value,
      );
      if (changesUnreturned({ text: printed(sent), values, table }, ids.returned)) wrong.add(describe(sent, table));
      return;
    }
    const values = sent.values.map((value, index) => (ids.includes(index) ? 1 + random(rowsPerTable) : value));
    const others = ids.map((index) => values[index]).join(", ");
    if (isWrong({ text: printed(sent), values, table, where: `id NOT IN (${others})` }))
      wrong.add(describe(sent, table));
  }

  type Claim = { text: string; values: Sent["values"]; table: string; where: string };

  function readsOthers({ text, values, table, where }: Claim): boolean {
    const before = undone(() => run(text, values));
    const after = undone(() => {
      connection.run(`DELETE FROM ${table} WHERE ${where}`);
      return run(text, values);
    });
    return before !== null && before !== after;
  }

  /** Whether a row to which nothing refers changes what the statement returns. */
  function readsNew({ text, values, table }: Omit<Claim, "where">): boolean {
    const before = undone(() => run(text, values));
    const after = undone(() => {
      addRow(connection, table, rowsPerTable + 1, random);
      return run(text, values);
    });
    // Where there was nothing, `noteMissing` is called.
    if (before === null || after === null || before === "[]") return false;
    if (!text.includes(`${table} /*found*/`)) return before !== after;
    const rowsAfter = new Set((JSON.parse(after) as unknown[]).map((row) => JSON.stringify(row)));
    return (JSON.parse(before) as unknown[]).some((row) => !rowsAfter.has(JSON.stringify(row)));
  }

  function writesOthers({ text, values, table, where }: Claim): boolean {
    const select = () => run(`SELECT * FROM ${table} WHERE ${where}`, []);
    return undone(() => {
      const before = select();
      run(text, values);
      return before !== select();
    });
  }

  /** Whether rows are added, changed or removed whose ids the statement does not return. */
  function changesUnreturned({ text, values, table }: Omit<Claim, "where">, column: string): boolean {
    const select = () => connection.query<{ id: number }, []>(`SELECT * FROM ${table}`).all();
    return undone(() => {
      const before = new Map(select().map((row) => [row.id, JSON.stringify(row)]));
      const returned = run(text, values);
      if (returned === null) return false;
      const ids = new Set((JSON.parse(returned) as Record<string, number>[]).map((row) => row[column]));
      const after = new Map(select().map((row) => [row.id, JSON.stringify(row)]));
      return [...before.keys(), ...after.keys()].some((id) => !ids.has(id) && before.get(id) !== after.get(id));
    });
  }

  function undone<Result>(work: () => Result): Result {
    connection.run("BEGIN");
    const result = work();
    if (connection.inTransaction) connection.run("ROLLBACK");
    return result;
  }

  /** Null if the statement fails, such as on a constraint. */
  function run(text: string, values: Sent["values"]): string | null {
    try {
      return JSON.stringify(connection.query(text).all(...values));
    } catch {
      return null;
    }
  }
}

/** Any change of a known row counts, so that beside these it is enough that no new row is read. Beside all rows, nothing is to be shown. */
const checkable = (reads: readonly ReadTable[]) =>
  reads.filter(({ table, ids }) => {
    const others = reads.filter((one) => one.table === table && one.ids !== ids);
    return !others.some((one) => one.ids === null || one.ids === "known");
  });

const printed = ({ text }: Sent) => text.replaceAll(/\$(\d+)/g, "?$1");
const describe = ({ text }: Sent, table: string) => `${table}: ${text.replaceAll(/\s+/g, " ").trim()}`;

function copyToMemory(file: string): Sqlite {
  using stored = new Sqlite(file);
  // The copy has no WAL, which a database in memory cannot have.
  stored.run("VACUUM INTO ?", [`${file}-copy`]);
  return Sqlite.deserialize(readFileSync(`${file}-copy`));
}

/** A few rows in every table, whose numbers and references are often the same. */
function fill(connection: Sqlite, random: (limit: number) => number): void {
  for (const table of list(connection, "table")) {
    connection.run(`DELETE FROM "${table}"`);
    for (let row = 1; row <= rowsPerTable; row++) addRow(connection, table, row, random);
  }
}

function addRow(connection: Sqlite, table: string, row: number, random: (limit: number) => number): void {
  const words = ["a", "b", "[]", "{}"];
  const columns = connection
    .query<{ name: string; type: string; pk: number }, []>(`PRAGMA table_info("${table}")`)
    .all();
  const values = columns.map(({ name, type, pk }) => {
    if (name === "id" || pk > 0) return type.includes("INT") ? row : `${row}`;
    if (name === "trash_id") return null;
    // No circles: some statements follow these.
    if (name === "parent_id") return row - 1;
    return type.includes("INT") ? random(3) : words[random(words.length)];
  });
  const places = columns.map(() => "?").join(", ");
  connection.run(`INSERT OR IGNORE INTO "${table}" VALUES (${places})`, values as (string | number | null)[]);
}

const list = (connection: Sqlite, type: string): string[] =>
  connection
    .query<{ name: string }, [string]>(
      "SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%' AND (sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE '%_index%')",
    )
    .all(type)
    .map(({ name }) => name);
