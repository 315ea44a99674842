import { createDeriving, refuseNested } from "./changes.ts";
import {
  type Database,
  DatabaseError,
  type DatabaseEvents,
  noEvents,
  type Reader,
  type Statements,
} from "./database.ts";
import { addWritten, noteReads } from "./generations.ts";
import { splitHosts } from "./hosts.ts";
import { createLeases } from "./leases.ts";
import { migrate, type Upgrade } from "./migrate.ts";
import { observed } from "./observe.ts";
import {
  crowded,
  explain,
  isConflict,
  isLostConnection,
  isReadOnly,
  isRefusedWrite,
  isRefusedForNow,
  isSharedConnection,
  isTimeout,
  poolerInUse,
  readOnly,
  unreachable,
  unusable,
} from "./postgres-errors.ts";
import { createOpen, type Connection } from "./postgres-connection.ts";
import { keepPlans, planAsUsual } from "./postgres-plans.ts";
import type { Taken } from "./postgres-pool.ts";
import { openPools } from "./postgres-pools.ts";
import { queries } from "./postgres-queries.ts";
import { ask, print, type Rows } from "./postgres-statements.ts";
import type { Sql, Value } from "./sql.ts";
import type { Schema } from "./tables.ts";
import { createTableFinder, type TableFinder } from "./touched-tables.ts";
import { type Look, recordWritten, selectLook, watchWrites } from "./watch-writes.ts";

type PostgresOptions = {
  /** Connections each for reads and for transactions: neither can use up the connections of the other. */
  connections?: number;
  /** How long one request may wait for the database, including all its statements and retries. */
  timeoutMs?: number;
  events?: DatabaseEvents;
  /** What the modules expect of the database; without it, only the migrations of the program run. */
  schema?: Schema | null;
  upgrade?: Upgrade;
};

const longTimeoutMs = 25_000;
const migrationLock = 0x76_69_74_72;
const migrationTimeout = 60_000;
const switchTimeout = 20_000;
const tablesInUse =
  "The database cannot be migrated while another session locks its tables, such as a running pg_dump; start again after that has finished.";

/**
 * PostgreSQL. Transactions are read committed: each statement sees what was committed before it began, and writers of
 * the same record wait for its row lock (`forUpdate`). Transactions that deadlock or insert the same unique key are
 * retried.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { connections = 8, timeoutMs = 4500, events = noEvents, schema = null, upgrade } = options;
  const pools = openPools(url, { connections, timeoutMs, events });
  let findTables: TableFinder;
  try {
    await prepare(() => afterSwitch(url, () => pools.take("writes")), schema, upgrade);
    // Before the first connection for reads.
    await keepPlans(() => pools.take("writes"));
    const all = async <Row>({ text, values }: Sql) => (await askOne(print(text), values)) as Row[];
    findTables = await createTableFinder({ engine: "postgres", ...observed("postgres", { all }) });
  } catch (error) {
    await pools.close(0);
    throw unusable(url, error);
  }
  const writes = watchWrites(async (since) => {
    const { text, values } = selectLook(since);
    return (await askOne(print(text), values))[0] as Look;
  });
  await writes.fresh();
  const derive = createDeriving(schema);

  // A read can also be part of a deadlock, with the migration of a newer version.
  const isWorthIt = (error: unknown) => isConflict(error) || isLostConnection(error) || isReadOnly(error);

  const read = ({ text, values }: Sql) =>
    pools.inTime("reads", (take, deadline) => {
      events.asked();
      events.roundTrip();
      const printed = print(text);
      noteReads(findTables(printed).reads, values);
      return tryAgain(() => askOne(printed, values, take), isWorthIt, deadline);
    });

  const transaction: Database["transaction"] = async (work, { isLong = false, isCopy = false, committed } = {}) => {
    refuseNested();
    const run = (statements: Statements) => derive(statements, work, isCopy);
    const result = await pools.inTime(
      "writes",
      (take, deadline) => tryAgain(() => runTransaction(take, run, deadline), isWorthIt, deadline),
      isLong ? longTimeoutMs : timeoutMs,
    );
    committed?.();
    return result;
  };

  const { all, get } = observed<Reader>("postgres", {
    all: <Row>(query: Sql) => read(query) as Promise<Row[]>,
    get: async <Row>(query: Sql) => ((await read(query))[0] ?? null) as Row | null,
  });

  return {
    engine: "postgres",
    isShared: true,
    all,
    get,
    generation: writes.current,
    lastWrite: writes.lastWrite,
    fresh: writes.fresh,
    transaction,
    runExclusively: createLeases({ transaction }),
    largeLogBytes: () => null,
    releaseMemory() {},
    close: () => pools.close(5),
  };

  async function runTransaction<Result>(
    take: () => Promise<Taken>,
    work: (tx: Statements) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    const asked = performance.now();
    const connection = await take();
    events.waited(performance.now() - asked);
    const milliseconds = Math.max(Math.round(deadline - performance.now()), 1);
    let isCommitting = false;
    const written = new Set<string>();
    try {
      // Sent together with the first statement: PostgreSQL runs them in order.
      events.roundTrip();
      const begun = connection.send(
        `BEGIN; ${planAsUsual}; SET LOCAL statement_timeout = ${milliseconds}; SET LOCAL idle_in_transaction_session_timeout = 10000`,
      );
      begun.catch(() => {});
      const { tx, sent, inFlight } = queries(connection, events, findTables, {
        used: ({ reads }, values) => noteReads(reads, values),
        wrote: (touched, values, outcome) => addWritten(written, touched, values, outcome),
      });
      const result = await work(tx);
      isCommitting = true;
      if (inFlight() === 0) events.roundTrip();
      // Statements that were not awaited are sent with the commit, which PostgreSQL turns into a rollback if any of
      // them failed.
      const { text, values } = recordWritten(written);
      const recorded = written.size > 0 ? ask(connection, print(text), values) : null;
      const committed = Promise.all([recorded, connection.send("COMMIT")]);
      committed.catch(() => {});
      // Their error is the reason if the record fails, too.
      await Promise.all([begun, ...sent]);
      await committed;
      connection.release();
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

  async function askOne(text: string, values: readonly Value[], take = () => pools.take("reads")): Promise<Rows> {
    const connection = await take();
    try {
      return await ask(connection, text, values);
    } finally {
      connection.release();
    }
  }

  /** Retries with growing, random delays until it succeeds, another kind of error occurs, or the time is up. */
  async function tryAgain<Result>(
    attempt: () => Promise<Result>,
    isWorthIt: (error: unknown) => boolean,
    deadline: number,
  ) {
    let refused = 0;
    for (let pause = 4; ; pause = Math.min(pause * 2, 500)) {
      try {
        return await attempt();
      } catch (error) {
        // A new connection is one to a server that takes writes, so another refusal is not because of a switch.
        if (isRefusedWrite(error) && ++refused > 1) throw readOnly(error);
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
          if (reason === "conflict") throw crowded();
          throw isReadOnly(error) ? readOnly(error) : unreachable();
        }
        events.retried(reason);
        await Bun.sleep(wait);
      }
    }
  }
}

