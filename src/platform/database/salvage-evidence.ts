import type { Database as Sqlite } from "bun:sqlite";
import type { Pages } from "./salvage-pages.ts";
import type { Record } from "./salvage-records.ts";
import { type Gap, readEntries, type Tree } from "./salvage-trees.ts";
import type { Value } from "./sql.ts";

type Column = { name: string; isText: boolean; isNumber: boolean; isRequired: boolean; isRowid: boolean };

/** `columns` are null for expressions. `where` is the condition of a partial index. */
type Index = { name: string; columns: (string | null)[]; where: string | null };

/** How a table should be stored. `root` is where it begins in a new database. */
export type Layout = { name: string; columns: Column[]; indexes: Index[]; root: number };

export type Columns = { [name: string]: Value };

type ColumnRow = { name: string; type: string; notnull: number; pk: number };
type TableRow = { name: string; rootpage: number; sql: string | null };

export function describeTable(db: Sqlite, table: string): Layout {
  const { rootpage } = db
    .query<TableRow, [string]>("SELECT name, rootpage, sql FROM sqlite_schema WHERE name = ?")
    .get(table) as TableRow;
  const columns = db.query<ColumnRow, [string]>("SELECT * FROM pragma_table_info(?) ORDER BY cid").all(table);
  const indexes = db
    .query<TableRow, [string]>("SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?")
    .all(table);
  const indexed = db.query<{ name: string | null; cid: number }, [string]>(
    "SELECT name, cid FROM pragma_index_xinfo(?) ORDER BY seqno",
  );
  return {
    name: table,
    root: rootpage,
    columns: columns.map(({ name, type, notnull, pk }) => ({
      name,
      isText: type === "TEXT",
      isNumber: type === "BIGINT" || type === "INTEGER",
      isRequired: notnull === 1,
      isRowid: type === "INTEGER" && pk === 1,
    })),
    indexes: indexes.map(({ name, sql }) => ({
      name,
      // The last one is the rowid.
      columns: indexed
        .all(name)
        .slice(0, -1)
        .map((column) => (column.cid === -1 ? "rowid" : column.name)),
      where: /\bWHERE\s+(.*)$/s.exec(sql ?? "")?.[1] ?? null,
    })),
  };
}

/** Whether a record can be a row of this table. Rows from before a column was added do not have it. */
export function isRowOf({ columns }: Layout, { values, count }: Record): boolean {
  if (count > columns.length || values.length > count) return false;
  return values.every((value, index) => {
    const { isText, isNumber, isRequired, isRowid } = columns[index] as Column;
    if (isRowid) return value === null;
    if (value === null) return !isRequired;
    return typeof value === "string" ? !isNumber : !isText;
  });
}

export function toColumns({ columns }: Layout, rowid: number, { values }: Record): Columns {
  return Object.fromEntries(
    values.map((value, index) => {
      const { name, isRowid } = columns[index] as Column;
      return [name, isRowid ? rowid : value];
    }),
  );
}

/** What the indexes of a table say about its rows in the gaps. */
export type Evidence = {
  /** Whether a row is the current one: null if no index says anything about it. */
  isCurrent(rowid: number, row: Columns): boolean | null;
  /** What is known of rows in the gaps, by rowid. */
  known: Map<number, Columns>;
  /** Every row in the gaps is known. */
  isComplete: boolean;
};

type ReadIndex = Index & { isWhole: boolean; entries: Map<number, Value[]> };

export function readEvidence(
  pages: Pages,
  { indexes }: Layout,
  gaps: Gap[],
  { treeOf, isNode }: { treeOf: (name: string) => Tree; isNode: (page: number) => boolean },
): Evidence {
  const isInGap = (rowid: number) => gaps.some(({ low, high }) => rowid > low && rowid <= high);
  const known = new Map<number, Columns>();
  const read = indexes.map((index): ReadIndex => {
    const tree = treeOf(index.name);
    const entries = new Map<number, Value[]>();
    for (const values of readEntries(pages, tree, isNode)) {
      const rowid = values.at(-1);
      if (typeof rowid !== "number" || values.length !== index.columns.length + 1 || !isInGap(rowid)) continue;
      entries.set(rowid, values);
      const columns = known.get(rowid) ?? {};
      for (const [position, name] of index.columns.entries()) if (name) columns[name] = values[position] as Value;
      known.set(rowid, columns);
    }
    return { ...index, isWhole: tree.gaps.length === 0, entries };
  });
  return {
    known,
    isComplete: read.some(({ isWhole, where }) => isWhole && where === null),
    isCurrent(rowid, row) {
      let isConfirmed = false;
      for (const { columns, where, isWhole, entries } of read) {
        const entry = entries.get(rowid);
        const applies = where === null || holds(where, row);
        if (!entry) {
          if (applies === true && isWhole) return false;
          continue;
        }
        const isSame = columns.every((name, position) => {
          const value = name === "rowid" ? rowid : name === null ? undefined : row[name];
          return value === undefined || value === entry[position];
        });
        if (applies === false || !isSame) return false;
        isConfirmed = true;
      }
      return isConfirmed ? true : null;
    },
  };
}

/** Only conditions of one column are understood: null for others. */
function holds(where: string, row: Columns): boolean | null {
  const [, column = "", not] = /^(\w+) IS (NOT )?NULL$/.exec(where) ?? [];
  const value = row[column];
  return value === undefined ? null : (value === null) === (not === undefined);
}
