import { Problem } from "../../platform/errors.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { streamBody } from "../../platform/http/body-bytes.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import type { Caller } from "../../platform/http/route.ts";
import { receiveIncoming } from "../../core/storage/incoming.ts";
import { noReservation } from "../../core/storage/reservation.ts";
import type { Finish } from "./finish.ts";
import { type Checksum, wrongOffset } from "./protocol.ts";
import { addPart, readUpload, listExpired, removeUpload, type StoredUpload } from "./store.ts";

export type Receiver = {
  /** Takes the body in as the next part, and makes the file when it was the last. One part of an upload at a time. */
  receive(exchange: Exchange, caller: Caller, upload: StoredUpload, part: PartOptions): Promise<StoredUpload>;
  /**
   * Where to go on. Whoever asks has lost the connection they had, even if this end has not heard of it yet: what came
   * over it is kept first. A file that could not be made when its last byte came is made now.
   */
  resume(exchange: Exchange, caller: Caller, id: number): Promise<StoredUpload>;
  /** Removes an upload with its parts, and ends the body of one that is coming in. */
  cancel(id: number, transaction?: Database["transaction"]): Promise<void>;
  /** Cancels all that have waited too long for a part; one that has a part coming in does not wait. */
  cancelExpired(): Promise<void>;
  /** Ends the bodies that still come in, and waits until what has come is kept. */
  close(): Promise<void>;
};

/** `isResumable`: what has come of a part that breaks off is kept. With a checksum, a part is kept only whole. */
type PartOptions = { checksum: Checksum | null; isResumable: boolean };

type Work = { id: number; done: Promise<unknown>; stop(): void };
/** A body that may have to end before its reading has begun. */
type Body = { exchange: Exchange; isStopped: boolean };

export function createReceiver(db: Database, blobs: Blobs, finish: Finish): Receiver {
  const running = new Set<Work>();
  const runningOn = (id: number) => [...running].filter((work) => work.id === id);

  async function cancel(id: number, transaction = db.transaction): Promise<void> {
    while (runningOn(id).length > 0) await settle(runningOn(id));
    await run(id, () => transaction((tx) => removeUpload(tx, id)));
  }

  return {
    async receive(exchange, caller, upload, part) {
      if (runningOn(upload.id).length > 0) throw isReceiving();
      const body = { exchange, isStopped: false };
      const stop = () => {
        body.isStopped = true;
        exchange.stopReceiving?.();
      };
      return run(upload.id, () => take(body, caller, upload, part), stop);
    },

    async resume(exchange, caller, id) {
      await settle(runningOn(id));
      return finish.parts(exchange, caller, await readUpload(db, id));
    },

    cancel,
    async cancelExpired() {
      for (const id of await listExpired(db)) if (runningOn(id).length === 0) await cancel(id);
    },

    close: () => settle([...running]),
  };

  function run<Result>(id: number, work: () => Promise<Result>, stop = () => {}): Promise<Result> {
    const done = work();
    const entry: Work = { id, done, stop };
    running.add(entry);
    return done.finally(() => running.delete(entry));
  }

  async function settle(works: Work[]): Promise<void> {
    for (const work of works) work.stop();
    await Promise.allSettled(works.map(({ done }) => done));
  }

  async function take(body: Body, caller: Caller, { id, offset }: StoredUpload, part: PartOptions) {
    // What was read before this part had its turn may have changed.
    const upload = await readUpload(db, id);
    if (upload.offset !== offset) throw wrongOffset(upload);
    return finish.parts(body.exchange, caller, await append(body, caller, upload, part));
  }

  /** A part needs no reservation: the length of its upload counts towards the quota from the beginning. */
  async function append(body: Body, caller: Caller, upload: StoredUpload, part: PartOptions): Promise<StoredUpload> {
    const { checksum } = part;
    const stream = readPart(body, upload.length - upload.offset, part);
    const source = { stream, moved: () => noteProgress(body.exchange) };
    await using incoming = await receiveIncoming(db, blobs, source, noReservation);
    if (checksum && checksum.hash.digest("base64") !== checksum.expected) {
      throw new Problem("damaged", "The bytes do not have the checksum that was sent with them: send them again.");
    }
    if (incoming.size === 0) return upload;
    const finished = incoming.size === upload.length ? await finish.whole(caller, upload, incoming) : null;
    if (finished) return finished;
    return await incoming.store(async (tx) => {
      const longer = await addPart(tx, upload, incoming);
      // Another server has taken a part, or the upload is gone.
      if (!longer) throw wrongOffset(await readUpload(tx, upload.id));
      return longer;
    });
  }
}

/** A client of tus answers a conflict with HEAD, which ends the part that is coming in. */
function isReceiving(): Problem {
  return new Problem("conflict", "Another part of this upload is being received. Send HEAD to end it and resume.");
}

/** The body up to where it ends or breaks off. */
async function* readPart(
  body: Body,
  maxBytes: number,
  { checksum, isResumable }: PartOptions,
): AsyncGenerator<Uint8Array> {
  const { exchange } = body;
  if (body.isStopped) return;
  if (Number(exchange.request.headers.get("content-length") ?? 0) > maxBytes) throw tooLong(maxBytes);
  let size = 0;
  try {
    for await (const chunk of streamBody(exchange, Number.MAX_SAFE_INTEGER, "")) {
      size += chunk.length;
      if (size > maxBytes) throw tooLong(maxBytes);
      checksum?.hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (size > maxBytes || checksum || !isResumable) throw error;
  }
}

function tooLong(maxBytes: number): Problem {
  return new Problem("oversized", `The body is longer than the ${maxBytes} bytes left in this upload.`);
}
