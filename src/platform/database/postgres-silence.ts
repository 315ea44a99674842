import type { Connection, Open } from "./postgres-connection.ts";
import type { Pool } from "./postgres-pool.ts";

const lookEveryMs = 1000;
const answerWithinMs = 2000;

type Options = {
  pools: Record<"reads" | "writes", Pool>;
  open: Open;
  /** The connections of all pools together. */
  max: number;
  /** A request on a connection that is silent for longer has failed. */
  timeoutMs: number;
};

/**
 * Asks the server about connections on which it owes a response for a second. While it is busy with their statements, as
 * when commits wait for a standby, they stay open: others in their place would wait, too, and the server would have both.
 * They are closed if it knows nothing of them, and if another server is the primary now.
 */
export function watchSilence({ pools, open, max, timeoutMs }: Options) {
  let timer: Timer | null = null;
  let isLooking = false;
  let hasFailed = false;
  /** Opened if all others are silent, and kept until one of them is not. */
  let own: Connection | null = null;

  const all = () => [...pools.reads.connections(), ...pools.writes.connections()];
  const isSilentFor = (one: Connection, ms: number) => performance.now() - (one.silentSince() ?? Infinity) > ms;
  const silentFor = (ms: number) => all().filter((one) => isSilentFor(one, ms));

  async function look(): Promise<void> {
    if (isLooking) return;
    const silent = silentFor(lookEveryMs);
    if (silent.length === 0) return rest();
    isLooking = true;
    try {
      const { server, busy } = await askWithin(silent);
      hasFailed = false;
      for (const pool of Object.values(pools)) pool.replaceFormerServer(server);
      const lost = silentFor(timeoutMs).filter(
        ({ pid }) => silent.some((one) => one.pid === pid) && !busy.includes(pid),
      );
      const since = lost.map((one) => one.silentSince());
      // Its response may be here already, and is read before this is over.
      await Bun.sleep(50);
      for (const [index, one] of lost.entries()) if (one.silentSince() === since[index]) one.close();
    } catch {
      hasFailed = true;
      own?.close();
      own = null;
    } finally {
      isLooking = false;
    }
  }

  function rest(): void {
    own?.close();
    own = null;
    hasFailed = false;
    if (all().some((one) => one.silentSince() !== null)) return;
    clearInterval(timer ?? undefined);
    timer = null;
  }

  async function askWithin(silent: Connection[]): Promise<{ server: string; busy: number[] }> {
    const late = Promise.withResolvers<never>();
    const answer = ask(silent);
    const end = setTimeout(() => late.reject(new Error("late")), answerWithinMs);
    answer.catch(() => {});
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(end);
    }
  }

  async function ask(silent: Connection[]): Promise<{ server: string; busy: number[] }> {
    const responsive = pools.reads.connections().find((one) => !hasFailed && !isSilentFor(one, lookEveryMs));
    const [row] = await (responsive ?? (await openOwn())).send(selectBusy(silent.map(({ pid }) => pid)));
    return { server: String(row?.server), busy: String(row?.busy).split(",").map(Number) };
  }

  async function openOwn(): Promise<Connection> {
    if (own && !own.isClosed()) return own;
    // A read is sent again elsewhere. If a transaction lost its connection, nobody would know whether it was committed.
    const reads = pools.reads.connections();
    if (all().length >= max) (reads.find((one) => one.silentSince() !== null) ?? reads[0])?.close();
    const opened = await open({}, () => {});
    // An earlier attempt may have been given up.
    if (own || !isLooking) opened.close();
    return (own ??= opened);
  }

  return {
    /** Something is asked of the server. */
    begin: () => void (timer ??= setInterval(() => void look(), lookEveryMs).unref()),
    end() {
      clearInterval(timer ?? undefined);
      own?.close();
    },
  };
}

/** A state that is not known counts as busy: through a pooler, the process may serve somebody else. */
const selectBusy = (pids: number[]) => `
  SELECT pg_postmaster_start_time()::text AS server, string_agg(pid::text, ',') AS busy
  FROM pg_stat_activity WHERE pid IN (${pids.join(", ")}) AND coalesce(state, '') NOT LIKE 'idle%'`;