/** A copy that starts while the primary changes, or while all connections are in use, waits for a while. */
async function afterSwitch<Result>(url: string, connect: () => Promise<Result>): Promise<Result> {
  const hasOthers = (splitHosts(url)?.length ?? 1) > 1;
  for (const started = performance.now(); ; await Bun.sleep(500)) {
    try {
      return await connect();
    } catch (error) {
      const isWorthIt = isRefusedForNow(error) || (hasOthers && isLostConnection(error));
      if (!isWorthIt || performance.now() - started > switchTimeout) throw error;
    }
  }
}

/** Reads a database without migrating or changing it. */
export async function peekPostgres<Result>(url: string, work: (db: Reader) => Promise<Result>): Promise<Result> {
  let connection: Connection | null = null;
  try {
    connection = await afterSwitch(url, () => createOpen(url)({ isPrepared: false }, () => {}));
    await connection.send(`BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; ${planAsUsual}`);
    return await work(queries(connection, noEvents).tx);
  } catch (error) {
    throw unusable(url, error);
  } finally {
    connection?.close();
  }
}

/**
 * Copies that start at the same time wait for each other here. A migration that needs a table in use gives up soon and
 * retries later, because all requests for that table wait behind it. Each has a transaction of its own: one for all would
 * keep the locks of the first while it waits for those of the next.
 */
async function prepare(take: () => Promise<Taken>, schema: Schema | null, upgrade?: Upgrade): Promise<void> {
  for (let started = performance.now(); ; await Bun.sleep(500 + Math.random() * 1000)) {
    try {
      while (!(await prepareOnce(take, schema, upgrade))) started = performance.now();
      return;
    } catch (error) {
      if (!isTimeout(error) && !isConflict(error)) throw error;
      if (performance.now() - started < migrationTimeout) continue;
      throw isTimeout(error) ? new DatabaseError(tablesInUse) : error;
    }
  }
}

async function prepareOnce(take: () => Promise<Taken>, schema: Schema | null, upgrade?: Upgrade): Promise<boolean> {
  const connection = await take();
  try {
    await connection.send(`BEGIN; ${planAsUsual}; SET LOCAL statement_timeout = 0`);
    await connection.send(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await connection.send("SET LOCAL lock_timeout = 1000");
    const isDone = await migrate(queries(connection, noEvents).tx, "postgres", schema, upgrade);
    await connection.send("COMMIT");
    connection.release();
    return isDone;
  } catch (error) {
    await rollBack(connection, error);
    throw error;
  }
}

/** Makes the connection usable again. */
async function rollBack(connection: Taken, error: unknown): Promise<void> {
  try {
    // After a switch, the next connection is one to the new primary.
    if (isReadOnly(error)) connection.close();
    else if (!isLostConnection(error)) await connection.send("ROLLBACK");
  } catch {
    // The server rolls back the transactions of a lost connection.
  }
  connection.release();
}
