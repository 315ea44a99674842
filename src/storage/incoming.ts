import type { Blobs, Received } from "../platform/blobs/blobs.ts";
import type { Database, Queries } from "../platform/database/database.ts";
import { removeUnused } from "./released.ts";
import { noReservation, type Reservation } from "./reservation.ts";

/** Bytes on their way to a row. Whoever receives them closes them, stored or not. */
export type Incoming = Pick<Received, "sha256" | "size" | "head"> & {
  /**
   * Keeps the bytes, and has `write` write the row that refers to them, in a transaction. Calls `moved` now and then while
   * a long transfer goes on.
   */
  store<Result>(write: (tx: Queries) => Promise<Result>, moved?: () => void): Promise<Result>;
  /** Removes the bytes and ends their reservation, unless they were stored. */
  close(): Promise<void>;
};

export type Source = {
  stream: AsyncIterable<Uint8Array>;
  /** So many bytes will come in any case: where they are too many, none is read. */
  atLeast?: number;
  /** When `size` bytes have come, there will be no more than this in the end. */
  atMost?: (size: number) => number;
};

/** Writes no byte that is not reserved. */
export async function receiveIncoming(
  db: Database,
  blobs: Blobs,
  source: Source,
  reservation: Reservation = noReservation,
): Promise<Incoming> {
  let state: "received" | "kept" | "stored" = "received";
  const received = await receive().catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const { sha256, size, head } = received;

  return {
    sha256,
    size,
    head,
    async store(write, moved) {
      state = "kept";
      await received.keep(moved);
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
    async close() {
      await received.discard();
      if (state === "stored") return;
      // Where the database cannot be reached, the bytes are left to the sweep.
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

  /** Where the database cannot be reached, the reservation ends by itself. */
  async function release(): Promise<void> {
    await reservation.release().catch(() => {});
  }
}
