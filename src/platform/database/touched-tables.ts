import type { Reader } from "./database.ts";
import { raw, sql, type Sql } from "./sql.ts";
import { listForeignKeys } from "./tables.ts";
import {
  findNewRows,
  findReadRows,
  inPlaceOfTable,
  findWrittenRows,
  partsOf,
  returnedBy,
  type ReturnedForm,
  type RowIDs,
  type WrittenRows,
} from "./touched-rows.ts";

/** The tables that a statement reads, and those that it writes, including what triggers and foreign keys change. */
export type Touched = {
  readonly reads: readonly ReadTable[];
  readonly writes: readonly WrittenTable[];
  readonly returned: ReturnedForm;
};

/** `ids` is null if any row may be read, and `known` if only rows to which others refer. */
export type ReadTable = { readonly table: string; readonly ids: RowIDs | "known" };

/** `ids` is null if any row may be written. */
export type WrittenTable = { readonly table: string; readonly ids: WrittenRows; readonly isNew: boolean };

export const touchesNothing: Touched = { reads: [], writes: [], returned: null };

/** Stands for all tables, where a statement does not show which ones it touches. */
export const everyTable = "*";

/** Tables whose rows belong to separate parts. A statement that does not name its part touches every table. */
const tablesWithParts = new Set(["list_counts"]);

/** For a statement that touches only this part of the table. */
export const partOf = (table: string, part: string): string => `${table} /*${part}*/`;

/**
 * For a statement that reads only those rows of the table to which other rows refer, by keys that always lead to one: a new row
 * changes nothing of what it returns. Where a key may lead to no row, `noteMissing` has to be called for the table.
 */
export const known = (table: string): Sql => raw(`${table} /*known*/`);

/**
 * For a statement that asks whether there is a row: what it returns stays there when a row is added. If it returns none, or fewer than
 * were asked for, `noteMissing` has to be called for the table.
 */
export const found = (table: string): Sql => raw(`${table} /*found*/`);

const knownRows = /\/\*(?:known|found)\*\/$/;

type Relation = {
  /** The definition of a view, "" for a table. */
  definition: string;
  /** Whether it is a table whose rows have the column `id`. */
  hasIDs: boolean;
  triggers: Trigger[];
  /** The tables with foreign keys to it that change along with its rows, and those that change even if no row is deleted. */
  dependents: string[];
  dependentsOfUpdates: string[];
};

const verbs = ["INSERT", "UPDATE", "DELETE"] as const;
type Verb = (typeof verbs)[number];

type Trigger = { verbs: readonly Verb[]; body: string };

/**
 * Returns a function that derives the tables from the text of a statement. Any name of a table counts as read where a table can be
 * named, so it may name too many tables, never too few.
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
    await db.all<{ name: string; definition: string; has_ids: number }>(
      db.engine === "sqlite" ? sqliteTables : postgresTables,
    ),
    await db.all<{ table: string; event: string; body: string }>(
      db.engine === "sqlite" ? sqliteTriggers : postgresTriggers,
    ),
    await listForeignKeys(db),
  ];
  const triggersOf = Map.groupBy(triggers, ({ table }) => table);
  const keysTo = Map.groupBy(keys, ({ refersTo }) => refersTo);
  return new Map(
    tables.map(({ name, definition, has_ids }) => {
      const keysToThis = keysTo.get(name) ?? [];
      return [
        name,
        {
          definition,
          hasIDs: definition === "" && has_ids === 1,
          triggers: (triggersOf.get(name) ?? []).map(toTrigger),
          dependents: keysToThis.filter(({ propagates }) => propagates).map(({ table }) => table),
          dependentsOfUpdates: keysToThis
            .filter(({ propagatesUpdates }) => propagatesUpdates)
            .map(({ table }) => table),
        },
      ];
    }),
  );
}

/** If the text of a trigger does not show what it follows, it follows everything. */
function toTrigger({ event, body }: { event: string; body: string }): Trigger {
  const [head = ""] = event.split(/\bON\b/i, 1);
  const named = verbs.filter((verb) => head.toUpperCase().includes(verb));
  return { verbs: named.length > 0 ? named : verbs, body };
}

const sqliteTables = sql`
  SELECT name, CASE type WHEN 'view' THEN sql ELSE '' END AS definition,
    EXISTS (SELECT 1 FROM pragma_table_info(sqlite_schema.name) AS columns WHERE columns.name = 'id') AS has_ids
  FROM sqlite_schema WHERE type IN ('table', 'view')`;
const sqliteTriggers = sql`
  SELECT tbl_name AS "table", sql AS event, sql AS body FROM sqlite_schema WHERE type = 'trigger'`;
const postgresTables = sql`
  SELECT relname::text AS name, CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) ELSE '' END AS definition,
    CASE WHEN EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'id') THEN 1 ELSE 0 END AS has_ids
  FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND relnamespace = current_schema()::regnamespace`;
