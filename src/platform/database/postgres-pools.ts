import { SQL } from "bun";
import { waitedBefore } from "../deadline.ts";
import type { DatabaseEvents } from "./database.ts";
import { unreachable } from "./postgres-errors.ts";

type PoolsOptions = {
  /** Connections each for reads and for transactions: neither can use up the connections of the other. */
  connections: number;
  /** How long one request may wait for the database, including all its statements and retries. */
  timeoutMs: number;
  events: DatabaseEvents;
};

type PoolName = "reads" | "writes";

/** The connections of one process: some for reads, and others for transactions. */
export function openPools(url: string, { connections, timeoutMs, events }: PoolsOptions) {
  const connect = () => openPool(url, connections);
  const pools = { reads: connect(), writes: connect() };
  const uses = { reads: events.pool("reads", connections), writes: events.pool("writes", connections) };

  return {
    current: (name: PoolName): SQL => pools[name],
    inTime,
    async close(timeout: number): Promise<void> {
      await Promise.all(Object.values(pools).map((pool) => pool.close({ timeout }).catch(() => {})));
    },
  };

  /**
   * Fails when the time is up. A connection that does not respond stays blocked, so new requests use a new pool;
   * requests on the old one may still finish.
   */
  async function inTime<Result>(
    name: PoolName,
    work: (pool: () => SQL, deadline: number) => Promise<Result>,
    maxMs = timeoutMs,
  ): Promise<Result> {
    const wait = waitedBefore();
    const left = Math.max(maxMs - wait.milliseconds(), 0);
    const started = performance.now();
    const end = wait.begin();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      void pools[name].close({ timeout: 10 }).catch(() => {});
      pools[name] = connect();
      events.failed("timeout");
      late.reject(unreachable());
    }, left);
    uses[name].start();
    try {
      return await Promise.race([work(() => pools[name], started + left - 200), late.promise]);
    } finally {
      uses[name].end();
      clearTimeout(timer);
      end();
    }
  }
}

/** With `prepare`, statements are parsed once per connection. Poolers reject other startup parameters, so there are none. */
export function openPool(url: string, max: number, prepare = true): SQL {
  return new SQL({
    url,
    max,
    prepare,
    bigint: true,
    connectionTimeout: 4,
    idleTimeout: 60,
    maxLifetime: 3600,
    connection: { application_name: "vitrine" },
  });
}
