import type { ReservedSQL, SQL } from "bun";
import { withoutSharedDeadline } from "../deadline.ts";
import type { Log } from "../log.ts";
import { createDeriving } from "./changes.ts";
import {
  type Database,
  DatabaseError,
  type DatabaseEvents,
  noEvents,
  type Reader,
  type Statements,
} from "./database.ts";
import { addWritten, noteReads } from "./generations.ts";
import { createLeases } from "./leases.ts";
import { migrate, type Upgrade } from "./migrate.ts";
import { observed } from "./observe.ts";
import {
  crowded,
  explain,
  isAborted,
  isConflict,
  isLostConnection,
  isSharedConnection,
  isTimeout,
  poolerInUse,
  unreachable,
  unusable,
} from "./postgres-errors.ts";
import { openPool, openPools } from "./postgres-pools.ts";
import { ask, print } from "./postgres-statements.ts";
import { sql, type Sql, type Value } from "./sql.ts";
import type { Schema } from "./tables.ts";
import { createTableFinder, type TableFinder, touchesNothing, type Touched } from "./touched-tables.ts";
import { openReplicas } from "./replicas.ts";
import { recordWritten, selectLook, watchWrites } from "./watch-writes.ts";
import {
  lookedPosition,
  type PositionedLook,
  readIdentity,
  watchPositions,
  type WritePositions,
} from "./write-positions.ts";

type PostgresOptions = {
  /** Connections each for reads and for transactions: neither can use up the connections of the other. */
  connections?: number;
  /** How long one request may wait for the database, including all its statements and retries. */
  timeoutMs?: number;
  events?: DatabaseEvents;
  /** What the modules expect of the database; without it, only the migrations of the program run. */
  schema?: Schema | null;
  upgrade?: Upgrade;
  /** URLs of servers that follow this one, from which guests' requests may read. */
  replicas?: readonly string[];
  log?: Log;
};

const longTimeoutMs = 25_000;
const migrationLock = 0x76_69_74_72;
const migrationTimeout = 60_000;
const tablesInUse =
  "The database cannot be migrated while another session locks its tables, such as a running pg_dump; start again after that has finished.";

