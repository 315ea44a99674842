import type { Pages } from "./salvage-pages.ts";
import { parseNode, type Record, readRecord } from "./salvage-records.ts";
import type { Value } from "./sql.ts";

/** Rowids above `low`, up to `high`: those of a page that is damaged, and of all below it. */
export type Gap = { low: number; high: number };

/** What can be reached from a root. `nodes` are the pages with entries: of a table, only the leaves have any. */
export type Tree = { nodes: number[]; gaps: Gap[] };

/** A row of a table. `record` is null if it cannot be read. */
export type FoundRow = { rowid: number; record: Record | null };

const everything: Gap = { low: -Infinity, high: Infinity };

/** A tree of which nothing is known. */
export const unknownTree = (): Tree => ({ nodes: [], gaps: [everything] });

/** Walks down from a root, past every page that is not a possible one at its place. Adds the pages to `claimed`. */
export function walkTree(pages: Pages, root: number, kind: "table" | "index", claimed: Set<number>): Tree {
  const tree: Tree = { nodes: [], gaps: [] };
  const waiting = [{ page: root, ...everything }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { page, low, high } = next;
    const node = claimed.has(page) ? null : parseNode(pages, page);
    const isPossible =
      node?.kind === kind && (kind === "index" || node.cells.every(({ rowid }) => rowid > low && rowid <= high));
    if (!node || !isPossible) {
      tree.gaps.push({ low, high });
      continue;
    }
    claimed.add(page);
    if (!node.children || kind === "index") tree.nodes.push(page);
    let from = low;
    for (const child of node.children ?? []) {
      waiting.push({ page: child.page, low: from, high: child.key ?? high });
      from = child.key ?? high;
    }
  }
  return tree;
}

export function* readRows(pages: Pages, { nodes }: Tree, isNode: (page: number) => boolean): Generator<FoundRow> {
  for (const number of nodes) {
    for (const { rowid, payload } of parseNode(pages, number)?.cells ?? [])
      yield { rowid, record: readRecord(pages, payload, isNode) };
  }
}

/** The entries of an index: its columns, and the rowid as the last value. */
export function* readEntries(pages: Pages, tree: Tree, isNode: (page: number) => boolean): Generator<Value[]> {
  for (const { record } of readRows(pages, tree, isNode))
    if (record && !record.isCut && record.mended.length === 0) yield record.values;
}

/** Pages that SQLite does not use. What they contain was deleted, or is elsewhere by now. */
function listFreePages(pages: Pages): { free: Set<number>; isWhole: boolean } {
  const free = new Set<number>();
  const header = pages.read(1);
  for (let trunk = header?.view.getUint32(32) ?? 0; trunk > 1 && trunk <= pages.count && !free.has(trunk);) {
    const page = pages.read(trunk);
    const count = page?.view.getUint32(4) ?? 0;
    if (!page || count > pages.usable / 4 - 2) break;
    free.add(trunk);
    for (let index = 0; index < count; index++) free.add(page.view.getUint32(8 + 4 * index));
    trunk = page.view.getUint32(0);
  }
  // The header has their number. Without it, there are none, which may be wrong.
  const isWhole = header !== null && parseNode(pages, 1) !== null && header.view.getUint32(36) === free.size;
  return { free, isWhole };
}

/** Pages of tables that no other page refers to, because that one is damaged. */
type Orphans = {
  /** Those to which no other orphan refers. */
  tops: number[];
  /** All of them, with the pages below each. */
  children: Map<number, number[]>;
  /** Whether some may be unused and have old rows, because the list of unused pages is damaged. */
  mayBeOld: boolean;
};

export function listOrphans(pages: Pages, claimed: Set<number>): Orphans {
  const { free, isWhole } = listFreePages(pages);
  const children = new Map<number, number[]>();
  for (let page = 2; page <= pages.count; page++) {
    if (claimed.has(page) || free.has(page)) continue;
    const node = parseNode(pages, page);
    if (node?.kind === "table") children.set(page, node.children?.map((child) => child.page) ?? []);
  }
  const below = new Set([...children.values()].flat());
  return { tops: [...children.keys()].filter((page) => !below.has(page)), children, mayBeOld: !isWhole };
}

type SchemaObject = { type: string; name: string; root: number };

const objectTypes = new Set(["table", "index", "trigger", "view"]);

/**
 * The tables and indexes of the database, and the pages at which they begin. If a page of the schema is damaged, the others
 * are found by what they look like.
 */
export function readSchema(pages: Pages, claimed: Set<number>): Map<string, SchemaObject> {
  const objects = new Map<string, SchemaObject>();
  const tree = walkTree(pages, 1, "table", claimed);
  const isNode = (page: number) => claimed.has(page);
  const add = (rows: Iterable<FoundRow>) => {
    for (const { record } of rows) {
      const object = toObject(record);
      const isKnown = !object || objects.has(object.name) || parseNode(pages, object.root) === null;
      if (!isKnown) objects.set(object.name, object);
    }
  };
  add(readRows(pages, tree, isNode));
  if (tree.gaps.length === 0) return objects;
  const { free } = listFreePages(pages);
  for (let page = 2; page <= pages.count; page++) {
    if (claimed.has(page) || free.has(page) || parseNode(pages, page)?.kind !== "table") continue;
    const rows = [...readRows(pages, { nodes: [page], gaps: [] }, isNode)];
    if (rows.length === 0 || rows.some(({ record }) => !isOfSchema(record))) continue;
    add(rows);
    claimed.add(page);
  }
  return objects;
}

const isOfSchema = (record: Record | null) => record?.count === 5 && objectTypes.has(String(record.values[0]));

function toObject(record: Record | null): SchemaObject | null {
  // The text of a statement may be cut off, but not the columns before it.
  const [type, name, , root] = record && isOfSchema(record) ? record.values : [];
  return typeof root === "number" && root > 1 ? { type: String(type), name: String(name), root } : null;
}

/** The names of the migrations that the database has; empty if that cannot be read. */
export function readApplied(pages: Pages): string[] {
  const claimed = new Set<number>();
  const root = readSchema(pages, claimed).get("migrations")?.root ?? 2;
  const rows = [...readRows(pages, walkTree(pages, root, "table", claimed), (page) => claimed.has(page))];
  return rows.flatMap(({ record }) => {
    const [name] = record?.count === 2 ? record.values : [];
    return typeof name === "string" && name.endsWith(".sql") ? [name] : [];
  });
}
