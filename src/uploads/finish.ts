import { missing } from "../errors.ts";
import { detectContentType } from "../files/content-type.ts";
import { checkFields, placeFile, type Target, toTarget } from "../files/upload.ts";
import type { Images } from "../images/read.ts";
import { type Blobs, chunksOf } from "../platform/blobs/blobs.ts";
import type { Database, Reader } from "../platform/database/database.ts";
import { type Exchange, moveOn } from "../platform/http/exchange.ts";
import type { Caller } from "../platform/http/route.ts";
import type { StorageLimits } from "../storage/quota.ts";
import { parseMetadata } from "./protocol.ts";
import { getUpload, listParts, markFinished, type Part, type StoredUpload } from "./store.ts";

const headBytes = 4096;

/**
 * Makes the file when the last byte is there, by the rules of a form upload. It belongs to who began the upload. Where it
 * is refused, the parts stay: the upload can be asked for again.
 */
export async function finishUpload(
  db: Database,
  blobs: Blobs,
  images: Images,
  limits: StorageLimits,
  exchange: Exchange,
  caller: Caller,
  upload: StoredUpload,
): Promise<StoredUpload> {
  if (upload.offset < upload.length || upload.fileID !== null) return upload;
  const owner = { ...caller, id: upload.ownerID };
  const target = await readTarget(db, owner, upload.metadata);
  const { head, sha256, size } = await gather(blobs, exchange, await listParts(db, upload.id));
  const content = { sha256, size, contentType: detectContentType(head, target.name) };
  const finished = await db.transaction(async (tx) => {
    // Another request may have made it meanwhile.
    const current = await getUpload(tx, upload.id);
    if (current.fileID !== null) return current;
    const file = await placeFile(tx, limits, owner, target, content);
    return markFinished(tx, upload.id, file.id);
  });
  const reading = images.readAhead(content);
  // A file that was there before may be on show: it is known when it shows its new content.
  if (target.onConflict === "replace") await reading;
  return finished;
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

type Gathered = Part & { head: Uint8Array };

/** One part is the file as it is; of several, one blob is made. */
async function gather(blobs: Blobs, exchange: Exchange, parts: Part[]): Promise<Gathered> {
  const [first, ...more] = parts;
  if (first && more.length === 0) return { ...first, head: await readHead(blobs, first) };
  const received = await blobs.receive(readParts(blobs, exchange, parts));
  try {
    await received.keep(() => moveOn(exchange));
    return received;
  } finally {
    await received.discard();
  }
}

async function readHead(blobs: Blobs, part: Part): Promise<Uint8Array> {
  const range = { start: 0, end: Math.min(headBytes, part.size) };
  return new Response(await open(blobs, part, range)).bytes();
}

async function* readParts(blobs: Blobs, exchange: Exchange, parts: Part[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const bytes = await open(blobs, part);
    for await (const chunk of chunksOf(bytes)) {
      moveOn(exchange);
      yield chunk;
    }
  }
}

async function open(blobs: Blobs, { sha256 }: Part, range?: { start: number; end: number }) {
  const bytes = await blobs.open(sha256, range);
  if (!bytes) throw missing("content for a part of this upload: its bytes are lost from the storage");
  return bytes;
}
