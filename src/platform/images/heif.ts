import { type Block, latin, nothing, removed, startsWith, uint } from "./bytes.ts";
import { cleanExif } from "./harmless-exif.ts";

type Box = { type: string; start: number; from: number; end: number };
type Item = { kind: "exif" | "xmp"; extents: { start: number; end: number }[] };

const mostBoxes = 10_000;
const mostExtents = 16;
const keptBoxes = new Set(["ftyp", "meta", "mdat", "moov", "free", "skip"]);

/**
 * What an AVIF or HEIF file holds beside its pixels. Its parts point at each other by their place in the file, so what
 * goes is overwritten in place; only what stands behind the last known box, such as a film, is cut off.
 */
export function* heifBlocks(bytes: Uint8Array): Generator<Block> {
  const top = boxes(bytes, 0, bytes.length).take(mostBoxes).toArray();
  if (top[0]?.type !== "ftyp") return;
  const end = top.findLast(({ type }) => keptBoxes.has(type))?.end ?? 0;
  for (const box of top.filter((box) => box.end <= end)) {
    if (box.type === "meta") yield* itemBlocks(bytes, box);
    else if (!keptBoxes.has(box.type)) yield emptied(box);
  }
  yield removed(bytes, end, bytes.length);
}

function emptied({ start, from, end }: Box): Block {
  const name = { start: start + 4, end: start + 8, by: new TextEncoder().encode("free") };
  return { kind: "other", data: nothing, edits: [name, { start: from, end, by: 0 }] };
}

function* itemBlocks(bytes: Uint8Array, meta: Box): Generator<Block> {
  const inner = new Map<string, Box>();
  for (const box of boxes(bytes, meta.from + 4, meta.end).take(mostBoxes)) inner.set(box.type, box);
  const [iinf, iloc, idat] = [inner.get("iinf"), inner.get("iloc"), inner.get("idat")];
  if (!iinf || !iloc) return;
  for (const { kind, extents } of items(bytes, iloc, idat, itemKinds(bytes, iinf))) {
    const [first = { start: 0, end: 0 }] = extents;
    if (kind === "exif" && extents.length === 1) yield exifItem(bytes, first.start, first.end);
    else {
      const edits = extents.map((extent) => ({ ...extent, by: kind === "xmp" ? 0x20 : 0 }));
      yield { kind, data: bytes.subarray(first.start, first.end), edits };
    }
  }
}

/** An Exif item says in its first four bytes how far behind them its TIFF block begins. */
function exifItem(bytes: Uint8Array, start: number, end: number): Block {
  const skipped = uint(bytes, start, 4);
  const from = skipped <= 6 ? Math.min(start + 4 + skipped, end) : start;
  const data = bytes.subarray(from, end);
  const clean = cleanExif(data);
  const by = clean?.length === data.length ? clean : 0;
  return { kind: "exif", data, edits: clean ? [{ start: from, end, by }] : [] };
}

/** Which items are EXIF or XMP, by their numbers. */
function itemKinds(bytes: Uint8Array, iinf: Box): Map<number, Item["kind"]> {
  const kinds = new Map<number, Item["kind"]>();
  const first = iinf.from + (bytes[iinf.from] === 0 ? 6 : 8);
  for (const { from, end } of boxes(bytes, first, iinf.end).take(mostBoxes)) {
    const idSize = bytes[from] === 2 ? 2 : 4;
    const type = from + 4 + idSize + 2;
    const id = uint(bytes, from + 4, idSize);
    if (startsWith(bytes, type, "Exif")) kinds.set(id, "exif");
    if (!startsWith(bytes, type, "mime")) continue;
    const [, contentType] = latin(bytes, type + 4, Math.min(end, type + 300)).split("\0");
    if (contentType === "application/rdf+xml") kinds.set(id, "xmp");
  }
  return kinds;
}

/** Where the items of these kinds stand: in the file, or in the `idat` box beside. */
function* items(
  bytes: Uint8Array,
  iloc: Box,
  idat: Box | undefined,
  kinds: Map<number, Item["kind"]>,
): Generator<Item> {
  let at = iloc.from;
  const take = (size: number) => uint(bytes, (at += size) - size, size);
  const version = take(1);
  take(3);
  const sizes = take(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const idSize = version < 2 ? 2 : 4;
  for (let left = take(idSize); left > 0 && at < iloc.end; left--) {
    const kind = kinds.get(take(idSize));
    const method = version === 0 ? 0 : take(2) & 15;
    take(2);
    const base = take(baseSize);
    const count = take(2);
    const next = at + count * (indexSize + offsetSize + lengthSize);
    const source = method === 0 ? { from: 0, end: bytes.length } : method === 1 ? idat : undefined;
    if (kind && source) {
      const extents = Array.from({ length: Math.min(count, mostExtents) }, () => {
        take(indexSize);
        const start = Math.min(source.from + base + take(offsetSize), source.end);
        return { start, end: Math.min(start + take(lengthSize), source.end) };
      });
      yield { kind, extents };
    }
    at = next;
  }
}

/** The boxes one after the other, up to the first that makes no sense. The last one may be cut off. */
function* boxes(bytes: Uint8Array, start: number, limit: number): Generator<Box> {
  for (let at = start; at + 8 <= limit;) {
    const short = uint(bytes, at, 4);
    const from = at + (short === 1 ? 16 : 8);
    const size = short === 1 ? uint(bytes, at + 8, 8) : short || limit - at;
    const end = Math.min(at + size, limit);
    if (end < from) return;
    yield { type: latin(bytes, at + 4, at + 8), start: at, from, end };
    at = end;
  }
}
