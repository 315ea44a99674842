import { AsyncLocalStorage } from "node:async_hooks";
import type { Value } from "./sql.ts";
import { maxIDs } from "./touched-rows.ts";
import { everyTable, type ReadTable, type Touched } from "./touched-tables.ts";

type Generations = {
  /** Grows with every write. */
  current(): number;
  /** The generation in which something of these names, which were read, was last written. */
  lastWrite(names: Iterable<string>): number;
  /** To be called after a commit, with the names of what it has written. */
  written(names: Iterable<string>): void;
};

/*
 * Names of what was read or written: `photos` is the table, `photos;17` are the rows whose id leaves the remainder 17, and
 * `photos;` stands for writes that may have changed any row. Who reads a row depends on the last two.
 */

/** Separates the name of a table from its rows, and names from each other in `written_tables`. */
export const separator = ";";
/** Rows share generations, so that these need little memory. */
const buckets = 1024;

/** Adds the names of what a statement with these values reads. */
function addRead(names: Set<string>, { table, ids }: ReadTable, values: readonly Value[]): void {
  const rows = ids && rowsOf(table, ids, values);
  if (!rows) return void names.add(table);
  names.add(table + separator);
  for (const row of rows) names.add(row);
}

/** What a statement has returned: its rows, or how many it has changed. Null if nobody has waited for that. */
export type Outcome = readonly unknown[] | number | null;

/** Adds the names of what a statement with these values has written. */
export function addWritten(
  names: Set<string>,
  { writes, returned }: Touched,
  values: readonly Value[],
  outcome: Outcome,
): void {
  if (hasChangedNothing(returned, outcome)) return;
  const rows = typeof outcome === "object" ? outcome : null;
  for (const { table, ids } of writes) {
    const written = ids && ("returned" in ids ? newRowsOf(table, ids.returned, rows) : rowsOf(table, ids, values));
    for (const name of written ?? [table]) names.add(name);
  }
}

function hasChangedNothing(returned: Touched["returned"], outcome: Outcome): boolean {
  if (typeof outcome === "number") return returned !== null && outcome === 0;
  return returned === "rows" && outcome?.length === 0;
}

function newRowsOf(table: string, column: string, rows: readonly unknown[] | null): string[] | null {
  if (!rows || rows.length > maxIDs) return null;
  const values = rows.map((row) => (row as Record<string, Value>)[column] ?? null);
  return rowsOf(table, [...values.keys()], values);
}

/** Null if a value is no number: how engines compare it with an id is not known here. */
function rowsOf(table: string, ids: readonly number[], values: readonly Value[]): string[] | null {
  const rows: string[] = [];
  for (const position of ids) {
    const id = values[position];
    if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) return null;
    rows.push(`${table}${separator}${id % buckets}`);
  }
  return rows;
}

/** When each table, and the rows of it, were last written, counted in writes of any table. */
export function createGenerations(): Generations {
  let current = 0;
  let all = 0;
  const byName = new Map<string, number>();
  return {
    current: () => current,
    lastWrite(names) {
      let last = all;
      for (const name of names) last = Math.max(last, name === everyTable ? current : (byName.get(name) ?? 0));
      return last;
    },
    written(names) {
      current++;
      for (const name of names) {
        if (name === everyTable) all = current;
        const [table = "", row = ""] = name.split(separator);
        byName.set(table, current);
        byName.set(table + separator + row, current);
      }
    },
  };
}

type Collecting = { names: Set<string>; around: Collecting | undefined };
const collecting = new AsyncLocalStorage<Collecting>();

/**
 * Adds the names of what `work` reads to the set, also of its statements that run later. What is collected within such
 * work counts for both.
 */
export const collectReads = <Result>(names: Set<string>, work: () => Result): Result =>
  collecting.run({ names, around: collecting.getStore() }, work);

/** The tables of collected names, without their parts. `everyTable` stands for all of them. */
export const tablesOf = (names: Iterable<string>): string[] =>
  [...new Set(Array.from(names, (name) => /^[^; ]*/.exec(name)?.[0] ?? ""))].toSorted();

/** To be called by an engine for every statement. */
export function noteReads(reads: readonly ReadTable[], values: readonly Value[]): void {
  for (let one = collecting.getStore(); one; one = one.around)
    for (const read of reads) addRead(one.names, read, values);
}
