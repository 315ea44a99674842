import { type ReservedSQL, SQL } from "bun";
import { Problem } from "../../errors.ts";
import { type Database, DatabaseError, type Queries } from "./database.ts";
import { migrate } from "./migrate.ts";
import { isConflict, isLostConnection } from "./postgres-errors.ts";
import type { Sql, Value } from "./sql.ts";
import { watchWrites } from "./watch-writes.ts";

/** What a request may wait for the database, all tries together. */
const patience = 4500;
/** Reads and transactions have connections of their own: neither can use up what the other waits for. */
const connections = 8;
const migrationLock = 0x76_69_74_72;

/**
 * PostgreSQL. Transactions are serializable, so that code written as if there were one writer stays true with many copies
 * of the program; those that get in each other's way are tried again.
 */
export async function openPostgres(url: string): Promise<Database> {
  const pools = { reads: connect(url), writes: connect(url) };
  try {
    await prepare(pools.writes);
  } catch (error) {
    await closePools(0);
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`DATABASE_URL cannot be used: ${(error as Error).message}`);
  }
  const writes = watchWrites(async () => {
    const [row] = await ask(pools.reads, "SELECT pg_current_snapshot()::text AS snapshot", []);
    return (row as { snapshot: string }).snapshot;
  });

  const read = ({ text, values }: Sql) =>
    inTime("reads", (pool, deadline) => tryAgain(() => ask(pool(), print(text), values), isLostConnection, deadline));

  return {
    engine: "postgres",
    all: <Row>(query: Sql) => read(query) as Promise<Row[]>,
    get: async <Row>(query: Sql) => ((await read(query))[0] ?? null) as Row | null,
    generation: writes.generation,
    transaction: (work) =>
      inTime("writes", (pool, deadline) => {
        const isWorthIt = (error: unknown) => isConflict(error) || isLostConnection(error);
        return tryAgain(() => runTransaction(pool(), work, writes.happened), isWorthIt, deadline);
      }),
    alone: (task, work) => runAlone(pools.writes, task, work),
    async close() {
      writes.stop();
      await closePools(5);
    },
  };

  /** Fails when the patience is at its end. A connection that does not answer stays stuck: a new pool is the way on. */
  async function inTime<Result>(
    kind: keyof typeof pools,
    work: (pool: () => SQL, deadline: number) => Promise<Result>,
  ): Promise<Result> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      void pools[kind].close({ timeout: 0 }).catch(() => {});
      pools[kind] = connect(url);
      late.reject(away());
    }, patience);
    try {
      return await Promise.race([work(() => pools[kind], performance.now() + patience - 200), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function closePools(timeout: number): Promise<void> {
    await Promise.all(Object.values(pools).map((pool) => pool.close({ timeout }).catch(() => {})));
  }
}

function connect(url: string): SQL {
  return new SQL({
    url,
    max: connections,
    bigint: true,
    connectionTimeout: 4,
    idleTimeout: 60,
    maxLifetime: 3600,
    connection: {
      application_name: "vitrine",
      statement_timeout: "4000",
      idle_in_transaction_session_timeout: "10000",
    },
  });
}

/** Copies that start at the same time wait for each other here. */
async function prepare(pool: SQL): Promise<void> {
  const connection = await pool.reserve();
  try {
    await connection.unsafe("BEGIN");
    await connection.unsafe("SET LOCAL statement_timeout = 0");
    await connection.unsafe(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await migrate(queries(connection), "postgres");
    await connection.unsafe("COMMIT");
    void connection.release();
  } catch (error) {
    await connection.close().catch(() => {});
    throw error;
  }
}

async function runTransaction<Result>(
  pool: SQL,
  work: (tx: Queries) => Promise<Result>,
  mayHaveWritten: () => void,
): Promise<Result> {
  const connection = await pool.reserve();
  let isCommitting = false;
  try {
    await connection.unsafe("BEGIN ISOLATION LEVEL SERIALIZABLE");
    const result = await work(queries(connection));
    isCommitting = true;
    await connection.unsafe("COMMIT");
    mayHaveWritten();
    void connection.release();
    return result;
  } catch (error) {
    if (isCommitting) mayHaveWritten();
    // Released inside a transaction, the connection is closed, and the server rolls back.
    void connection.release();
    // Whether a commit whose answer got lost took place, nobody knows: to try again could write twice.
    if (isCommitting && isLostConnection(error)) throw away();
    throw error;
  }
}

/** Tries until it works, the error is of another kind, or time is up; with pauses that grow and differ. */
async function tryAgain<Result>(
  attempt: () => Promise<Result>,
  isWorthIt: (error: unknown) => boolean,
  deadline: number,
) {
  for (let pause = 4; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthIt(error)) throw error;
      const wait = Math.random() * pause;
      if (performance.now() + wait > deadline) throw away();
      await Bun.sleep(wait);
    }
  }
}

/** The lock belongs to a connection of its own: it goes when the process does. */
async function runAlone(pool: SQL, task: string, work: () => Promise<unknown>): Promise<void> {
  const connection = await pool.reserve();
  try {
    const [row] = await ask(connection, "SELECT pg_try_advisory_lock(hashtext($1)) AS mine", [`vitrine ${task}`]);
    if ((row as { mine: boolean }).mine) await work();
  } finally {
    await connection.close();
  }
}

function queries(connection: ReservedSQL): Queries {
  const run = ({ text, values }: Sql) => ask(connection, print(text), values);
  return {
    lanes: 16,
    all: <Row>(query: Sql) => run(query) as Promise<Row[]>,
    get: async <Row>(query: Sql) => ((await run(query))[0] ?? null) as Row | null,
    run: async (query) => (await run(query)).count,
  };
}

type Rows = Record<string, unknown>[] & { count: number };

async function ask(connection: SQL, text: string, values: readonly Value[]): Promise<Rows> {
  const rows = (await connection.unsafe(text, [...values])) as Rows;
  for (const row of rows) {
    for (const key in row) if (typeof row[key] === "bigint") row[key] = Number(row[key]);
  }
  return rows;
}

const printed = new WeakMap<readonly string[], string>();

function print(text: readonly string[]): string {
  let result = printed.get(text);
  if (result === undefined) {
    result = text.reduce((before, piece, index) => `${before}$${index}${piece}`);
    printed.set(text, result);
  }
  return result;
}

function away(): Problem {
  return new Problem("unavailable", "The database does not answer; try again in a moment.");
}
