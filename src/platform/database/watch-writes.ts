import { createGenerations, separator } from "./generations.ts";
import { type Sql, sql } from "./sql.ts";
import { everyTable } from "./touched-tables.ts";

const blindAfter = 1000;

/**
 * The transactions that a snapshot of the database sees, and which of them an earlier snapshot did not see. `server` is another
 * one after a failover: ids that were lost with the old server are given again.
 */
export type Look = { server: string; snapshot: string; transactions: number; tables: string | null };

/** Between two names, not between a table and its row. */
const betweenNames = /;(?![\d+])/;

/**
 * Generations of tables that other processes also write to. Each transaction leaves a row with the names of what it has
 * written. Before a response from memory is sent, `fresh` waits for a look at the database that started after the
 * request. It finds the rows of all transactions that have ended since the previous look. If one of these has no row,
 * because another program has written or it was rolled back, every table counts as written. One look serves all
 * requests that arrived before it started, so at most two looks are pending at any time.
 */
export function watchWrites(look: (since: string | null) => Promise<Look>) {
  const generations = createGenerations();
  let last: Seen | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let startedAt = -Infinity;

  async function update(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("late")), blindAfter);
    startedAt = performance.now();
    try {
      const found = await Promise.race([look(last?.snapshot ?? null), late.promise]);
      const names = namesBetween(last, found);
      if (names) generations.written(names);
      last = found;
    } catch {
      // If the database cannot be read, assume that all of it has changed.
      generations.written([everyTable]);
    } finally {
      clearTimeout(timer);
    }
    running = null;
  }

  return {
    ...generations,
    fresh(latest = 0): Promise<void> | null {
      if (latest > 0 && performance.now() - startedAt < latest) return running;
      if (!running) return (running = update());
      next ??= running.then(() => {
        next = null;
        return (running = update());
      });
      return next;
    },
  };
}

type Seen = Pick<Look, "server" | "snapshot">;

/**
 * The names of what was written between two looks; null if no transaction has ended. If one has left no names, everything may
 * have been written.
 */
function namesBetween(
  earlier: Seen | null,
  { server, snapshot, transactions, tables }: Look,
): readonly string[] | null {
  if (server !== earlier?.server) return [everyTable];
  if (snapshot === earlier.snapshot) return null;
  const isComplete = countEnded(earlier.snapshot, snapshot) === transactions;
  return isComplete ? (tables?.split(betweenNames) ?? []) : [everyTable];
}

/**
 * How many transactions were running or not begun in the earlier snapshot, and have ended in the later one. A snapshot
 * is the lowest id that was running, the first id that was not assigned, and the ids between them that were running.
 */
function countEnded(earlier: string, later: string): number {
  const parse = (snapshot: string) => {
    const [, unassigned = "", running = ""] = snapshot.split(":");
    return { unassigned: BigInt(unassigned), running: running === "" ? 0 : running.split(",").length };
  };
  const [before, after] = [parse(earlier), parse(later)];
  return Number(after.unassigned - before.unassigned) + before.running - after.running;
}

/**
 * A dump of the database has the rows of another server, whose ids mean nothing here, or will mean something else later. What
 * tells them apart is the transaction that has written them.
 */
const isOwn = sql`xmin = transaction_id::xid`;

/** The statement of a look. All parts of it see the same snapshot. */
export const selectLook = (since: string | null): Sql => sql`
  SELECT pg_postmaster_start_time()::text AS server, pg_current_snapshot()::text AS snapshot,
    count(*) AS transactions, string_agg(tables, ';') AS tables
  FROM written_tables
  WHERE transaction_id >= pg_snapshot_xmin(CAST(${since} AS TEXT)::pg_snapshot)
    AND NOT pg_visible_in_snapshot(transaction_id, CAST(${since} AS TEXT)::pg_snapshot) AND ${isOwn}`;

/** To be sent before the commit of a transaction with the names of what it has written. A row of another server gives way. */
export const recordWritten = (names: Iterable<string>): Sql => sql`
  INSERT INTO written_tables (tables) VALUES (${[...names].join(separator)})
  ON CONFLICT (transaction_id) DO UPDATE SET tables = excluded.tables`;

/** More rows than are needed: a process that has not looked for longer counts every table as written. */
const kept = 1000;

/** For the start, and for every few seconds after that. */
export const removeUnusedWritten = sql`
  DELETE FROM written_tables
  WHERE transaction_id < greatest(0, pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${kept})::text::xid8
    OR NOT (${isOwn})`;
