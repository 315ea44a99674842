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
 * a record, or assigned a column from which something follows, and has not said so: it cannot be forgotten.
 */
export function createDeriving(schema: Schema | null) {
  const derivedOf = Map.groupBy(schema?.derived ?? [], ({ kind }) => kind);
  const findWritten = createFinder(schema, derivedOf);

  return async <Result>(
    statements: Statements,
    work: (tx: Queries) => Promise<Result>,
    isCopy: boolean,
  ): Promise<Result> => {
    const untold = new Set<string>();
    const told = new Set<string>();
    const note = ({ text }: Sql) => {
      const kind = findWritten(text);
      if (kind !== null) untold.add(kind);
    };
    const tx: Queries = {
      ...statements,
      all: (query) => (note(query), statements.all(query)),
      get: (query) => (note(query), statements.get(query)),
      run: (query) => (note(query), statements.run(query)),
      later: (query) => (note(query), statements.later(query)),
      // A transaction can be wrapped: what is derived goes through the wrapper as well.
      async changed(this: Queries, kind, changes) {
        if (!schema)
          throw new Error("The database was opened without a schema: nothing says what follows from records.");
        told.add(kind);
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
    for (const kind of untold) {
      if (!isCopy && !told.has(kind))
        throw new Error(`A transaction has changed a record of the kind ${kind}, and has not called tx.changed.`);
    }
    return result;
  };
}

/** Returns which kind of record a statement creates, or of which it assigns a column from which something follows. */
function createFinder(schema: Schema | null, derivedOf: Map<string, Derived[]>) {
  const watched = new Map(
    (schema?.documents ?? []).flatMap(({ kind, table }) => {
      const columns = new Set((derivedOf.get(kind) ?? []).flatMap(({ from }) => from));
      return columns.size === 0 ? [] : [[table, { kind, columns }]];
    }),
  );
  const known = new WeakMap<readonly string[], string | null>();

  function find(text: readonly string[]): string | null {
    const [, verb, table = ""] = /^\s*(INSERT INTO|UPDATE)\s+"?(\w+)/.exec(text[0] ?? "") ?? [];
    const found = watched.get(table);
    if (!found) return null;
    if (verb === "INSERT INTO") return found.kind;
    const [assignments = ""] = text.join("?").split(/\sWHERE\s/, 1);
    const assigned = Array.from(assignments.matchAll(/\b(\w+) = /g), ([, column = ""]) => column);
    return assigned.some((column) => found.columns.has(column)) ? found.kind : null;
  }

  return (text: readonly string[]): string | null => {
    let kind = known.get(text);
    if (kind === undefined) known.set(text, (kind = find(text)));
    return kind;
  };
}
