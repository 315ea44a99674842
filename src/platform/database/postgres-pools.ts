import { waitedBefore } from "../deadline.ts";
import type { DatabaseEvents } from "./database.ts";
import { createOpen } from "./postgres-connection.ts";
import { unreachable } from "./postgres-errors.ts";
import { createPool, type Taken } from "./postgres-pool.ts";
import { watchSilence } from "./postgres-silence.ts";

type PoolsOptions = {
  /** Connections each for reads and for transactions: neither can use up the connections of the other. */
  connections: number;
  /** How long one request may wait for the database, including all its statements and retries. */
  timeoutMs: number;
  events: DatabaseEvents;
};

type PoolName = "reads" | "writes";

/** The connections of one process: some for reads, and others for transactions. */
export function openPools(url: string, { connections: max, timeoutMs, events }: PoolsOptions) {
  const open = createOpen(url);
  const pools = {
    reads: createPool({ open, max, isForWrites: false, isShared: true }),
    writes: createPool({ open, max, isForWrites: true, isShared: false }),
  };
  const uses = { reads: events.pool("reads", max), writes: events.pool("writes", max) };
  const silence = watchSilence({ pools, open, max: 2 * max, timeoutMs });

  return {
    /** A connection for work that has its own time. */
    take(name: PoolName): Promise<Taken> {
      silence.begin();
      return pools[name].take(Infinity);
    },
    inTime,
    async close(seconds: number): Promise<void> {
      silence.end();
      await Promise.all(Object.values(pools).map((pool) => pool.close(seconds)));
    },
  };

  /**
   * Fails when the time is up. A connection on which the server does not respond stays in use until it does, so that
   * there are never more than `max`.
   */
  async function inTime<Result>(
    name: PoolName,
    work: (take: () => Promise<Taken>, deadline: number) => Promise<Result>,
    maxMs = timeoutMs,
  ): Promise<Result> {
    const wait = waitedBefore();
    const left = Math.max(maxMs - wait.milliseconds(), 0);
    const started = performance.now();
    const end = wait.begin();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      events.failed("timeout");
      late.reject(unreachable());
    }, left);
    uses[name].start();
    silence.begin();
    const deadline = started + left - 200;
    try {
      return await Promise.race([work(() => pools[name].take(deadline), deadline), late.promise]);
    } finally {
      uses[name].end();
      clearTimeout(timer);
      end();
    }
  }
}
