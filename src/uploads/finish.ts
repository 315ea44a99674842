import { missing } from "../errors.ts";
import { detectContentType } from "../files/content-type.ts";
import { checkFields, checkTarget, placeFile, type Target, toTarget } from "../files/upload.ts";
import type { Images } from "../images/read.ts";
import { type Blobs, chunksOf } from "../platform/blobs/blobs.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { type Exchange, noteProgress } from "../platform/http/exchange.ts";
import type { Caller } from "../platform/http/route.ts";
import { createKeyedQueue } from "../platform/keyed-queue.ts";
import { receiveIncoming } from "../storage/incoming.ts";
import type { StorageLimits } from "../storage/quota.ts";
import { openReservation } from "../storage/reservation.ts";
import { parseMetadata } from "./protocol.ts";
import { getUpload, listParts, lockUpload, markFinished, type Part, type StoredUpload } from "./store.ts";

const headBytes = 4096;

/**
 * Makes the file when the last byte is there, by the rules of a form upload. It belongs to who began the upload. Where it
 * is refused, the parts stay: the upload can be finished later.
 */
export type Finish = (exchange: Exchange, caller: Caller, upload: StoredUpload) => Promise<StoredUpload>;

type Whole = Part & { head: Uint8Array };
type Finished = { upload: StoredUpload; sha256: string; contentType: string };
type Write = (tx: Queries, whole: Whole) => Promise<Finished>;

export function createFinish(db: Database, blobs: Blobs, images: Images, limits: StorageLimits): Finish {
  const inTurn = createKeyedQueue();

  return async (exchange, caller, upload) => {
    if (upload.offset < upload.length) return upload;
    // While parts are joined, their bytes are on the disk twice: with a quota, those of one upload of an owner at a time.
    const key = limits.quotaBytes === null ? `upload ${upload.id}` : `owner ${upload.ownerID}`;
    return inTurn(key, async () => finish(exchange, caller, await getUpload(db, upload.id)));
  };

  async function finish(exchange: Exchange, caller: Caller, upload: StoredUpload): Promise<StoredUpload> {
    if (upload.fileID !== null) return upload;
    const owner = { ...caller, id: upload.ownerID };
    const target = await readTarget(db, owner, upload.metadata);
    const write: Write = async (tx, { head, sha256, size }) => {
      // Another server may have made it meanwhile.
      const current = await lockUpload(tx, upload.id);
      const content = { sha256, size, contentType: detectContentType(head, target.name) };
      if (current.fileID !== null) return { upload: current, ...content };
      const file = await placeFile(tx, limits, owner, target, content);
      return { upload: await markFinished(tx, upload.id, file.id), ...content };
    };
    const parts = await listParts(db, upload.id);
    const [first] = parts;
    // Before any byte is copied: who is refused may ask again and again.
    if (parts.length > 1) await checkTarget(db, owner, target);
    const finished =
      first && parts.length === 1 ? await storePart(first, write) : await joinParts(exchange, upload, parts, write);
    const reading = images.readAhead(finished);
    // A file that was there before may be on show: it is known when it shows its new content.
    if (target.onConflict === "replace") await reading;
    return finished.upload;
  }

  /** One part is the file as it is. */
  async function storePart(part: Part, write: Write): Promise<Finished> {
    const range = { start: 0, end: Math.min(headBytes, part.size) };
    const head = await new Response(await open(blobs, part, range)).bytes();
    return db.transaction((tx) => write(tx, { ...part, head }));
  }

  /** The upload counts already, and its parts go when the file is made: together they need no more than the quota. */
  async function joinParts(exchange: Exchange, upload: StoredUpload, parts: Part[], write: Write): Promise<Finished> {
    const { length, ownerID } = upload;
    const source = { stream: readParts(blobs, exchange, parts), atLeast: length, atMost: () => length };
    const reservation = openReservation(db, limits.quotaBytes, ownerID, async () => length);
    const incoming = await receiveIncoming(db, blobs, source, reservation);
    try {
      return await incoming.store(
        (tx) => write(tx, incoming),
        () => noteProgress(exchange),
      );
    } finally {
      await incoming.close();
    }
  }
}

/** Where the file is to lie, by what was said of it; throws what a form would be told. */
export async function readTarget(db: Reader, caller: Caller, metadata: string): Promise<Target> {
  const said = parseMetadata(metadata);
  const fields: Record<string, string> = {};
  for (const name of ["path", "name", "onConflict"]) {
    const value = said.get(name);
    if (value !== undefined) fields[name] = value;
  }
  const form = await checkFields(db, caller, fields);
  return toTarget(form, said.get("filename") ?? "", "filename");
}

async function* readParts(blobs: Blobs, exchange: Exchange, parts: Part[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const bytes = await open(blobs, part);
    for await (const chunk of chunksOf(bytes)) {
      noteProgress(exchange);
      yield chunk;
    }
  }
}

async function open(blobs: Blobs, { sha256 }: Part, range?: { start: number; end: number }) {
  const bytes = await blobs.open(sha256, range);
  if (!bytes) throw missing("content for a part of this upload: its bytes are lost from the storage");
  return bytes;
}
