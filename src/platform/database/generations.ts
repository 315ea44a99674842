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
 * Names of what was read: `photos` is the table, `photos;17` are the rows whose id leaves the remainder 17, and `photos;` are all
 * rows as far as their ids are not known: who reads a row depends on the last two. `photos;known` are the rows to which others refer.
 * Names of what was written: `photos` for any rows, `photos;17` for those that were changed or removed, `photos;+17` and `photos;+`
 * for new ones with this remainder, or whose ids are not known.
 */

/** Separates the name of a table from its rows, and names from each other in `written_tables`. */
export const separator = ";";
/** Rows share generations, so that these need little memory. */
const buckets = 1024;

/** Adds the names of what a statement with these values reads. */
function addRead(names: Set<string>, { table, ids }: ReadTable, values: readonly Value[]): void {
  if (ids === "known") return void names.add(table + separator + ids);
  const rows = ids && idsIn(values, ids);
  if (!rows) return void names.add(table);
  names.add(table + separator);
  for (const row of rows) names.add(`${table}${separator}${row}`);
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
  for (const { table, ids, isNew } of writes) {
    const written = ids && ("returned" in ids ? returnedIn(rows, ids.returned) : idsIn(values, ids));
    const prefix = isNew ? `${table}${separator}+` : `${table}${separator}`;
    if (written) for (const id of written) names.add(`${prefix}${id}`);
    else names.add(isNew ? prefix : table);
  }
}

function hasChangedNothing(returned: Touched["returned"], outcome: Outcome): boolean {
  if (typeof outcome === "number") return returned !== null && outcome === 0;
  return returned === "rows" && outcome?.length === 0;
}

function returnedIn(rows: readonly unknown[] | null, column: string): number[] | null {
  if (!rows || rows.length > maxIDs) return null;
  const values = rows.map((row) => (row as Record<string, Value>)[column] ?? null);
  return idsIn(values, [...values.keys()]);
}

/** The remainders of the values at these positions. Null if one is no number: how engines compare it with an id is not known here. */
function idsIn(values: readonly Value[], positions: readonly number[]): number[] | null {
  const ids: number[] = [];
  for (const position of positions) {
    const id = values[position];
    if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) return null;
    ids.push(id % buckets);
  }
  return ids;
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
        const isNew = row.startsWith("+");
        byName.set(table, current);
        byName.set(table + separator + (isNew ? row.slice(1) : row), current);
        if (!isNew) byName.set(`${table}${separator}known`, current);
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

/** To be called for a key that leads to no row of the table now, in a statement that names `known` rows. */
export function noteMissing(table: string): void {
  for (let one = collecting.getStore(); one; one = one.around) one.names.add(table);
}

/** To be called by an engine for every statement. */
export function noteReads(reads: readonly ReadTable[], values: readonly Value[]): void {
  for (let one = collecting.getStore(); one; one = one.around)
    for (const read of reads) addRead(one.names, read, values);
}
