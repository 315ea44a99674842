import { type Block, latin, nothing, opaque, removed, startsWith, uint } from "./bytes.ts";
import { profileEdits } from "./colour-profile.ts";
import { exifBlock } from "./harmless-exif.ts";

const keptChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const pixelChunks = new Set(["VP8 ", "VP8L", "ANMF"]);
const lengths: Record<string, number> = { VP8X: 10, ANIM: 6 };
const exifFlag = 0x08;
const xmpFlag = 0x04;

/**
 * The metadata of a WebP. The colour profile and harmless EXIF are kept, unknown chunks removed. A damaged length may include
 * the next chunk, so a file with one is not public.
 */
export function* webpBlocks(bytes: Uint8Array): Generator<Block> {
  const size = uint(bytes, 4, 4, true);
  const limit = Math.min(8 + size, bytes.length);
  let [shorter, flags, hasPixels] = [0, 0, false];
  for (let at = 12; at + 8 <= limit;) {
    const [start, from] = [at, at + 8];
    const type = latin(bytes, at, at + 4);
    const length = uint(bytes, at + 4, 4, true);
    const to = Math.min(from + length, limit);
    const end = Math.min(to + (length % 2), limit);
    at = end;
    if (from + length > limit || length !== (lengths[type] ?? length)) return yield opaque;
    hasPixels ||= pixelChunks.has(type);
    if (type === "ICCP") yield { kind: "other", data: nothing, edits: profileEdits(bytes, [{ start: from, end: to }]) };
    if (keptChunks.has(type)) continue;
    if (!/^[\x20-\x7e]{3}[\x20-\x7e\0]$/.test(type)) return yield opaque;
    const isExif = type === "EXIF" && !(flags & exifFlag);
    const block = isExif
      ? exifBlock(bytes, [start, end], [from, to], exifChunk)
      : removed(bytes, start, end, { kind: type === "XMP " ? "xmp" : "other", data: bytes.subarray(from, to) });
    const [edit] = block.edits;
    if (edit && typeof edit.by !== "number") shorter += edit.end - edit.start - edit.by.length;
    if (isExif && edit?.by !== nothing) flags |= exifFlag;
    yield block;
  }
  if (!hasPixels) return yield opaque;
  yield removed(bytes, limit, bytes.length);
  if (shorter > 0) yield { kind: "other", data: nothing, edits: headerEdits(bytes, size - shorter, flags) };
}

function headerEdits(bytes: Uint8Array, size: number, flags: number): Block["edits"] {
  const riff = new Uint8Array(4);
  new DataView(riff.buffer).setUint32(0, size, true);
  const edits = [{ start: 4, end: 8, by: riff }];
  if (!startsWith(bytes, 12, "VP8X")) return edits;
  const kept = (bytes[20] ?? 0) & ~(exifFlag | xmpFlag);
  return [...edits, { start: 20, end: 21, by: Uint8Array.of(kept | flags) }];
}

function exifChunk(exif: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(8 + exif.length + (exif.length % 2));
  chunk.set(new TextEncoder().encode("EXIF"));
  new DataView(chunk.buffer).setUint32(4, exif.length, true);
  chunk.set(exif, 8);
  return chunk;
}
