import { constants, Database as Sqlite, type Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type Disk, placeOf, unwatchedDisk } from "../disk.ts";
import { isLocked } from "../disk-errors.ts";
import { syncDirectory } from "../durable.ts";
import {
  type Database,
  DatabaseError,
  type DatabaseEvents,
  noEvents,
  type Reader,
  type Statements,
} from "./database.ts";
import { createDeriving } from "./changes.ts";
import { addWritten, createGenerations, noteReads } from "./generations.ts";
import { groupTransactions } from "./group-commit.ts";
import { migrate, type Upgrade } from "./migrate.ts";
import { observed } from "./observe.ts";
import { sql, type Sql, type Value } from "./sql.ts";
import type { Schema } from "./tables.ts";
import { createTableFinder, everyTable, type TableFinder, touchesNothing, type Touched } from "./touched-tables.ts";
import { whenUnlocked } from "./unlocked.ts";
import { type Draft, draftSnapshot, removeSurplusSnapshots } from "./upgrade-snapshots.ts";
import { openWal, usualLogBytes } from "./wal.ts";

type Options = { events?: DatabaseEvents; schema?: Schema | null; disk?: Disk; upgrade?: SqliteUpgrade };
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
 * SQLite itself does not wait for other processes, because that would stop the event loop (`unlocked.ts`).
 */
export async function openSqlite(
  path: string,
  { events: { asked } = noEvents, schema = null, disk = unwatchedDisk, upgrade = {} }: Options = {},
): Promise<Database> {
  const writer = connect(path);
  await prepare(path, writer, schema, upgrade);
  const wal = await openWal(`${path}-wal`, disk.checkPlaces);
  await syncDirectory(dirname(path));
  const reader = connect(path);
  for (const connection of [writer, reader]) connection.run("PRAGMA busy_timeout = 0");
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
  const { all, get } = queries(reader, findTables, noteRead, recover);
  const tx = queries(writer, findTables, ({ reads, writes }, values) => {
    asked();
    noteReads(reads, values);
    for (const one of writes) addWritten(written, one, values);
  });
  const derive = createDeriving(schema);
  const groups = groupTransactions(writer, tx, disk, () => {
    generations.written(written);
    written.clear();
  });

  return {
    engine: "sqlite",
    isShared: false,
    all,
    get,
    generation: generations.current,
    lastWrite: generations.lastWrite,
    fresh: watchOthers(writer, () => generations.written([everyTable])),
    async transaction(work, { isLong = false, isCopy = false, committed } = {}) {
      const result = await groups.run((statements) => derive(statements, work, isCopy), isLong);
      await wal.flush();
      committed?.();
      return result;
    },
    runExclusively: async (_task, work) => void (await work({ check: async () => {} })),
    largeLogBytes: wal.largeBytes,
    releaseMemory() {
      for (const connection of [reader, writer]) connection.run("PRAGMA shrink_memory");
    },
    async close() {
      await groups.close();
      for (const end of unwatch) end();
      await wal.close();
      reader.close();
      writer.close();
    },
  };
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

function connect(path: string): Sqlite {
  try {
    const connection = new Sqlite(path, { create: true, strict: true });
    // Until the database is open; after that, nothing may stop the event loop.
    connection.run("PRAGMA busy_timeout = 5000");
    connection.run("PRAGMA journal_mode = WAL");
    connection.run("PRAGMA synchronous = NORMAL");
    connection.run(`PRAGMA journal_size_limit = ${usualLogBytes}`);
    connection.run("PRAGMA foreign_keys = ON");
    connection.run("PRAGMA cache_size = -16384");
    connection.run("PRAGMA temp_store = MEMORY");
    return connection;
  } catch (error) {
    throw new DatabaseError(`The database ${path} cannot be opened: ${(error as Error).message}.`);
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
type Prepared = { statement: Statement; printed: string; touched: Touched; writes?: ReadonlySet<string> };

const nothing = sql``;

/** Returns what `again` does when it can, or throws. */
type Recover = <Result>(error: unknown, again: () => Result) => Promise<Result>;

const rethrow: Recover = async (error) => {
  throw error;
};

/**
 * There is only one writer at a time, so row locks are not needed. `used` is called for every statement that runs, `recover`
 * for every read that fails.
 */
function queries(
  connection: Sqlite,
  findTables: TableFinder = () => touchesNothing,
  used: (touched: Touched, values: readonly Value[]) => void = () => {},
  recover: Recover = rethrow,
): Statements {
  const byText = new Map<string, Prepared>();
  const byPieces = new WeakMap<readonly string[], Prepared>();
  const find = ({ text }: Sql): Prepared => byPieces.get(text) ?? prepareNew(text);
  const prepare = (query: Sql): Statement => {
    const { statement, touched } = find(query);
    used(touched, query.values);
    return statement;
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
  return observed("sqlite", {
    shard: 0,
    forUpdate: nothing,
    forShare: nothing,
    lock: async () => {},
    mayWrite(query, table) {
      const prepared = find(query);
      // Most statements need no closer look.
      if (!prepared.touched.writes.some((one) => one.table === table)) return false;
      return (prepared.writes ??= findCompiledWrites(connection, prepared.printed)).has(table);
    },
    later(query) {
      prepare(query).run(...query.values);
    },
    async all<Row>(query: Sql) {
      const read = () => prepare(query).all(...query.values) as Row[];
      try {
        return read();
      } catch (error) {
        return recover(error, read);
      }
    },
    async get<Row>(query: Sql) {
      const read = () => prepare(query).get(...query.values) as Row | null;
      try {
        return read();
      } catch (error) {
        return recover(error, read);
      }
    },
    async run(query) {
      return prepare(query).run(...query.values).changes;
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
