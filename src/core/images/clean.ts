import { type Blobs, chunksOf } from "../../platform/blobs/blobs.ts";
import type { ByteRange } from "../../platform/byte-range.ts";
import type { Piece } from "../../platform/images/decoder.ts";
import type { Clean } from "./image.ts";

const chunkBytes = 65_536;

/** A blob, and the size that a row says it has. */
type Stored = { sha256: string; size: number };

/** The public bytes of a blob, or a range of them; if `clean` is null, the whole blob. Null if it is missing or cut short. */
export async function openClean(
  blobs: Blobs,
  { sha256, size: storedSize }: Stored,
  clean: Clean | null,
  range?: ByteRange,
): ReturnType<Blobs["open"]> {
  if (!clean) return blobs.open(sha256, range, storedSize);
  if ((await blobs.sizeOf(sha256)) !== storedSize) return null;
  const { pieces, size } = clean;
  const { start, end } = range ?? { start: 0, end: size };
  const original = findOriginal(pieces, { start, end });
  if (original) return blobs.open(sha256, original, storedSize);
  return toStream(read());

  async function* read(): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (const piece of pieces) {
      const length = lengthOf(piece);
      const from = Math.max(start - at, 0);
      const to = Math.min(end - at, length);
      at += length;
      if (from >= to) continue;
      if (typeof piece === "string") yield Buffer.from(piece, "base64").subarray(from, to);
      else if ("fill" in piece) yield* repeat(piece.fill, to - from);
      else yield* readOriginal(blobs, sha256, { start: piece.start + from, end: piece.start + to });
    }
  }
}

/** Most of a video is the same for everyone: a range inside such a part can be sent with its length, and without copying. */
function findOriginal(pieces: Piece[], { start, end }: ByteRange): ByteRange | null {
  let at = 0;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    if (start < at + length) {
      const isWithin = typeof piece !== "string" && "start" in piece && end <= at + length;
      return isWithin ? { start: piece.start + start - at, end: piece.start + end - at } : null;
    }
    at += length;
  }
  return null;
}

function lengthOf(piece: Piece): number {
  if (typeof piece === "string") return Buffer.byteLength(piece, "base64");
  return "fill" in piece ? piece.length : piece.end - piece.start;
}

function* repeat(byte: number, length: number): Generator<Uint8Array> {
  for (let left = length; left > 0; left -= chunkBytes) yield new Uint8Array(Math.min(left, chunkBytes)).fill(byte);
}

async function* readOriginal(blobs: Blobs, sha256: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  const opened = await blobs.open(sha256, range);
  if (!opened) throw new Error(`The content ${sha256} is missing from the storage.`);
  for await (const chunk of chunksOf(opened)) yield chunk;
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
