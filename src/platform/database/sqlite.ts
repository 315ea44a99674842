import { constants, Database as Sqlite } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type Disk, placeOf, unwatchedDisk } from "../disk.ts";
import { isLocked } from "../disk-errors.ts";
import { syncDirectory } from "../durable.ts";
import type { Log } from "../log.ts";
import { createDeriving, refuseNested } from "./changes.ts";
import { connect, waitOutside } from "./connection.ts";
import { type Database, type DatabaseEvents, noEvents, type Reader, type Statements } from "./database.ts";
import { addWritten, createGenerations, noteReads, type Outcome } from "./generations.ts";
import { groupTransactions } from "./group-commit.ts";
import { migrate, type Upgrade } from "./migrate.ts";
import { observed } from "./observe.ts";
import { sql, type Sql, type Value } from "./sql.ts";
import type { Schema } from "./tables.ts";
import { createTableFinder, everyTable, type TableFinder, touchesNothing, type Touched } from "./touched-tables.ts";
import { whenUnlocked } from "./unlocked.ts";
import { type Draft, draftSnapshot, removeSurplusSnapshots } from "./upgrade-snapshots.ts";
import { openWal } from "./wal.ts";
import { startWriterThread, usualSlowCommitMs, watchCommits, type Writer, type WriterStatement } from "./writer.ts";

export type SqliteOptions = {
  events?: DatabaseEvents;
  schema?: Schema | null;
  disk?: Disk;
  upgrade?: SqliteUpgrade;
  /** Of a server, whose event loop others wait for: only then does a thread write when commits are slow. */
  log?: Log;
  slowCommitMs?: number;
};
export type SqliteUpgrade = Pick<Upgrade, "next"> & {
  hasNoSnapshot?: boolean;
  /** Called with the path of the snapshot. */
  copied?(path: string): void;
};

/**
 * SQLite in WAL mode: one connection writes, another one reads what is committed.
 *
 * Transactions that wait are committed together (`group-commit.ts`). A commit does not flush by itself (`synchronous =
 * NORMAL`). The WAL file is flushed afterwards, off the event loop, and all that was committed in the meantime shares the
 * next flush. Only then do the transactions resolve, if the files are still in their places: after somebody has removed
 * them, writing to them succeeds as before.
 *
 * Both connections belong to this thread, until commits turn out to be slow: then another thread writes (`writer.ts`), and
 * reads do not wait for it.
 */
export async function openSqlite(
  path: string,
  { schema = null, disk = unwatchedDisk, upgrade = {}, ...options }: SqliteOptions = {},
): Promise<Database> {
  const { events: { asked } = noEvents, log, slowCommitMs = log ? usualSlowCommitMs : Infinity } = options;
  const writer = connect(path);
  await prepare(path, writer, schema, upgrade);
  const wal = await openWal(`${path}-wal`, disk.checkPlaces);
  await syncDirectory(dirname(path));
  const reader = connect(path);
  for (const connection of [writer, reader]) waitOutside(connection);
  const unwatch = [disk.watch(placeOf(path)), disk.watch(wal.isLinked)];

  const findTables = await createTableFinder({ engine: "sqlite", ...queries(reader) });
  const generations = createGenerations();
  const written = new Set<string>();
  const recover = async <Result>(error: unknown, again: () => Result): Promise<Result> => {
    if (!isLocked(error)) throw disk.explain(error);
    return whenUnlocked(again);
  };
  const noteRead = ({ reads }: Touched, values: readonly Value[]) => {
    asked();
    noteReads(reads, values);
  };
  const { all, get } = queries(reader, { findTables, used: noteRead, recover });
  const noteWritten = (touched: Touched, values: readonly Value[], outcome: Outcome) =>
    addWritten(written, touched, values, outcome);
  const transactionsOn = (writer: Writer) => ({
    writer,
    tx: queries(writer, { findTables, used: noteRead, wrote: noteWritten, planner: reader }),
  });
  const derive = createDeriving(schema);
  const othersWrote = () => generations.written([everyTable]);
  let fresh = watchOthers(writer, othersWrote);
  let moving = null as Promise<void> | null;
  const groups = groupTransactions(transactionsOn(writer), disk, {
    committed() {
      generations.written(written);
      written.clear();
    },
    kept: watchCommits(slowCommitMs, () => void (moving = moveToThread())),
  });

  return {
    engine: "sqlite",
    isShared: false,
    all,
    get,
    generation: generations.current,
    lastWrite: generations.lastWrite,
    fresh: (latest) => fresh(latest),
    async transaction(work, { isLong = false, isCopy = false, committed } = {}) {
      refuseNested();
      const result = await groups.run((statements) => derive(statements, work, isCopy), isLong);
      await wal.flush();
      committed?.();
      return result;
    },
    runExclusively: async (_task, work) => void (await work({ check: async () => {} })),
    largeLogBytes: wal.largeBytes,
    releaseMemory() {
      reader.run("PRAGMA shrink_memory");
      groups.releaseMemory();
    },
    async close() {
      await groups.finish();
      await moving;
      await groups.close();
      for (const end of unwatch) end();
      await wal.close();
      reader.close();
    },
  };

  async function moveToThread(): Promise<void> {
    try {
      groups.moveTo(transactionsOn(await startWriterThread(path)));
      // To ask the thread would be to wait for it. The connection that reads cannot tell its commits from those of others.
      fresh = watchOthers(reader, othersWrote);
      othersWrote();
      log?.warn("the disk is slow: from now on, a thread of its own writes to the database");
    } catch (error) {
      log?.error("the disk is slow, and no thread could be started for it", { reason: (error as Error).message });
    }
  }
}

