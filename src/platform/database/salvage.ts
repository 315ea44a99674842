import { Database as Sqlite, type Statement } from "bun:sqlite";
import { DatabaseError } from "./database.ts";
import { planMigrations } from "./migrate.ts";
import {
  type Columns,
  describeTable,
  type Evidence,
  isRowOf,
  type Layout,
  readEvidence,
  toColumns,
} from "./salvage-evidence.ts";
import { openPages, type Pages } from "./salvage-pages.ts";
import {
  type FoundRow,
  type Gap,
  listOrphans,
  readApplied,
  readRows,
  readSchema,
  type Tree,
  unknownTree,
  walkTree,
} from "./salvage-trees.ts";
import { platformTables } from "./platform-tables.ts";
import { type Schema } from "./tables.ts";

/** What became of a table. */
export type Salvaged = {
  table: string;
  saved: number;
  /** Rows that existed and could not be read, by rowid, with what is known of them. */
  lost: Map<number, Columns>;
  /** Rowids of which some may be lost: nothing says which ones existed. */
  doubtful: Gap[];
  /** Rows that were saved with U+FFFD in place of damaged bytes, and the columns that have it. */
  mended: { row: Columns; columns: string[] }[];
};

/** Tables of the platform besides those that are copied to other engines. */
const sequences = "sqlite_sequence";
const furtherTables = ["settings", sequences];
/** Made again from the records: the words of lost or old ones must not be found. */
export const derivedTable = "documents";

/**
 * Reads what can be read of a damaged database, page by page, into a new one of the same version. SQLite would stop at the
 * first damaged page. The new one may have rows that refer to lost ones.
 */
export async function salvageDatabase(from: string, to: string, schema: Schema): Promise<Salvaged[]> {
  const pages = openPages(from);
  const target = new Sqlite(to, { create: true, strict: true });
  try {
    await createTables(target, readApplied(pages), schema);
    const wanted = [...schema.tables, ...platformTables].filter(({ isTemporary }) => !isTemporary);
    const names = [...wanted.map(({ name }) => name), ...furtherTables];
    const exists = target.query("SELECT 1 FROM sqlite_schema WHERE name = ?");
    return fill(
      target,
      pages,
      names.filter((name) => name !== derivedTable && exists.get(name)),
    );
  } finally {
    target.close();
    pages.close();
  }
}

/** The tables of this version, which must have written the database: rows are read by the order of their columns. */
async function createTables(target: Sqlite, applied: string[], schema: Schema): Promise<void> {
  const all = await planMigrations(null, "sqlite", schema.migrations);
  const known = all.flatMap(({ marks }) => marks);
  // If none of the names can be read, it is taken for one of this version.
  const isOlder = applied.length > 0 && !applied.includes(known.at(-1) ?? "");
  if (isOlder || applied.some((name) => !known.includes(name)))
    throw new DatabaseError("The database was written by another version: rescue it with that version.");
  target.run("PRAGMA journal_mode = OFF");
  target.run("PRAGMA synchronous = OFF");
  // A row with one wrong value is worth more than none: the doctor reports it.
  target.run("PRAGMA ignore_check_constraints = ON");
  target.run("CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)");
  for (const { statements, marks } of all) {
    for (const statement of statements) target.run(statement);
    for (const name of marks) target.run("INSERT INTO migrations (name, applied_at) VALUES (?, ?)", [name, Date.now()]);
  }
}

function fill(target: Sqlite, pages: Pages, names: string[]): Salvaged[] {
  const triggers = target.query<{ name: string; sql: string }, []>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  );
  const dropped = triggers.all();
  for (const { name } of dropped) target.run(`DROP TRIGGER ${name}`);
  for (const name of names) target.run(`DELETE FROM "${name}"`);
  const found = findRows(
    pages,
    names.map((name) => describeTable(target, name)),
  );
  target.run("BEGIN");
  const results = [...found.values()].map((table) => insertRows(target, pages, table));
  target.run("COMMIT");
  continueLostIDs(target, results);
  for (const { sql } of dropped) target.run(sql);
  return results.filter(({ table }) => table !== sequences);
}

/** Where the rows of a table are. `evidence` is null if no page of it is damaged. */
type Found = { layout: Layout; trees: Tree[]; evidence: Evidence | null; isNode: (page: number) => boolean };

function findRows(pages: Pages, layouts: Layout[]): Map<string, Found> {
  const claimed = new Set<number>();
  const isNode = (page: number) => claimed.has(page);
  const objects = readSchema(pages, claimed);
  const trees = new Map<string, Tree>();
  for (const { name, type, root } of objects.values()) {
    const isRowidTable = type === "table" && layouts.some((layout) => layout.name === name);
    trees.set(name, walkTree(pages, root, isRowidTable ? "table" : kindAt(pages, root, type), claimed));
  }
  const treeOf = (name: string): Tree => trees.get(name) ?? unknownTree();
  const found = new Map<string, Found>();
  for (const layout of layouts) {
    const tree = treeOf(layout.name);
    const evidence = tree.gaps.length === 0 ? null : readEvidence(pages, layout, tree.gaps, { treeOf, isNode });
    found.set(layout.name, { layout, trees: [tree], evidence, isNode });
  }
  const damaged = [...found.values()].filter(({ evidence }) => evidence !== null);
  if (damaged.length > 0) placeOrphans(pages, damaged, claimed);
  return found;
}

/** Tables that are not read may be stored as indexes. */
const kindAt = (pages: Pages, root: number, type: string): "table" | "index" => {
  const first = pages.read(root)?.bytes[0];
  return type === "table" && (first === 0x05 || first === 0x0d) ? "table" : "index";
};

