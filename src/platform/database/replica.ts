import type { ReplicaEvents } from "./database.ts";
import { isLostConnection } from "./postgres-errors.ts";
import { placeOf } from "./hosts.ts";
import { type Connection, createOpen, type Open } from "./postgres-connection.ts";
import { createPool } from "./postgres-pool.ts";
import { ask, print, type Rows } from "./postgres-statements.ts";
import type { Value } from "./sql.ts";
import { type Standing, selectStanding } from "./write-positions.ts";

/** What a read needs of a replica: how far it must have read the log of the primary, and the history of that. */
type Need = { position: number; history: string };

/** `following` until it turns out to be otherwise: then nobody waits for it, until it has caught up or responds again. */
type State = "following" | "behind" | "broken";

export type Replica = ReturnType<typeof openReplica>;

type ReplicaOptions = {
  connections: number;
  events: ReplicaEvents;
  /** The history of the primary; null if it is not known. */
  current(): string | null;
  /** Called when it stops responding, or is found to be no replica, and when it is one again. */
  changed(isBroken: boolean, reason: string): void;
};

/** After this long, a request turns to the primary. Its own time limit includes it. */
const timeoutMs = 1000;
/** How long after it was found behind, or broken, it is asked again; each further time twice as long. */
const pauses = { behind: [4, 1000], broken: [250, 5000] } as const;

/** A server that follows the primary, and may be behind it. */
export function openReplica(url: string, { connections, events, current, changed }: ReplicaOptions) {
  const open = openAny(url);
  const connect = () => createPool({ open, max: connections, isForWrites: false, isShared: true });
  let pool = connect();
  let state: State = "following";
  /** As far as it is known to have read the log, in this history. */
  let reached: Need | null = null;
  /** What was missing when it was found behind. */
  let missed: Need | null = null;
  let pause = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;
  let reading = 0;

  return {
    state: () => state,
    reading: () => reading,
    /** Null if it cannot be used for this: then the primary is to be asked. */
    async read(text: string, values: readonly Value[], need: Need): Promise<Rows | null> {
      if (state === "broken" || (state === "behind" && !hasReached(need))) return pass(state);
      reading++;
      try {
        const [standing, rows] = await inTime(askBoth(text, values));
        note(standing);
        if (!hasReached(need)) return fall("behind", need);
        if (rows.status === "fulfilled") return count(rows.value);
        // A statement can be in the way of what the replica has to do, and then is cancelled.
        return isLostConnection(rows.reason) ? fail(rows.reason) : pass("broken");
      } catch (error) {
        return fail(error);
      } finally {
        reading--;
      }
    },
    /** Counts a read for which another server had to be chosen. */
    pass: () => void (state === "following" || pass(state)),
    async close(seconds: number): Promise<void> {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await pool.close(seconds);
    },
  };

  function hasReached({ position, history }: Need): boolean {
    return reached !== null && reached.history === history && reached.position >= position;
  }

  function hasCaughtUp(): boolean {
    if (!missed) return true;
    return hasReached(missed.history === current() ? missed : { position: 0, history: current() ?? "" });
  }

  function note({ position, history }: Standing): void {
    if (position === null) throw new Error("it does not follow a primary");
    reached = history === null ? null : { position, history };
  }

  function count(rows: Rows): Rows {
    events.read();
    return rows;
  }

  /**
   * Both leave together, on one connection, in this order: the rows are at least as new as the position says, even if the
   * address leads to several servers.
   */
  async function askBoth(
    text: string,
    values: readonly Value[],
  ): Promise<[standing: Standing, rows: PromiseSettledResult<Rows>]> {
    const connection = await pool.take(performance.now() + timeoutMs);
    const [standing, rows] = await Promise.allSettled([askStanding(connection), ask(connection, text, values)]);
    connection.release();
    if (standing.status === "rejected") throw standing.reason;
    return [standing.value, rows];
  }

  async function askAlone(): Promise<Standing> {
    const connection = await pool.take(performance.now() + timeoutMs);
    return askStanding(connection).finally(connection.release);
  }

  function pass(reason: "behind" | "broken"): null {
    events.passed(reason);
    return null;
  }

  function fail(error: unknown): null {
    return fall("broken", null, (error as Error).message);
  }

  function fall(next: "behind" | "broken", need: Need | null, reason = ""): null {
    if (need) missed = need;
    if (state === "following" || (state === "behind" && next === "broken")) {
      if (next === "broken") replacePool();
      become(next, reason);
      pause = pauses[next][0];
      tryLater();
    }
    return pass(next);
  }

  function become(next: State, reason = ""): void {
    const wasBroken = state === "broken";
    state = next;
    if (wasBroken !== (next === "broken")) changed(next === "broken", reason);
  }

  /** Connections that do not respond stay blocked. */
  function replacePool(): void {
    void pool.close(0);
    pool = connect();
  }

  function tryLater(): void {
    if (isClosed) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void tryAgain(), pause);
    timer.unref();
  }

  async function tryAgain(): Promise<void> {
    timer = null;
    try {
      const standing = await inTime(askAlone());
      note(standing);
      if (hasCaughtUp()) {
        missed = null;
        return become("following");
      }
      become("behind");
    } catch (error) {
      if (isClosed) return;
      replacePool();
      become("broken", (error as Error).message);
    }
    const [first, longest] = pauses[state === "broken" ? "broken" : "behind"];
    pause = Math.min(Math.max(pause * 2, first), longest);
    tryLater();
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it does not respond")), timeoutMs);
  work.catch(() => {});
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Connections to one server, whatever it is. */
function openAny(url: string): Open {
  const open = createOpen(url);
  return (role, closed) => open({ ...role, isAnyServer: true }, closed);
}

async function askStanding(connection: Pick<Connection, "send">): Promise<Standing> {
  return (await ask(connection, print(selectStanding.text), selectStanding.values))[0] as Standing;
}

/** Where a replica stands now. */
export async function readStanding(url: string): Promise<Standing> {
  const connection = await openAny(url)({ isPrepared: false }, () => {});
  return askStanding(connection).finally(connection.close);
}

/** For people, without the password. */
export function nameOfReplica(url: string): string {
  const { host, port } = placeOf(url);
  return `${host}:${port}`;
}
