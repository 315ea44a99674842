import { AsyncLocalStorage } from "node:async_hooks";
import { nextTurn } from "../event-loop.ts";
import type { Change, Queries, Statements } from "./database.ts";
import type { Sql } from "./sql.ts";
import type { Derived, Schema } from "./tables.ts";

const changesAtOnce = 50;

/** Whether one of the columns was changed, or the record is new. */
export const hasChanged = ({ before, after }: Change, columns: readonly string[]): boolean =>
  before === null || columns.some((column) => before[column] !== after[column]);

/** The transaction whose work is running. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Throws inside the work of a transaction: on SQLite, a transaction in it would wait for it for ever. */
export function refuseNested(): void {
  if (current.getStore()?.isOpen)
    throw new Error("A transaction was begun in the work of another one: use the `tx` of that one.");
}

/**
 * Runs the work of a transaction, whose `changed` derives what the schema declares. The transaction fails if it has created
 * records, or assigned a column from which something follows, and has not said so of as many: none can be forgotten.
 */
export function createDeriving(schema: Schema | null) {
  const derivedOf = Map.groupBy(schema?.derived ?? [], ({ kind }) => kind);
  const findWritten = createFinder(schema, derivedOf);

  return async <Result>(
    statements: Statements,
    work: (tx: Queries) => Promise<Result>,
    isCopy: boolean,
  ): Promise<Result> => {
    const untold = new Map<string, number>();
    const told = new Map<string, Set<number>>();
    const note = ({ kind, isNew }: Written, rows: number) => {
      const count = untold.get(kind) ?? 0;
      // The same records may be changed by several statements.
      untold.set(kind, isNew ? count + rows : Math.max(count, rows));
    };
    const noted = <Result>({ text }: Sql, result: Promise<Result>, countRows: (result: Result) => number) => {
      const written = findWritten(text);
      return written ? result.then((value) => (note(written, countRows(value)), value)) : result;
    };
    const tx: Queries = {
      ...statements,
      all: <Row>(query: Sql) => noted(query, statements.all<Row>(query), countAll),
      get: <Row>(query: Sql) => noted(query, statements.get<Row>(query), countOne),
      run: (query) => noted(query, statements.run(query), countRun),
      later: (query) => {
        const written = findWritten(query.text);
        if (written) note(written, 1);
        statements.later(query);
      },
      // A transaction can be wrapped: what is derived goes through the wrapper as well.
      async changed(this: Queries, kind, changes) {
        if (!schema)
          throw new Error("The database was opened without a schema: nothing says what follows from records.");
        const ids = told.get(kind) ?? new Set();
        told.set(kind, ids);
        for (const { id } of changes) ids.add(id);
        for (let start = 0; start < changes.length; start += changesAtOnce) {
          if (start > 0) await nextTurn();
          const some = changes.slice(start, start + changesAtOnce);
          for (const { from, derive } of derivedOf.get(kind) ?? []) {
            const relevant = some.filter((change) => hasChanged(change, from));
            if (relevant.length > 0) await derive(this, relevant);
          }
        }
      },
    };
    const transaction = { isOpen: true };
    let result: Result;
    try {
      result = await current.run(transaction, () => work(tx));
    } finally {
      // Work that it has started and not waited for may begin transactions from now on.
      transaction.isOpen = false;
    }
    for (const [kind, count] of isCopy ? [] : untold) {
      const said = told.get(kind)?.size ?? 0;
      if (said < count)
        throw new Error(
          `A transaction has changed ${count} records of the kind ${kind}, and has called tx.changed for ${said}.`,
        );
    }
    return result;
  };
}

const countAll = ({ length }: readonly unknown[]) => length;
const countOne = (row: unknown) => (row === null ? 0 : 1);
const countRun = (rows: number) => rows;

type Written = { kind: string; isNew: boolean };

/** Returns which kind of record a statement creates, or of which it assigns a column from which something follows. */
function createFinder(schema: Schema | null, derivedOf: Map<string, Derived[]>) {
  const watched = new Map(
    (schema?.documents ?? []).flatMap(({ kind, table }) => {
      const columns = new Set((derivedOf.get(kind) ?? []).flatMap(({ from }) => from));
      return columns.size === 0 ? [] : [[table, { kind, columns }]];
    }),
  );
  const known = new WeakMap<readonly string[], Written | null>();

  function find(text: readonly string[]): Written | null {
    const [, verb, table = ""] = /^\s*(INSERT INTO|UPDATE)\s+"?(\w+)/.exec(text[0] ?? "") ?? [];
    const found = watched.get(table);
    if (!found) return null;
    if (verb === "INSERT INTO") return { kind: found.kind, isNew: true };
    const [assignments = ""] = text.join("?").split(/\sWHERE\s/, 1);
    const assigned = Array.from(assignments.matchAll(/\b(\w+) = /g), ([, column = ""]) => column);
    return assigned.some((column) => found.columns.has(column)) ? { kind: found.kind, isNew: false } : null;
  }

  return (text: readonly string[]): Written | null => {
    let written = known.get(text);
    if (written === undefined) known.set(text, (written = find(text)));
    return written;
  };
}