/**
 * PostgreSQL. Transactions are read committed: each statement sees what was committed before it began, and writers of
 * the same record wait for its row lock (`forUpdate`). Transactions that deadlock or insert the same unique key are
 * retried.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const {
    connections = 8,
    timeoutMs = 4500,
    events = noEvents,
    schema = null,
    upgrade,
    replicas: replicaURLs = [],
  } = options;
  const pools = openPools(url, { connections, timeoutMs, events });
  let findTables: TableFinder;
  let positions: WritePositions | null = null;
  try {
    await prepare(pools.current("writes"), schema, upgrade);
    const all = async <Row>({ text, values }: Sql) => (await ask(pools.current("reads"), print(text), values)) as Row[];
    findTables = await createTableFinder({ engine: "postgres", ...observed("postgres", { all }) });
    if (replicaURLs.length > 0) positions = watchPositions(await readIdentity(all), runAside);
  } catch (error) {
    await pools.close(0);
    throw unusable(url, error);
  }
  const writes = watchWrites(async (since) => {
    const { text, values } = selectLook(since, positions ? lookedPosition : undefined);
    return (await ask(pools.current("reads"), print(text), values))[0] as PositionedLook;
  }, positions ?? undefined);
  const replicas = positions
    ? openReplicas(replicaURLs, { connections, events, positions, fresh: writes.fresh, log: options.log })
    : null;
  const derive = createDeriving(schema);

  // A read can also be part of a deadlock, with the migration of a newer version.
  const isWorthIt = (error: unknown) => isConflict(error) || isLostConnection(error);

  const read = async ({ text, values }: Sql) => {
    const printed = print(text);
    const { reads } = findTables(printed);
    events.asked();
    noteReads(reads, values);
    const rows = replicas && (await replicas.read(printed, values, reads));
    if (rows) return rows;
    return pools.inTime("reads", (pool, deadline) => {
      events.roundTrip();
      return tryAgain(() => ask(pool(), printed, values), isWorthIt, deadline);
    });
  };

  const transaction: Database["transaction"] = async (work, { isLong = false, isCopy = false, committed } = {}) => {
    replicas?.leave();
    const run = (statements: Statements) => derive(statements, work, isCopy);
    const result = await pools.inTime(
      "writes",
      (pool, deadline) => tryAgain(() => runTransaction(pool(), run, deadline), isWorthIt, deadline),
      isLong ? longTimeoutMs : timeoutMs,
    );
    committed?.();
    return result;
  };

  const { all, get } = observed<Reader>("postgres", {
    all: <Row>(query: Sql) => read(query) as Promise<Row[]>,
    get: async <Row>(query: Sql) => ((await read(query))[0] ?? null) as Row | null,
  });

  await writes.fresh();
  return {
    engine: "postgres",
    isShared: true,
    all,
    get,
    generation: writes.current,
    lastWrite: writes.lastWrite,
    fresh: writes.fresh,
    ...(replicas && { readAnywhere: replicas.readAnywhere }),
    transaction,
    runExclusively: createLeases({ transaction }),
    largeLogBytes: () => null,
    releaseMemory() {},
    async close() {
      await Promise.all([pools.close(5), replicas?.close(5)]);
    },
  };

  /** Whoever has caused it does not wait for it. */
  function runAside(query: Sql): Promise<unknown> {
    return withoutSharedDeadline(() => transaction((tx) => tx.run(query)));
  }

  async function runTransaction<Result>(
    pool: SQL,
    work: (tx: Statements) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    const asked = performance.now();
    const connection = await pool.reserve();
    events.waited(performance.now() - asked);
    const milliseconds = Math.max(Math.round(deadline - performance.now()), 1);
    let isCommitting = false;
    const written = new Set<string>();
    try {
      // Sent together with the first statement: PostgreSQL runs them in order.
      events.roundTrip();
      const begun = connection.unsafe(
        `BEGIN; SET LOCAL statement_timeout = ${milliseconds}; SET LOCAL idle_in_transaction_session_timeout = 10000`,
      );
      begun.catch(() => {});
      const { tx, sent, inFlight } = queries(connection, events, findTables, ({ reads, writes }, values) => {
        noteReads(reads, values);
        for (const one of writes) addWritten(written, one, values);
      });
      const result = await work(tx);
      isCommitting = true;
      if (inFlight() === 0) events.roundTrip();
      // Statements that were not awaited are sent with the commit, which PostgreSQL turns into a rollback if any of
      // them failed.
      const { text, values } = recordWritten(written);
      const recorded = written.size > 0 ? ask(connection, print(text), values) : null;
      const committed = Promise.all([recorded, connection.unsafe("COMMIT")]);
      committed.catch(() => {});
      // Their error is the reason if the record fails, too.
      await Promise.all([begun, ...sent]);
      await committed;
      void connection.release();
      return result;
    } catch (error) {
      await rollBack(connection, error);
      // If the response to a commit is lost, its outcome is unknown: a retry could write twice.
      if (isCommitting && isLostConnection(error)) throw unreachable();
      throw error;
    } finally {
      if (isCommitting) writes.written(written);
    }
  }

  /** Retries with growing, random delays until it succeeds, another kind of error occurs, or the time is up. */
  async function tryAgain<Result>(
    attempt: () => Promise<Result>,
    isWorthIt: (error: unknown) => boolean,
    deadline: number,
  ) {
    for (let pause = 4; ; pause = Math.min(pause * 2, 500)) {
      try {
        return await attempt();
      } catch (error) {
        if (isTimeout(error)) {
          events.failed("busy");
          throw crowded();
        }
        if (isSharedConnection(error)) throw new DatabaseError(poolerInUse);
        if (!isWorthIt(error)) throw explain(error);
        const reason = isConflict(error) ? "conflict" : "connection";
        const wait = Math.random() * pause;
        if (performance.now() + wait > deadline) {
          events.failed(reason);
          throw reason === "conflict" ? crowded() : unreachable();
        }
        events.retried(reason);
        await Bun.sleep(wait);
      }
    }
  }
}

