import type { Blobs, Received } from "../../platform/blobs/blobs.ts";
import type { ByteStream } from "../../platform/byte-stream.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { inParallel } from "../../platform/in-parallel.ts";
import { removeUnused } from "./released.ts";
import { noReservation, type Reservation } from "./reservation.ts";

/** Bytes that were received, until a row refers to them. Disposing of it removes them unless they were stored. */
export type Incoming = AsyncDisposable &
  Pick<Received, "sha256" | "size" | "head"> & {
    /** The owner whose quota counts the bytes until they are stored; null: they are not counted. */
    reservedFor: number | null;
    /**
     * Keeps the bytes, and calls `write` in a transaction to write the row that refers to them. Before that it calls `check`,
     * which can read the kept bytes, and throw to refuse them. If it throws, it may be called again.
     */
    store<Result>(write: (tx: Queries) => Promise<Result>, check?: () => Promise<void>): Promise<Result>;
  };

/** Bytes that came just now: several can be stored in one transaction, by the steps of `store`. */
export type NewIncoming = Incoming & {
  steps: { keep(): Promise<void>; end(tx: Queries): Promise<void>; committed(): void };
};

/** Flushes that run together share the work of the disk: as many as an import stores in one transaction. */
const keptAtOnce = 50;

/** Keeps the bytes of all, and calls `write` in one transaction to write the rows that refer to them. */
export async function storeTogether<Result>(
  db: Database,
  all: NewIncoming[],
  write: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  await inParallel(all, keptAtOnce, ({ steps }) => steps.keep());
  const writeAndEnd = async (tx: Queries) => {
    const written = await write(tx);
    for (const { steps } of all) await steps.end(tx);
    return written;
  };
  return db.transaction(writeAndEnd, { committed: () => all.forEach(({ steps }) => steps.committed()) });
}

export type Source = {
  stream: ByteStream;
  /** At least this many bytes will come: if the quota does not leave space for them, nothing is read. */
  atLeast?: number;
  /** Returns how many bytes there will be at most in the end, after `size` bytes have come. */
  atMost?: (size: number) => number;
  /** Called now and then while the bytes that were received are transferred to the storage. */
  moved?: () => void;
};

/** Writes no byte that is not reserved. */
export async function receiveIncoming(
  db: Database,
  blobs: Pick<Blobs, "receive" | "removeUnused">,
  source: Source,
  reservation: Reservation,
): Promise<NewIncoming> {
  let state: "received" | "kept" | "stored" = "received";
  let keeping: Promise<void> | null = null;
  const received = await receive().catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const { sha256, size, head } = received;
  const steps: NewIncoming["steps"] = {
    async keep() {
      state = "kept";
      await (keeping ??= received.keep(source.moved));
    },
    end: (tx) => reservation.end(tx),
    committed() {
      state = "stored";
      // Before the transaction waits for the removal of what it has released: another may wait for these bytes.
      received.discard().catch(() => {});
    },
  };
  const incoming: NewIncoming = {
    sha256,
    size,
    head,
    reservedFor: reservation.ownerID,
    steps,
    async store(write, check) {
      await steps.keep();
      await check?.();
      return storeTogether(db, [incoming], write);
    },
    async [Symbol.asyncDispose]() {
      await received.discard();
      if (state === "stored") return;
      // If the database cannot be reached, the sweep removes the bytes.
      if (state === "kept") await removeUnused(db, blobs, [sha256]).catch(() => {});
      await release();
    },
  };
  return incoming;

  async function receive(): Promise<Received> {
    const { stream, atLeast = 0, atMost = () => Infinity } = source;
    if (atLeast > 0) await reservation.grow(atLeast, atMost(0));
    return blobs.receive(reservation === noReservation ? stream : reserved(stream, atMost));
  }

  async function* reserved(stream: Source["stream"], atMost: (size: number) => number): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      await reservation.grow(size, atMost(size));
      yield chunk;
    }
  }

  /** If the database cannot be reached, the reservation expires. */
  async function release(): Promise<void> {
    await reservation.release().catch(() => {});
  }
}
