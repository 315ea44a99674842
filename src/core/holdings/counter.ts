import type { Database } from "../../platform/database/database.ts";
import { collectReads } from "../../platform/database/generations.ts";
import { type Counted, countHoldings, type Reported } from "./count.ts";

/** Counting more records than this is noticeable, and is done at most once a minute. */
const largeSite = 10_000;
const minute = 60_000;

/** What all users store. */
export type HoldingsCounter = {
  /**
   * Counts again if something was written since the last count. One count serves all calls that waited for it. On a large
   * site, the count can be a minute old.
   */
  read(): Promise<Counted>;
  /** The last count, for transactions, which must not wait for another one; null if there was none. */
  latest(): Counted | null;
};

type Kept = Counted & { generation: number; tables: Set<string> };

export function createCounter(db: Database, reported: Reported): HoldingsCounter {
  let kept: Kept | null = null;
  let running: Promise<void> | null = null;

  async function count(): Promise<void> {
    const generation = db.generation();
    const tables = new Set<string>();
    kept = { ...(await collectReads(tables, () => countHoldings(db, reported))), generation, tables };
  }

  function isCurrent({ generation, tables, countedAt, site }: Kept, wanted: number): boolean {
    if (generation >= wanted || db.lastWrite(tables) <= generation) return true;
    const records = [...site.parts.values()].reduce((sum, part) => sum + part.count, 0);
    return records > largeSite && Date.now() - countedAt < minute;
  }

  return {
    latest: () => kept,
    async read() {
      await db.fresh();
      const wanted = db.generation();
      while (!kept || !isCurrent(kept, wanted)) {
        running ??= count().finally(() => (running = null));
        await running;
      }
      return kept;
    },
  };
}
