import { AsyncLocalStorage } from "node:async_hooks";
import { everyTable } from "./touched-tables.ts";

type Generations = {
  /** Grows with every write. */
  current(): number;
  /** The generation in which one of the tables was last written. */
  lastWrite(tables: Iterable<string>): number;
  /** To be called after a commit. */
  written(tables: Iterable<string>): void;
};

/** When each table was last written, counted in writes of any table. */
export function createGenerations(): Generations {
  let current = 0;
  let all = 0;
  const byTable = new Map<string, number>();
  return {
    current: () => current,
    lastWrite(tables) {
      let last = all;
      for (const table of tables) last = Math.max(last, table === everyTable ? current : (byTable.get(table) ?? 0));
      return last;
    },
    written(tables) {
      current++;
      for (const table of tables) {
        if (table === everyTable) all = current;
        else byTable.set(table, current);
      }
    },
  };
}

const collecting = new AsyncLocalStorage<Set<string>>();

/** Adds the tables that `work` reads to the set, also those of its statements that run later. */
export const collectReads = <Result>(tables: Set<string>, work: () => Result): Result => collecting.run(tables, work);

/** To be called by an engine for every statement. */
export function noteReads(tables: readonly string[]): void {
  const collected = collecting.getStore();
  if (collected) for (const table of tables) collected.add(table);
}
