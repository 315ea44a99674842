import { SQL } from "bun";
import { Database as Sqlite } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { createTableFinder, everyTable } from "../../src/platform/database/touched-tables.ts";
import { makeMigratedDatabase } from "../kit/engine.ts";
import type { Engine, Sent } from "./observation.ts";

type Tables = { reads: Iterable<string>; writes: Iterable<string> };

/** The tables that a statement opens, according to the engine. Null if it is not a statement on these tables. */
type Explain = (sent: Sent) => Promise<Tables | null>;

export type Explained = { count: number; wrong: string[] };

/**
 * Statements for which the response cache does not know every table that they touch: `src/platform/database/touched-tables.ts`
 * derives the tables from the text, and `EXPLAIN` says which ones the engine opens.
 */
export async function findUnknownTables(engine: Engine, observations: Sent[]): Promise<Explained> {
  const distinct = new Map(
    observations.filter((sent) => sent.engine === engine && !isForEveryTable(sent)).map((sent) => [sent.text, sent]),
  );
  if (distinct.size === 0) return { count: 0, wrong: [] };
  const wrong: string[] = [];
  let count = 0;
  await using opened = await (engine === "sqlite" ? explainSqlite() : explainPostgres());
  const find = await createTableFinder(opened.db);
  for (const sent of distinct.values()) {
    const actual = await opened.explain(sent);
    if (!actual) continue;
    count++;
    const derived = find(sent.text);
    for (const kind of ["reads", "writes"] as const) {
      const known = new Set(derived[kind].map(({ table }) => table.split(" ", 1)[0]));
      const unknown = [...new Set(actual[kind])].filter((table) => !known.has(table) && !known.has(everyTable));
      if (unknown.length > 0) wrong.push(`${kind} ${unknown.join(", ")}: ${sent.text.replaceAll(/\s+/g, " ").trim()}`);
    }
  }
  return { count, wrong };
}

/** A statement that is no query counts as one that touches every table. */
const isForEveryTable = ({ text }: Sent) => !/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text);

type Opened = { db: Database; explain: Explain; [Symbol.asyncDispose](): Promise<void> };

/**
 * Cursors are opened on root pages, of tables and of their indexes. What triggers and foreign keys do comes after the
 * statement itself, as programs of their own; what these only read does not change the result of the statement. Virtual
 * tables, such as those of full-text search, are not shown.
 */
async function explainSqlite(): Promise<Opened> {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-explain-"));
  const file = join(directory, "vitrine.db");
  const db = await openSqlite(file, { schema: schemaOf(modules) });
  const connection = new Sqlite(file);
  const pages = connection
    .query<{ rootpage: number; tbl_name: string }, []>("SELECT rootpage, tbl_name FROM sqlite_schema")
    .all();
  const tableOf = new Map(pages.map(({ rootpage, tbl_name }) => [rootpage, tbl_name]));
  const referenced = listReferences(connection);
  return {
    db,
    async explain({ text }) {
      const steps = explained(connection, text);
      if (!steps) return null;
      const reads = new Set<string>();
      const writes = new Set<string>();
      let isMain = true;
      steps.forEach(({ opcode, addr, p1, p2, p3 }, index) => {
        isMain &&= index === 0 || addr > (steps[index - 1]?.addr ?? 0);
        const table = tableOf.get(opcode === "Clear" ? p1 : p2);
        if (table === undefined || table === ownTable || (opcode !== "Clear" && p3 !== 0)) return;
        if (opcode === "OpenWrite" || opcode === "Clear") writes.add(table);
        if (opcode === "OpenRead" && isMain) reads.add(table);
      });
      // Rows that refer to a written one, or to which it refers, are looked up to keep the foreign keys.
      for (const table of writes) for (const other of referenced.get(table) ?? []) reads.delete(other);
      return { reads, writes };
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await db.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Where SQLite keeps the last id of each table. */
const ownTable = "sqlite_sequence";

type Step = { addr: number; opcode: string; p1: number; p2: number; p3: number };

/** Null if the tables of the statement do not exist here: some tests, and migrations, use others. */
function explained(connection: Sqlite, text: string): Step[] | null {
  try {
    return connection.query<Step, []>(`EXPLAIN ${text}`).all();
  } catch (error) {
    if (/no such (table|column)/.test((error as Error).message)) return null;
    throw error;
  }
}

function listReferences(connection: Sqlite): Map<string, Set<string>> {
  const keys = connection
    .query<{ child: string; parent: string }, []>(
      `SELECT tables.name AS child, keys."table" AS parent
       FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'`,
    )
    .all();
  const found = new Map<string, Set<string>>();
  for (const { child, parent } of keys) {
    found.set(child, (found.get(child) ?? new Set()).add(parent));
    found.set(parent, (found.get(parent) ?? new Set()).add(child));
  }
  return found;
}

type Plan = { "Node Type": string; "Relation Name"?: string; Schema?: string; Plans?: Plan[] };

/** PostgreSQL plans a statement with its values. What triggers and foreign keys do is not in the plan. */
async function explainPostgres(): Promise<Opened> {
  const url = await makeMigratedDatabase();
  const db = await openPostgres(url, { schema: schemaOf(modules) });
  const connection = new SQL(url, { max: 1 });
  return {
    db,
    async explain({ text, values }) {
      let plans: { "QUERY PLAN": { Plan: Plan }[] }[];
      try {
        plans = await connection.unsafe(`EXPLAIN (FORMAT JSON, VERBOSE) ${text}`, values);
      } catch (error) {
        if (/(relation|column) .* does not exist/.test((error as Error).message)) return null;
        throw error;
      }
      const reads = new Set<string>();
      const writes = new Set<string>();
      for (const plan of plans) for (const { Plan: top } of plan["QUERY PLAN"]) visit(top);
      return { reads, writes };

      function visit({ "Node Type": type, "Relation Name": table, Schema: schema, Plans: below = [] }: Plan): void {
        if (table && schema === "public") (type === "ModifyTable" ? writes : reads).add(table);
        below.forEach(visit);
      }
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      await db.close();
    },
  };
}