/** Reads a database without migrating or changing it, even while a server is running. */
export async function peekSqlite<Result>(path: string, work: (db: Reader) => Promise<Result>): Promise<Result> {
  // Without a WAL file SQLite would create one, unless it is told that no other process writes.
  const connection = existsSync(`${path}-wal`)
    ? new Sqlite(path, { readonly: true })
    : new Sqlite(`${pathToFileURL(path).href}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  try {
    return await work(queries(connection));
  } finally {
    connection.close();
  }
}

/** Moves what is in the log into the database file, and removes the log. Throws if another program uses the database. */
export function leaveLog(path: string): void {
  const connection = connect(path);
  try {
    connection.run("PRAGMA journal_mode = DELETE");
  } finally {
    connection.close();
  }
}

/** Before an upgrade, a snapshot is made: nothing is written between the two. One of an upgrade that fails is removed. */
async function prepare(path: string, writer: Sqlite, schema: Schema | null, upgrade: SqliteUpgrade): Promise<void> {
  let snapshot = null as Draft | null;
  const begin = async (version: string | null) => {
    if (upgrade.hasNoSnapshot) return;
    snapshot = await draftSnapshot(path, version);
    upgrade.copied?.(snapshot.path);
  };
  await whenUnlocked(() => writer.run("BEGIN IMMEDIATE"));
  try {
    await migrate(queries(writer), "sqlite", schema, { ...upgrade, begin });
    await snapshot?.keep();
    writer.run("COMMIT");
  } catch (error) {
    writer.run("ROLLBACK");
    writer.close();
    snapshot?.discard();
    throw error;
  }
  if (snapshot) removeSurplusSnapshots(dirname(path));
}

/**
 * Commands of other processes may write while the server is running. That is checked from time to time only, because it
 * would cost more than many a response; this connection does not count its own commits.
 */
function watchOthers(writer: Sqlite, changed: () => void): (latest?: number) => null {
  const version = writer.prepare<{ data_version: number }, []>("PRAGMA data_version");
  let last = read();
  let lastCheck = 0;
  return (latest = usualLatest) => {
    const now = performance.now();
    if (now < lastCheck + latest) return null;
    lastCheck = now;
    const current = read();
    if (current !== last) changed();
    last = current;
    return null;
  };

  /** While another process has locked even that, it may have written. */
  function read(): number | null {
    try {
      return version.get()?.data_version ?? null;
    } catch (error) {
      if (!isLocked(error)) throw error;
      return null;
    }
  }
}

const usualLatest = 100;

/** `writes` is found when somebody asks for it. */
type Prepared = { statement: WriterStatement; printed: string; touched: Touched; writes?: ReadonlySet<string> };

const nothing = sql``;

/** Returns what `again` does when it can, or throws. */
type Recover = <Result>(error: unknown, again: () => Result) => Promise<Result>;

const rethrow: Recover = async (error) => {
  throw error;
};

type QueryOptions = {
  findTables?: TableFinder;
  /** Called for every statement that runs. */
  used?: (touched: Touched, values: readonly Value[]) => void;
  /** Called after every statement that may write. */
  wrote?: (touched: Touched, values: readonly Value[], outcome: Outcome) => void;
  /** Called for every read that fails. */
  recover?: Recover;
  /** Compiles statements without running them, to see what they write. */
  planner?: Sqlite;
};

/** There is only one writer at a time, so row locks are not needed. */
function queries(connection: Pick<Writer, "prepare">, options: QueryOptions = {}): Statements {
  const { findTables = () => touchesNothing, used = () => {}, wrote = () => {}, recover = rethrow, planner } = options;
  const byText = new Map<string, Prepared>();
  const byPieces = new WeakMap<readonly string[], Prepared>();
  const find = ({ text }: Sql): Prepared => byPieces.get(text) ?? prepareNew(text);
  const prepare = (query: Sql): Prepared => {
    const prepared = find(query);
    used(prepared.touched, query.values);
    return prepared;
  };
  function prepareNew(text: readonly string[]): Prepared {
    const printed = print(text);
    const prepared = byText.get(printed) ?? {
      statement: connection.prepare(printed),
      printed,
      touched: findTables(printed),
    };
    byText.set(printed, prepared);
    byPieces.set(text, prepared);
    return prepared;
  }
  async function write<Row>({ statement, touched }: Prepared, { values }: Sql): Promise<Row[]> {
    const rows = (await statement.all(...values)) as Row[];
    wrote(touched, values, rows);
    return rows;
  }
  return observed("sqlite", {
    shard: 0,
    forUpdate: nothing,
    forShare: nothing,
    lock: async () => {},
    mayWrite(query, table) {
      const prepared = find(query);
      // Most statements need no closer look.
      if (!prepared.touched.writes.some((one) => one.table === table)) return false;
      return !planner || (prepared.writes ??= findCompiledWrites(planner, prepared.printed)).has(table);
    },
    later(query) {
      const { statement, touched } = prepare(query);
      if (statement.later) statement.later(...query.values);
      else void statement.run(...query.values);
      wrote(touched, query.values, null);
    },
    async all<Row>(query: Sql) {
      const prepared = prepare(query);
      if (prepared.touched.writes.length > 0) return write<Row>(prepared, query);
      const read = () => prepared.statement.all(...query.values) as Row[] | Promise<Row[]>;
      try {
        return read();
      } catch (error) {
        return recover(error, read);
      }
    },
    async get<Row>(query: Sql) {
      const prepared = prepare(query);
      if (prepared.touched.writes.length > 0) return (await write<Row>(prepared, query))[0] ?? null;
      const read = () => prepared.statement.get(...query.values) as Row | null | Promise<Row | null>;
      try {
        return read();
      } catch (error) {
        return recover(error, read);
      }
    },
    async run(query) {
      const { statement, touched } = prepare(query);
      const { changes } = await statement.run(...query.values);
      wrote(touched, query.values, changes);
      return changes;
    },
  });
}

/** The tables that the compiled statement writes to, with the programs of its triggers and foreign keys. */
function findCompiledWrites(connection: Sqlite, printed: string): ReadonlySet<string> {
  const roots = connection.query<{ rootpage: number; name: string }, []>(
    "SELECT rootpage, name FROM sqlite_schema WHERE type = 'table'",
  );
  const names = new Map(roots.all().map(({ rootpage, name }) => [rootpage, name]));
  const steps = connection.prepare<Step, []>(`EXPLAIN ${printed}`);
  const written = steps.all().flatMap(({ opcode, p1, p2 }) => {
    // A DELETE of all rows clears the table without a cursor.
    const name = opcode === "OpenWrite" ? names.get(p2) : opcode === "Clear" ? names.get(p1) : undefined;
    return name ?? [];
  });
  steps.finalize();
  return new Set(written);
}

type Step = { opcode: string; p1: number; p2: number };

/**
 * `?1`, `?2`: SQLite takes `$1` for a name and binds names by first appearance. A parameter alone after LIMIT or OFFSET
 * would make it plan the statement again on every call; an expression does not.
 */
function print(text: readonly string[]): string {
  const printed = text.reduce((before, piece, index) => `${before}?${index}${piece}`);
  return printed.replaceAll(/\b(?:LIMIT|OFFSET) \?\d+/g, "$& + 0");
}
