import { type Block, removed, startsWith, uint } from "./bytes.ts";
import { exifBlock } from "./harmless-exif.ts";

const startOfScan = 0xda;
const endOfImage = 0xd9;
const jfifLength = 16;
const xmpName = "http://ns.adobe.com/xap/1.0/\0";

/**
 * What a JPEG holds beside its pixels. JFIF, colour profile, Adobe's mark, comments and harmless EXIF stay; all other
 * application segments go, and all behind the end of the image: further pictures, films.
 */
export function* jpegBlocks(bytes: Uint8Array): Generator<Block> {
  if (uint(bytes, 0, 2) !== 0xffd8) return;
  let hasExif = false;
  for (let at = 2; at < bytes.length;) {
    const mark = bytes.indexOf(0xff, at);
    if (mark < 0) return;
    // Decoders skip what stands between two segments.
    if (mark > at) yield removed(bytes, at, mark);
    at = mark + 1;
    while (bytes[at] === 0xff) at++;
    const start = at - 1;
    const marker = bytes[at++] ?? 0;
    if (marker === endOfImage) return yield removed(bytes, at, bytes.length);
    if (isAlone(marker)) continue;
    const length = uint(bytes, at, 2);
    if (length < 2) return;
    const end = Math.min(at + length, bytes.length);
    if (marker >= 0xe0 && marker <= 0xef) {
      const block = applicationBlock(bytes, marker, start, end, hasExif);
      if (block) yield block;
      hasExif ||= block?.kind === "exif";
    }
    at = marker === startOfScan ? endOfScan(bytes, end) : end;
  }
}

/** Markers without a segment: stuffed zeros, restarts, the start. */
const isAlone = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Where the next marker stands that is no part of a scan's data. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0xff && !isAlone(next)) return at;
  }
  return bytes.length;
}

/** Null when the segment stays as it is. */
function applicationBlock(
  bytes: Uint8Array,
  marker: number,
  start: number,
  end: number,
  hasExif: boolean,
): Block | null {
  const from = start + 4;
  const is = (wanted: number, name: string) => marker === wanted && startsWith(bytes, from, name);
  if (is(0xe2, "ICC_PROFILE\0") || is(0xee, "Adobe")) return null;
  if (is(0xe0, "JFIF\0")) return end - from > jfifLength - 2 ? withoutThumbnail(bytes, start, end) : null;
  if (is(0xe1, "Exif\0\0") && !hasExif) return exifBlock(bytes, [start, end], [from, end], exifSegment);
  if (is(0xe1, xmpName)) return removed(bytes, start, end, "xmp", bytes.subarray(from + xmpName.length, end));
  const iptc = is(0xed, "Photoshop 3.0\0") ? findIptc(bytes.subarray(from + 14, end)) : null;
  return iptc ? removed(bytes, start, end, "iptc", iptc) : removed(bytes, start, end);
}

function withoutThumbnail(bytes: Uint8Array, start: number, end: number): Block {
  const by = Uint8Array.from(bytes.subarray(start, start + 2 + jfifLength));
  by.set([0, jfifLength], 2);
  by.set([0, 0], jfifLength);
  return { kind: "other", data: by, edits: [{ start, end, by }] };
}

function exifSegment(exif: Uint8Array): Uint8Array {
  const segment = new Uint8Array(10 + exif.length);
  segment.set([0xff, 0xe1, (8 + exif.length) >> 8, (8 + exif.length) & 0xff]);
  segment.set(new TextEncoder().encode("Exif\0\0"), 4);
  segment.set(exif, 10);
  return segment;
}

/** The IPTC records among Photoshop's resources. */
function findIptc(resources: Uint8Array): Uint8Array | null {
  for (let at = 0; startsWith(resources, at, "8BIM");) {
    const name = 1 + (resources[at + 6] ?? 0);
    const size = at + 6 + name + (name % 2);
    const from = size + 4;
    const to = from + uint(resources, size, 4);
    if (uint(resources, at + 4, 2) === 0x0404) return resources.subarray(from, to);
    at = to + (to % 2);
  }
  return null;
}