/** Adds the rows of pages that nothing refers to any more to the tables whose rows they are. */
function placeOrphans(pages: Pages, damaged: Found[], claimed: Set<number>): void {
  const { tops, children, mayBeOld } = listOrphans(pages, claimed);
  const least = mayBeOld ? shown : possible;
  const waiting = [...tops];
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    if (claimed.has(page) || !children.has(page)) continue;
    const reached = new Set(claimed);
    const tree = walkTree(pages, page, "table", reached);
    const found = findTable(pages, { page, tree, least }, damaged);
    if (found) for (const one of reached) claimed.add(one);
    // An old page may refer to current ones.
    else waiting.push(...(children.get(page) ?? []));
    found?.trees.push(tree);
  }
}

/** Null if no table misses these rows, or if they may belong to several. */
function findTable(
  pages: Pages,
  { page, tree, least }: { page: number; tree: Tree; least: number },
  damaged: Found[],
): Found | null {
  const [best, second] = damaged
    .map((found) => ({ found, likely: howLikely(found, page, [...readRows(pages, tree, found.isNode)]) }))
    .filter(({ likely }) => likely >= least)
    .toSorted((one, other) => other.likely - one.likely);
  return best && best.likely !== second?.likely ? best.found : null;
}

/** The rows fit the table; they have all of its columns; the table begins here in a new database; an index has them. */
const [possible, usual, shown, confirmed] = [1, 2, 4, 8];

/** How likely it is that these are rows of a table that are missing there; 0 if they cannot be. */
function howLikely({ layout, trees, evidence }: Found, page: number, rows: FoundRow[]): number {
  const gap = trees[0]?.gaps.find(({ low, high }) => rows.every(({ rowid }) => rowid > low && rowid <= high));
  if (!gap || rows.length === 0) return 0;
  let isConfirmed = false;
  let isUsual = true;
  for (const { rowid, record } of rows) {
    if (!record || record.mended.length > 0 || !isRowOf(layout, record)) return 0;
    if (record.count !== layout.columns.length) isUsual = false;
    const isCurrent = record.isCut ? null : evidence?.isCurrent(rowid, toColumns(layout, rowid, record));
    if (isCurrent === false) return 0;
    if (isCurrent) isConfirmed = true;
  }
  return possible + (isUsual ? usual : 0) + (page === layout.root ? shown : 0) + (isConfirmed ? confirmed : 0);
}

function insertRows(target: Sqlite, pages: Pages, { layout, trees, evidence, isNode }: Found): Salvaged {
  const { name, columns } = layout;
  const statements = new Map<number, Statement>();
  const insert = (count: number) => {
    const some = columns.slice(0, count).map((column) => `"${column.name}"`);
    const made = target.prepare(
      `INSERT OR IGNORE INTO "${name}" (${some.join()}) VALUES (${some.map(() => "?").join()})`,
    );
    statements.set(count, made);
    return made;
  };
  const saved = new Set<number>();
  const lost = new Map<number, Columns>();
  const mended: Salvaged["mended"] = [];
  for (const tree of trees) {
    for (const { rowid, record } of readRows(pages, tree, isNode)) {
      const row = record && isRowOf(layout, record) ? toColumns(layout, rowid, record) : null;
      const isSaved =
        row !== null &&
        record?.isCut === false &&
        (statements.get(record.count) ?? insert(record.count)).run(...Object.values(row)).changes > 0;
      if (isSaved) saved.add(rowid);
      else if (!saved.has(rowid)) lost.set(rowid, row ?? {});
      if (isSaved && record.mended.length > 0)
        mended.push({ row, columns: record.mended.map((place) => columns[place]?.name ?? "") });
    }
  }
  for (const [rowid, known] of evidence?.known ?? []) {
    if (!saved.has(rowid)) lost.set(rowid, { ...known, ...lost.get(rowid) });
  }
  const gaps = evidence === null || evidence.isComplete ? [] : (trees[0]?.gaps ?? []);
  return { table: name, saved: saved.size, lost, doubtful: gaps.flatMap((gap) => narrow(gap, saved)), mended };
}

/** The part of a gap before, between and after the rows that were saved from it. */
function narrow({ low, high }: Gap, saved: Set<number>): Gap[] {
  const inside = [...saved].filter((rowid) => rowid > low && rowid <= high).toSorted((one, other) => one - other);
  const gaps: Gap[] = [];
  let from = low === -Infinity ? 0 : low;
  for (const rowid of inside) {
    if (rowid > from + 1) gaps.push({ low: from, high: rowid - 1 });
    from = rowid;
  }
  return from < high ? [...gaps, { low: from, high }] : gaps;
}

/** Added to the highest known id, if it is not known which ones were assigned after it. */
const skippedIDs = 1000;

/** No id is assigned again, even if the row that had it is lost. */
function continueLostIDs(target: Sqlite, results: Salvaged[]): void {
  const last = target.query<{ seq: number }, [string]>("SELECT max(seq) AS seq FROM sqlite_sequence WHERE name = ?");
  const isSequenceLost = results.some(
    ({ table, lost, doubtful }) => table === sequences && lost.size + doubtful.length > 0,
  );
  for (const { table, lost, doubtful } of results) {
    const known = last.get(table)?.seq ?? 0;
    const ends = doubtful.map(({ high }) => high).filter((high) => high !== Infinity);
    const highest = Math.max(known, ...lost.keys(), ...ends);
    const isUnknown = isSequenceLost && doubtful.some(({ high }) => high === Infinity);
    const next = isUnknown ? highest + skippedIDs : highest;
    if (next === 0 || (next === known && lost.size === 0)) continue;
    target.run("DELETE FROM sqlite_sequence WHERE name = ?", [table]);
    target.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, next]);
  }
}