const postgresTriggers = sql`
  SELECT relname::text AS "table", pg_get_triggerdef(pg_trigger.oid) AS event, prosrc AS body
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
  WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace`;

const ordinary = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;
const name = new RegExp(String.raw`${inPlaceOfTable}[a-z_]\w*\b(?: \/\*\w+\*\/)?(?!\.)`, "gi");
const target = /\b(INTO|UPDATE|DELETE FROM)(?:\s+OR\s+\w+)?(?:\s+ONLY\b)?\s+"?([a-z_]\w*(?: \/\*\w+\*\/)?)/gi;

/** Rows may give way to others, which deletes them; those of its triggers, too, whatever these say. */
const mayReplace = (text: string) => /\bREPLACE\b(?!\s*\()/i.test(text);

/** What a statement does to the rows of a table that it names as its target. */
function verbsOf(text: string, word: string): readonly Verb[] {
  if (/^DELETE/i.test(word)) return ["DELETE"];
  if (mayReplace(text)) return verbs;
  if (/^UPDATE/i.test(word)) return ["UPDATE"];
  return /\bDO UPDATE\b/i.test(text) ? ["INSERT", "UPDATE"] : ["INSERT"];
}

const isOnlyNew = (done: readonly Verb[]) => done.length === 1 && done[0] === "INSERT";

const everything: Touched = {
  reads: [{ table: everyTable, ids: null }],
  writes: [{ table: everyTable, ids: null, isNew: false }],
  returned: null,
};

function find(relations: Map<string, Relation>, text: string): Touched {
  if (!ordinary.test(text)) return everything;
  const reads = new Set<string>();
  /** Tables of views, which may read any row. */
  const viewed = new Set<string>();
  /** Whether only new rows are written. */
  const writes = new Map<string, boolean>();
  const followed = new Set<string>();
  const isReplacing = mayReplace(text);
  const parts = partsOf(text);
  addReads(text);
  const written = findWrittenRows(parts) ?? findNewRows(parts);
  const own = written && relations.get(written.table)?.hasIDs ? written : null;
  addTargets(text);
  const isOwnNew = own !== null && "returned" in own.ids && isOnlyNew(verbsOf(text, "INTO"));
  return {
    reads: [...reads].flatMap((word): ReadTable[] => {
      const table = tableOf(word);
      if (viewed.has(table)) return [{ table: word, ids: null }];
      if (knownRows.test(word)) return [{ table, ids: "known" }];
      return [{ table: word, ids: readRowsOf(word) }];
    }),
    writes: [
      ...Array.from(writes, ([table, isNew]) => ({ table, ids: null, isNew })),
      ...(own && !writes.has(own.table) ? [{ ...own, isNew: isOwnNew }] : []),
    ],
    returned: returnedBy(parts),
  };

  function addReads(text: string): void {
    for (const [word] of text.matchAll(name)) {
      const relation = relations.get(tableOf(word));
      if (!relation || reads.has(word)) continue;
      reads.add(tablesWithParts.has(word) ? everyTable : word);
      if (relation.definition !== "") addViewed(relation.definition);
    }
  }

  function addViewed(definition: string): void {
    for (const [word] of definition.matchAll(name)) viewed.add(word);
    addReads(definition);
  }

  function readRowsOf(table: string): RowIDs {
    const relation = relations.get(table);
    // Not the name of a table, but of a part of one.
    return relation ? findReadRows(parts, table, relation.hasIDs) : null;
  }

  function addTargets(text: string, isTrigger = false): void {
    for (const [, verb = "", word = ""] of text.matchAll(target)) {
      if (!relations.has(tableOf(word))) continue;
      const done = isReplacing ? verbs : verbsOf(text, verb);
      if (isTrigger || own?.table !== word) addWrite(tablesWithParts.has(word) ? everyTable : word, done);
      addFollowing(done, word);
    }
  }

  function addWrite(table: string, done: readonly Verb[]): void {
    writes.set(table, isOnlyNew(done) && writes.get(table) !== false);
  }

  /** What triggers and foreign keys change. */
  function addFollowing(done: readonly Verb[], word: string): void {
    const { triggers = [], dependents = [], dependentsOfUpdates = [] } = relations.get(tableOf(word)) ?? {};
    for (const verb of done) {
      const key = `${word} ${verb}`;
      if (followed.has(key)) continue;
      followed.add(key);
      for (const trigger of triggers) if (trigger.verbs.includes(verb)) addTargets(trigger.body, true);
      if (verb === "UPDATE") addDependents(dependentsOfUpdates, ["UPDATE"]);
      // These are deleted, or forget what they refer to.
      if (verb === "DELETE") addDependents(dependents, ["UPDATE", "DELETE"]);
    }
  }

  function addDependents(tables: readonly string[], done: readonly Verb[]): void {
    for (const table of tables) {
      addWrite(table, done);
      addFollowing(done, table);
    }
  }
}

const tableOf = (word: string) => word.split(" ", 1)[0] ?? "";