/** Reads a database without migrating or changing it. */
export async function peekPostgres<Result>(url: string, work: (db: Reader) => Promise<Result>): Promise<Result> {
  const pool = openPool(url, 1, false);
  try {
    const connection = await pool.reserve();
    await connection.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return await work(queries(connection, noEvents).tx);
  } catch (error) {
    throw unusable(url, error);
  } finally {
    await pool.close({ timeout: 0 }).catch(() => {});
  }
}

/**
 * Copies that start at the same time wait for each other here. A migration that needs a table in use gives up soon and
 * retries later, because all requests for that table wait behind it.
 */
async function prepare(pool: SQL, schema: Schema | null, upgrade?: Upgrade): Promise<void> {
  for (const started = performance.now(); ; await Bun.sleep(500 + Math.random() * 1000)) {
    try {
      return await prepareOnce(pool, schema, upgrade);
    } catch (error) {
      if (!isTimeout(error) && !isConflict(error)) throw error;
      if (performance.now() - started < migrationTimeout) continue;
      throw isTimeout(error) ? new DatabaseError(tablesInUse) : error;
    }
  }
}

async function prepareOnce(pool: SQL, schema: Schema | null, upgrade?: Upgrade): Promise<void> {
  const connection = await pool.reserve();
  try {
    await connection.unsafe("BEGIN; SET LOCAL statement_timeout = 0");
    await connection.unsafe(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await connection.unsafe("SET LOCAL lock_timeout = 1000");
    await migrate(queries(connection, noEvents).tx, "postgres", schema, upgrade);
    await connection.unsafe("COMMIT");
    void connection.release();
  } catch (error) {
    await rollBack(connection, error);
    throw error;
  }
}

/** Makes the connection usable again. */
async function rollBack(connection: ReservedSQL, error: unknown): Promise<void> {
  try {
    if (!isLostConnection(error)) await connection.unsafe("ROLLBACK");
  } catch {
    // The server rolls back the transactions of a lost connection.
  }
  void connection.release();
}

const rowLocks = { forUpdate: sql`FOR NO KEY UPDATE`, forShare: sql`FOR SHARE` };

/** `sent` holds the statements that were not awaited one by one, `inFlight` counts those without a response. */
function queries(
  connection: ReservedSQL,
  { asked, roundTrip }: DatabaseEvents,
  findTables: TableFinder = () => touchesNothing,
  used: (touched: Touched, values: readonly Value[]) => void = () => {},
) {
  const sent: Promise<unknown>[] = [];
  const shard = Math.floor(Math.random() * 16);
  // The first statement is sent together with BEGIN, which has been counted.
  let isFirst = true;
  let inFlight = 0;
  let first: unknown;
  const run = async ({ text, values }: Sql) => {
    asked();
    if (inFlight++ === 0 && !isFirst) roundTrip();
    isFirst = false;
    const printed = print(text);
    used(findTables(printed), values);
    try {
      return await ask(connection, printed, values);
    } catch (error) {
      first ??= error;
      // A statement that was not awaited has failed before: that is the reason.
      throw isAborted(error) ? first : error;
    } finally {
      inFlight--;
    }
  };
  const tx: Statements = {
    ...rowLocks,
    shard,
    mayWrite: ({ text }, table) => findTables(print(text)).writes.some((one) => one.table === table),
    all: <Row>(query: Sql) => run(query) as Promise<Row[]>,
    get: async <Row>(query: Sql) => ((await run(query))[0] ?? null) as Row | null,
    run: async (query) => (await run(query)).count,
    later(query) {
      const running = run(query);
      running.catch(() => {});
      sent.push(running);
    },
    async lock(name) {
      await run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
    },
  };
  return { tx: observed("postgres", tx), sent, inFlight: () => inFlight };
}
