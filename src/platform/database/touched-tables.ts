import type { Reader } from "./database.ts";
import { sql } from "./sql.ts";
import { listForeignKeys } from "./tables.ts";

/** The tables that a statement reads, and those that it writes, including what triggers and foreign keys change. */
export type Touched = { readonly reads: readonly string[]; readonly writes: readonly string[] };

export const touchesNothing: Touched = { reads: [], writes: [] };

/** Stands for all tables, where a statement does not show which ones it touches. */
export const everyTable = "*";

/** Tables whose rows belong to separate parts. A statement that does not name its part touches every table. */
const tablesWithParts = new Set(["list_counts"]);

/** For a statement that touches only this part of the table. */
export const partOf = (table: string, part: string): string => `${table} /*${part}*/`;

type Relation = {
  /** The definition of a view, "" for a table. */
  definition: string;
  /** The bodies of its triggers, and the tables with foreign keys to it that change along with its rows. */
  triggers: string[];
  dependents: string[];
};

/**
 * Returns a function that derives the tables from the text of a statement. Any word in it that is the name of a table
 * counts as read, so it may name too many tables, never too few.
 */
export async function createTableFinder(db: Source): Promise<TableFinder> {
  const relations = await readRelations(db);
  const known = new Map<string, Touched>();
  return (text) => {
    let touched = known.get(text);
    if (!touched) known.set(text, (touched = find(relations, text)));
    return touched;
  };
}

export type TableFinder = (text: string) => Touched;

type Source = Pick<Reader, "all"> & { engine: "sqlite" | "postgres" };

async function readRelations(db: Source): Promise<Map<string, Relation>> {
  const [tables, triggers, keys] = [
    await db.all<{ name: string; definition: string }>(db.engine === "sqlite" ? sqliteTables : postgresTables),
    await db.all<{ table: string; body: string }>(db.engine === "sqlite" ? sqliteTriggers : postgresTriggers),
    await listForeignKeys(db),
  ];
  const triggersOf = Map.groupBy(triggers, ({ table }) => table);
  const keysTo = Map.groupBy(
    keys.filter(({ propagates }) => propagates),
    ({ refersTo }) => refersTo,
  );
  return new Map(
    tables.map(({ name, definition }) => [
      name,
      {
        definition,
        triggers: (triggersOf.get(name) ?? []).map(({ body }) => body),
        dependents: (keysTo.get(name) ?? []).map(({ table }) => table),
      },
    ]),
  );
}

const sqliteTables = sql`
  SELECT name, CASE type WHEN 'view' THEN sql ELSE '' END AS definition FROM sqlite_schema WHERE type IN ('table', 'view')`;
const sqliteTriggers = sql`SELECT tbl_name AS "table", sql AS body FROM sqlite_schema WHERE type = 'trigger'`;
const postgresTables = sql`
  SELECT relname::text AS name, CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) ELSE '' END AS definition
  FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND relnamespace = current_schema()::regnamespace`;
const postgresTriggers = sql`
  SELECT relname::text AS "table", prosrc AS body
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
  WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace`;

const ordinary = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;
const name = /[a-z_]\w*(?: \/\*\w+\*\/)?/gi;
const target = /\b(?:INTO|UPDATE|DELETE FROM)\s+"?([a-z_]\w*(?: \/\*\w+\*\/)?)/gi;

function find(relations: Map<string, Relation>, text: string): Touched {
  if (!ordinary.test(text)) return { reads: [everyTable], writes: [everyTable] };
  const reads = new Set<string>();
  const writes = new Set<string>();
  addReads(text);
  addWrites(text);
  return { reads: [...reads], writes: [...writes] };

  function addReads(text: string): void {
    for (const [word] of text.matchAll(name)) {
      const relation = relations.get(tableOf(word));
      if (!relation || reads.has(word)) continue;
      reads.add(tablesWithParts.has(word) ? everyTable : word);
      addReads(relation.definition);
    }
  }

  function addWrites(text: string): void {
    for (const [, word = ""] of text.matchAll(target)) addWritten(word);
  }

  function addWritten(word: string): void {
    const relation = relations.get(tableOf(word));
    if (!relation || writes.has(word)) return;
    writes.add(tablesWithParts.has(word) ? everyTable : word);
    relation.triggers.forEach(addWrites);
    relation.dependents.forEach(addWritten);
  }
}

const tableOf = (word: string) => word.split(" ", 1)[0] ?? "";
