import type { Blobs, Received } from "../../platform/blobs/blobs.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { removeUnused } from "./released.ts";
import type { Reservation } from "./reservation.ts";

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

export type Source = {
  stream: AsyncIterable<Uint8Array>;
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
  blobs: Blobs,
  source: Source,
  reservation: Reservation,
): Promise<Incoming> {
  let state: "received" | "kept" | "stored" = "received";
  let keeping: Promise<void> | null = null;
  const received = await receive().catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const { sha256, size, head } = received;

  return {
    sha256,
    size,
    head,
    reservedFor: reservation.ownerID,
    async store(write, check) {
      state = "kept";
      await (keeping ??= received.keep(source.moved));
      await check?.();
      const writeAndEnd = async (tx: Queries) => {
        const written = await write(tx);
        await reservation.end(tx);
        return written;
      };
      const committed = () => {
        state = "stored";
        // Before the transaction waits for the removal of what it has released: another may wait for these bytes.
        received.discard().catch(() => {});
      };
      return db.transaction(writeAndEnd, { committed });
    },
    async [Symbol.asyncDispose]() {
      await received.discard();
      if (state === "stored") return;
      // If the database cannot be reached, the sweep removes the bytes.
      if (state === "kept") await removeUnused(db, blobs, [sha256]).catch(() => {});
      await release();
    },
  };

  async function receive(): Promise<Received> {
    const { stream, atLeast = 0, atMost = () => Infinity } = source;
    if (atLeast > 0) await reservation.grow(atLeast, atMost(0));
    return blobs.receive(reserved(stream, atMost));
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
