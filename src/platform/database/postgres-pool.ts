import type { Connection, Open } from "./postgres-connection.ts";
import { unreachable } from "./postgres-errors.ts";

type PoolOptions = {
  open: Open;
  max: number;
  isForWrites: boolean;
  /** Statements of several users are sent on one connection if there are more users than connections. */
  isShared: boolean;
};

/** A connection until `release` is called. */
export type Taken = Pick<Connection, "send" | "close"> & { release(): void };

type Pooled = { connection: Connection; users: number; usedAt: number };
type Waiting = { deadline: number; resolve: (taken: Taken) => void; reject: (error: unknown) => void };

const closeIdleAfterMs = 30_000;
const maxAgeMs = 3_600_000;
const growAgainAfterMs = 5000;
const lookEveryMs = 1000;

/**
 * Opens connections when all others are in use, and closes those that nobody has used for a while, but for the last.
 * If the server refuses another one, it goes on with those that it has.
 */
export function createPool({ open, max, isForWrites, isShared }: PoolOptions) {
  /** The one used last is the last. */
  let pooled: Pooled[] = [];
  let waiting: Waiting[] = [];
  let opening = 0;
  let growAt = 0;
  let looking: Timer | null = null;
  let isOver = false;

  function take(deadline: number): Promise<Taken> {
    if (isOver) return Promise.reject(unreachable());
    looking ??= setInterval(look, lookEveryMs).unref();
    const idle = pooled.findLast(({ users }) => users === 0);
    if (idle) return Promise.resolve(use(idle));
    if (mayGrow()) void grow();
    const shared = isShared && opening === 0 ? leastUsed() : null;
    if (shared) return Promise.resolve(use(shared));
    const { promise, resolve, reject } = Promise.withResolvers<Taken>();
    waiting.push({ deadline, resolve, reject });
    return promise;
  }

  function use(one: Pooled): Taken {
    one.users++;
    let isReleased = false;
    const { send, close } = one.connection;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      one.users--;
      one.usedAt = performance.now();
      if (one.connection.isClosed()) return;
      if (one.usedAt - one.connection.openedAt > maxAgeMs && one.users === 0) one.connection.close();
      else serve(one);
    };
    return { send, close, release };
  }

  /** Gives the connection to the next who waits. */
  function serve(one: Pooled): void {
    const now = performance.now();
    while (one.users === 0) {
      const next = waiting.shift();
      if (!next) return;
      if (next.deadline > now) next.resolve(use(one));
      else next.reject(unreachable());
    }
  }

  const mayGrow = () =>
    pooled.length + opening < max && opening <= waiting.length && (pooled.length === 0 || performance.now() > growAt);

  const leastUsed = () =>
    pooled.reduce<Pooled | null>((least, one) => (least && least.users <= one.users ? least : one), null);

  async function grow(): Promise<void> {
    opening++;
    try {
      const connection = await open({ isForWrites }, lose);
      opening--;
      if (isOver || (connection.isServerFull && pooled.length > 0)) {
        connection.close();
        refuse(null);
      } else {
        const one = { connection, users: 0, usedAt: performance.now() };
        replaceFormerServer(connection.server);
        pooled.push(one);
        serve(one);
      }
    } catch (error) {
      opening--;
      refuse(error);
    }
  }

  /** Those who wait get a connection that others use, too, or go on waiting for one; if there is none, they fail. */
  function refuse(error: unknown): void {
    growAt = performance.now() + growAgainAfterMs;
    if (pooled.length > 0 && !isShared) return;
    if (pooled.length === 0 && opening > 0) return;
    for (const { resolve, reject } of waiting.splice(0)) {
      const shared = leastUsed();
      if (shared) resolve(use(shared));
      else reject(error ?? unreachable());
    }
  }

  function lose(connection: Connection): void {
    pooled = pooled.filter((one) => one.connection !== connection);
    if (waiting.length > 0 && mayGrow()) void grow();
  }

  /** After a switch to another server, the former one may still respond, or be silent for ever. */
  function replaceFormerServer(server: string): void {
    for (const { connection } of pooled) if (connection.server !== server) connection.close();
  }

  function look(): void {
    const now = performance.now();
    for (const late of waiting.filter(({ deadline }) => deadline <= now)) late.reject(unreachable());
    waiting = waiting.filter(({ deadline }) => deadline > now);
    const [, ...more] = pooled.toReversed();
    for (const { users, usedAt, connection } of more) {
      if (users === 0 && now - usedAt > closeIdleAfterMs) connection.close();
    }
    if (waiting.length > 0 && mayGrow()) void grow();
    if (pooled.length > 1 || pooled.some(({ users }) => users > 0) || waiting.length > 0) return;
    clearInterval(looking ?? undefined);
    looking = null;
  }

  return {
    take,
    replaceFormerServer,
    connections: () => pooled.map(({ connection }) => connection),
    /** Closes the connections when they are no longer used, or after this many seconds. */
    async close(seconds: number): Promise<void> {
      isOver = true;
      clearInterval(looking ?? undefined);
      const end = performance.now() + seconds * 1000;
      while (pooled.some(({ users }) => users > 0) && performance.now() < end) await Bun.sleep(10);
      for (const { connection } of pooled) connection.close();
      for (const { reject } of waiting.splice(0)) reject(unreachable());
    },
  };
}

export type Pool = ReturnType<typeof createPool>;
