import { missing } from "../../platform/errors.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkFields, checkTarget, type Target, toTarget } from "../../content/files/target.ts";
import { type Blobs, chunksOf } from "../../platform/blobs/blobs.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import type { Caller } from "../../platform/http/route.ts";
import { createKeyedQueue } from "../../platform/keyed-queue.ts";
import type { Incoming, Source } from "../../core/storage/incoming.ts";
import { parseMetadata, wrongOffset } from "./protocol.ts";
import { readUpload, listParts, lockUpload, markFinished, type Part, type StoredUpload } from "./store.ts";

const headBytes = 4096;

/**
 * Makes the file when the last byte is there, by the rules of a form upload. It belongs to the user who began the upload. If
 * it is refused, the parts stay: the upload can be finished later.
 */
export type Finish = {
  parts(exchange: Exchange, caller: Caller, upload: StoredUpload): Promise<StoredUpload>;
  /** For bytes that came in a single part, which is not recorded first: one transaction less. Null if that fails. */
  whole(caller: Caller, upload: StoredUpload, incoming: Incoming): Promise<StoredUpload | null>;
};

export function createFinish(db: Database, blobs: Blobs, intake: Intake, quotaBytes: number | null): Finish {
  const inTurn = createKeyedQueue();

  return {
    async parts(exchange, caller, upload) {
      if (upload.offset < upload.length) return upload;
      // While parts are joined, their bytes are on the disk twice: with a quota, those of one upload of an owner at a time.
      const key = quotaBytes === null ? `upload ${upload.id}` : `owner ${upload.ownerID}`;
      return inTurn(key, async () => finish(exchange, caller, await readUpload(db, upload.id)));
    },

    async whole(caller, upload, incoming) {
      try {
        return await storeWhole(caller, upload, incoming);
      } catch {
        return null;
      }
    },
  };

  async function storeWhole(caller: Caller, upload: StoredUpload, incoming: Incoming): Promise<StoredUpload> {
    const owner = { ...caller, id: upload.ownerID };
    const destination = { caller: owner, target: await readTarget(db, owner, upload.metadata) };
    const counted = { ...incoming, reservedFor: upload.ownerID };
    return intake.storeWith(counted, destination, async (tx, place) => {
      const current = await lockUpload(tx, upload.id);
      if (current.offset !== 0) throw wrongOffset(current);
      const file = await place();
      return markFinished(tx, upload.id, file.id);
    });
  }

  async function finish(exchange: Exchange, caller: Caller, upload: StoredUpload): Promise<StoredUpload> {
    if (upload.fileID !== null) return upload;
    const owner = { ...caller, id: upload.ownerID };
    const target = await readTarget(db, owner, upload.metadata);
    const destination = { caller: owner, target, countedBytes: upload.length };
    const parts = await listParts(db, upload.id);
    const [first] = parts;
    // Before any byte is copied: a client that is refused may ask again and again.
    if (parts.length > 1) await checkTarget(db, owner, target);
    await using incoming =
      first && parts.length === 1
        ? await openPart(upload, first)
        : await intake.receive(joinParts(exchange, upload, parts), destination);
    return await intake.storeWith(incoming, destination, async (tx, place) => {
      // Another server may have finished it meanwhile.
      const current = await lockUpload(tx, upload.id);
      if (current.fileID !== null) return current;
      const file = await place();
      return markFinished(tx, upload.id, file.id);
    });
  }

  /** A single part has the bytes of the file, which need not be received again. */
  async function openPart({ ownerID }: StoredUpload, part: Part): Promise<Incoming> {
    const range = { start: 0, end: Math.min(headBytes, part.size) };
    const head = await new Response(await open(blobs, part, range)).bytes();
    return {
      ...part,
      head,
      reservedFor: ownerID,
      store: (write) => db.transaction(write),
      async [Symbol.asyncDispose]() {},
    };
  }

  function joinParts(exchange: Exchange, { length }: StoredUpload, parts: Part[]): Source {
    const moved = () => noteProgress(exchange);
    return { stream: readParts(blobs, parts, moved), atLeast: length, atMost: () => length, moved };
  }
}

/** Where the file goes, by the metadata of the upload. Throws what a form with the same fields would get. */
export async function readTarget(db: Reader, caller: Caller, metadata: string): Promise<Target> {
  const said = parseMetadata(metadata);
  const fields: Record<string, string> = {};
  for (const name of ["path", "name", "onConflict", "visibility"]) {
    const value = said.get(name);
    if (value !== undefined) fields[name] = value;
  }
  const form = await checkFields(db, caller, fields);
  return toTarget(form, said.get("filename") ?? "", "filename");
}

async function* readParts(blobs: Blobs, parts: Part[], moved: () => void): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const bytes = await open(blobs, part);
    try {
      for await (const chunk of chunksOf(bytes)) {
        moved();
        yield chunk;
      }
    } catch (error) {
      // The upload was deleted while it was read.
      await new Response(await open(blobs, part, { start: 0, end: 1 })).bytes();
      throw error;
    }
  }
}

async function open(blobs: Blobs, { sha256 }: Part, range?: { start: number; end: number }) {
  const bytes = await blobs.open(sha256, range);
  if (!bytes) throw missing("content for a part of this upload: its bytes are lost from the storage");
  return bytes;
}
