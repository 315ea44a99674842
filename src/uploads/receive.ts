import { Problem } from "../errors.ts";
import type { Images } from "../images/read.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database } from "../platform/database/database.ts";
import { readBody } from "../platform/http/body.ts";
import { type Exchange, moveOn } from "../platform/http/exchange.ts";
import type { Caller } from "../platform/http/route.ts";
import type { StorageLimits } from "../storage/quota.ts";
import { finishUpload } from "./finish.ts";
import type { Checksum } from "./protocol.ts";
import { addPart, getUpload, type StoredUpload } from "./store.ts";

export type Receiver = {
  /** Takes the body in as the next part, and makes the file when it was the last. */
  receive(exchange: Exchange, caller: Caller, upload: StoredUpload, checksum: Checksum | null): Promise<StoredUpload>;
  /**
   * Where to go on. Whoever asks has lost the connection they had, even if this end has not heard of it yet: what came
   * over it is kept first. A file that could not be made when its last byte came is made now.
   */
  resume(exchange: Exchange, caller: Caller, id: number): Promise<StoredUpload>;
  /** Ends the bodies that still come in, and waits until what has come is kept. */
  close(): Promise<void>;
};

export function createReceiver(db: Database, blobs: Blobs, images: Images, limits: StorageLimits): Receiver {
  const running = new Set<{ id: number; exchange: Exchange; done: Promise<unknown> }>();

  return {
    async receive(exchange, caller, upload, checksum) {
      const done = take(exchange, caller, upload, checksum);
      const work = { id: upload.id, exchange, done };
      running.add(work);
      return done.finally(() => running.delete(work));
    },

    async resume(exchange, caller, id) {
      await settle([...running].filter((work) => work.id === id));
      return finishUpload(db, blobs, images, limits, exchange, caller, await getUpload(db, id));
    },

    close: () => settle([...running]),
  };

  async function settle(works: { exchange: Exchange; done: Promise<unknown> }[]): Promise<void> {
    for (const { exchange } of works) exchange.stopReceiving?.();
    await Promise.allSettled(works.map(({ done }) => done));
  }

  async function take(exchange: Exchange, caller: Caller, upload: StoredUpload, checksum: Checksum | null) {
    const received = await blobs.receive(readPart(exchange, upload.length - upload.offset, checksum));
    try {
      if (checksum && checksum.hash.digest("base64") !== checksum.expected) {
        throw new Problem("damaged", "The bytes do not have the checksum that was sent with them: send them again.");
      }
      if (received.size === 0) return await finishUpload(db, blobs, images, limits, exchange, caller, upload);
      await received.keep(() => moveOn(exchange));
      const longer = await db.transaction((tx) => addPart(tx, upload, received));
      // Another part came first, or the upload is gone.
      if (!longer) throw wrongOffset(await getUpload(db, upload.id));
      return await finishUpload(db, blobs, images, limits, exchange, caller, longer);
    } finally {
      // After `keep` this has nothing left to do.
      await received.discard();
    }
  }
}

export function wrongOffset({ offset }: StoredUpload): Problem {
  return new Problem("conflict", `"Upload-Offset" must be ${offset}: so many bytes have arrived.`, {
    field: "Upload-Offset",
  });
}

/** The body up to where it ends or breaks off: without a checksum, what has come by then is good. */
async function* readPart(exchange: Exchange, room: number, checksum: Checksum | null): AsyncGenerator<Uint8Array> {
  if (Number(exchange.request.headers.get("content-length") ?? 0) > room) throw tooLong(room);
  let size = 0;
  try {
    for await (const chunk of readBody(exchange, Number.MAX_SAFE_INTEGER, "")) {
      size += chunk.length;
      if (size > room) throw tooLong(room);
      checksum?.hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (size > room || checksum) throw error;
  }
}

function tooLong(room: number): Problem {
  return new Problem("oversized", `The body is longer than what is missing of the upload: ${room} bytes.`);
}
