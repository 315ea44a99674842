import { AsyncLocalStorage } from "node:async_hooks";
import { waitedBefore } from "../deadline.ts";
import type { Log } from "../log.ts";
import type { DatabaseEvents } from "./database.ts";
import { namesRead } from "./generations.ts";
import type { Rows } from "./postgres-statements.ts";
import { nameOfReplica, openReplica, type Replica } from "./replica.ts";
import type { Value } from "./sql.ts";
import type { TouchedTable } from "./touched-tables.ts";
import type { WritePositions } from "./write-positions.ts";

type Options = {
  connections: number;
  events: DatabaseEvents;
  positions: Pick<WritePositions, "needed" | "history">;
  /** Resolves once `positions` knows every write that was acknowledged before the call. */
  fresh(): Promise<void> | null;
  log?: Log | undefined;
};

/** Which replica the reads of a request come from; null means the primary. */
type Reading = { replica: Replica | null };

/**
 * The replicas of a database. A request asks the primary once what was written, together with all requests that arrive in
 * the meantime, and then reads from one replica. What that has not reached yet comes from the primary, with all further reads of
 * the request: so none of them is older than one before.
 */
export function openReplicas(urls: readonly string[], { connections, events, positions, fresh, log }: Options) {
  const current = new AsyncLocalStorage<Reading>();
  const replicas = urls.map((url) => {
    const name = nameOfReplica(url);
    const replica: Replica = openReplica(url, {
      connections,
      events: events.replica(name, () => replica.state() === "following"),
      current: positions.history,
      changed(isBroken, reason) {
        if (isBroken) log?.warn("replica not used", { replica: name, reason });
        else log?.info("replica used again", { replica: name });
      },
    });
    return replica;
  });

  let turn = 0;
  return { readAnywhere, read, leave, close };

  async function readAnywhere<Result>(work: () => Promise<Result>): Promise<Result> {
    if (replicas.every((replica) => replica.state() === "broken")) {
      for (const replica of replicas) replica.pass();
      return work();
    }
    await fresh();
    const reading: Reading = { replica: choose() };
    try {
      return await current.run(reading, work);
    } finally {
      reading.replica = null;
    }
  }

  /**
   * Of those that follow the primary, the one with the fewest reads, and of several of these the next one; else one that is
   * behind, which may still have what is read.
   */
  function choose(): Replica | null {
    turn = (turn + 1) % replicas.length;
    const inTurn = [...replicas.slice(turn), ...replicas.slice(0, turn)];
    const following = inTurn.filter((replica) => replica.state() === "following");
    const [first = null] = following.toSorted((one, other) => one.reading() - other.reading());
    return first ?? inTurn.find((replica) => replica.state() === "behind") ?? null;
  }

  /** The rows of a statement; null if the primary is to be asked. */
  async function read(text: string, values: readonly Value[], reads: readonly TouchedTable[]): Promise<Rows | null> {
    const reading = current.getStore();
    if (!reading?.replica) return null;
    const [position, history] = [positions.needed(namesRead(reads, values)), positions.history()];
    const end = waitedBefore().begin();
    const rows =
      position === null || history === null ? null : await reading.replica.read(text, values, { position, history });
    end();
    if (!rows) reading.replica = null;
    return rows;
  }

  /** From here on, the request reads from the primary. */
  function leave(): void {
    const reading = current.getStore();
    if (reading) reading.replica = null;
  }

  async function close(timeout: number): Promise<void> {
    await Promise.all(replicas.map((replica) => replica.close(timeout)));
  }
}
