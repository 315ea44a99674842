import { type Block, nothing, opaque, removed, startsWith, uint } from "./bytes.ts";
import { profileEdits } from "./colour-profile.ts";
import { exifBlock } from "./harmless-exif.ts";
import { findIptc } from "./iptc.ts";
import type { ByteRange } from "../byte-range.ts";

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];
const [jfifLength, adobeLength] = [16, 14];
const xmpName = "http://ns.adobe.com/xap/1.0/\0";
const profileName = "ICC_PROFILE\0";
/** A name, the number of the segment, and how many there are. */
export const profileHead = profileName.length + 2;

/**
 * The metadata of a JPEG. JFIF, the colour profile, Adobe's segment and harmless EXIF are kept. Comments and all other
 * application segments are removed, and everything after the end of the image or after a damaged segment.
 */
export function* jpegBlocks(bytes: Uint8Array): Generator<Block> {
  let [hasExif, hasPixels] = [false, false];
  const profile: ByteRange[] = [];
  for (const { marker, start, end, isSound } of segments(bytes, { start: 0, end: bytes.length })) {
    if (!isSound) {
      yield hasPixels ? cutOff(bytes, start) : opaque;
      break;
    }
    hasPixels ||= marker === startOfScan;
    const block = marker === null ? removed(bytes, start, end) : segmentBlock(bytes, marker, { start, end }, hasExif);
    if (block) yield block;
    else if (isProfile(bytes, marker, start)) profile.push({ start: start + 4 + profileHead, end });
    hasExif ||= block?.kind === "exif";
  }
  if (!hasPixels) yield opaque;
  yield { kind: "other", data: nothing, edits: profileEdits(bytes, profile) };
}

/** Without a damaged part, decoders show the rest as they would with it, if the image has an end. */
const cutOff = (bytes: Uint8Array, start: number): Block => ({
  kind: "other",
  data: nothing,
  edits: [{ start, end: bytes.length, by: Uint8Array.of(0xff, endOfImage) }],
});

export const isProfile = (bytes: Uint8Array, marker: number | null, start: number) =>
  marker === 0xe2 && startsWith(bytes, start + 4, profileName);

/** The private byte ranges of a JPEG inside another file, where they are blanked in place. */
export function hiddenInJPEG(bytes: Uint8Array, within: ByteRange): ByteRange[] {
  const hidden: ByteRange[] = [];
  for (const { marker, start, end, isSound } of segments(bytes, within)) {
    if (!isSound) hidden.push({ start, end: within.end });
    else if (marker === null) hidden.push({ start, end });
    // The marker and the length are kept, so that decoders find the next segment.
    else if (segmentBlock(bytes, marker, { start, end }, true)) hidden.push({ start: start + 4, end });
  }
  return hidden;
}

/** `marker` is null for bytes between segments and after the end of the image. */
type Segment = { marker: number | null; start: number; end: number; isSound: boolean };

/** The segments of a JPEG up to the first damaged one, which is not sound. */
export function* segments(bytes: Uint8Array, within: ByteRange): Generator<Segment> {
  const unsound = { marker: null, start: within.start, end: within.end, isSound: false };
  if (uint(bytes, within.start, 2) !== 0xff00 + startOfImage) return yield unsound;
  let hasFrame = false;
  for (let at = within.start + 2; at < within.end;) {
    const mark = findMark(bytes, at, within.end);
    // Decoders skip bytes between two segments.
    if (mark > at) yield { marker: null, start: at, end: mark, isSound: true };
    at = mark + 1;
    while (bytes[at] === 0xff && at < within.end) at++;
    if (at >= within.end) return;
    const start = at - 1;
    const marker = bytes[at++] ?? 0;
    if (marker === endOfImage) return yield { marker: null, start: at, end: within.end, isSound: true };
    if (isAlone(marker)) continue;
    const end = at + uint(bytes, at, 2);
    hasFrame ||= isFrame(marker);
    if (end > within.end || !isSound(bytes, marker, at, end) || (marker === startOfScan && !hasFrame))
      return yield { ...unsound, start };
    yield { marker, start, end, isSound: true };
    at = marker === startOfScan ? endOfScan(bytes, end, within.end) : end;
  }
}

/** Where the JPEG that begins at this offset ends. */
export function endOfJPEG(bytes: Uint8Array, start: number): number {
  let end = bytes.length;
  for (const segment of segments(bytes, { start, end })) ({ start: end } = segment);
  return end;
}

/** Markers without a segment: stuffed zeros, restarts. */
const isAlone = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Start-of-frame markers. */
export const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;

/** Whether the length of a segment fits its content. A wrong length may include the next segment. */
function isSound(bytes: Uint8Array, marker: number, at: number, end: number): boolean {
  const length = end - at;
  const parts = bytes[at + (marker === startOfScan ? 2 : 7)] ?? 0;
  if (marker === startOfScan) return length === 6 + 2 * parts;
  if (isFrame(marker) || marker === 0xde) return length === 8 + 3 * parts;
  if (marker === 0xc4 || marker === 0xdb) return isTables(bytes, marker, at + 2, end);
  if (marker === 0xcc) return length % 2 === 0 && length <= 18;
  if (marker === 0xdc || marker === 0xdd) return length === 4;
  if (marker === 0xdf) return length === 3;
  return length >= 2 && marker !== startOfImage;
}

/** Huffman tables have 16 counts and as many codes as these add up to, quantization tables 64 values of 1 or 2 bytes. */
function isTables(bytes: Uint8Array, marker: number, from: number, end: number): boolean {
  let at = from;
  while (at < end) {
    if (marker === 0xdb) at += (bytes[at] ?? 0) < 16 ? 65 : 129;
    else at = bytes.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, at + 17);
  }
  return at === end;
}

/** The offset of the next marker that is not part of the data of a scan. */
export function endOfScan(bytes: Uint8Array, from: number, limit: number): number {
  for (let at = findMark(bytes, from, limit); at < limit; at = findMark(bytes, at + 1, limit)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0xff && !isAlone(next)) return at;
  }
  return limit;
}

function findMark(bytes: Uint8Array, from: number, limit: number): number {
  const found = bytes.subarray(from, limit).indexOf(0xff);
  return found < 0 ? limit : from + found;
}

/** Null if the segment is kept as it is. */
function segmentBlock(
  bytes: Uint8Array,
  marker: number,
  { start, end }: Pick<Segment, "start" | "end">,
  hasExif: boolean,
): Block | null {
  const from = start + 4;
  if (!isApplication(marker)) return isKnown(marker) ? null : removed(bytes, start, end);
  const is = (wanted: number, name: string) => marker === wanted && startsWith(bytes, from, name);
  if (isProfile(bytes, marker, start) && isWholeProfile(bytes, from, end)) return null;
  if (is(0xee, "Adobe")) return end - start > 2 + adobeLength ? shortened(bytes, start, end, adobeLength) : null;
  if (is(0xe0, "JFIF\0")) return end - start > 2 + jfifLength ? withoutThumbnail(bytes, start, end) : null;
  if (is(0xe1, "Exif\0\0") && !hasExif) return exifBlock(bytes, [start, end], [from, end], exifSegment);
  if (is(0xe1, xmpName))
    return removed(bytes, start, end, { kind: "xmp", data: bytes.subarray(from + xmpName.length, end) });
  const iptc = is(0xed, "Photoshop 3.0\0") ? findIptc(bytes.subarray(from + 14, end)) : null;
  return iptc ? removed(bytes, start, end, { kind: "iptc", data: iptc }) : removed(bytes, start, end);
}

/** Markers of frames, tables and scans. */
const isKnown = (marker: number) => marker >= 0xc0 && marker <= 0xdf && marker !== 0xc8;

/** A damaged length may include the next segment: another one follows, or the profile itself says that it ends here. */
function isWholeProfile(bytes: Uint8Array, from: number, end: number): boolean {
  const profile = from + profileHead;
  const isOnly = bytes[profile - 2] === 1 && bytes[profile - 1] === 1;
  return bytes[end] === 0xff || (isOnly && uint(bytes, profile, 4) === end - profile);
}

function withoutThumbnail(bytes: Uint8Array, start: number, end: number): Block {
  const block = shortened(bytes, start, end, jfifLength);
  // Width and height of the thumbnail.
  block.data.set([0, 0], jfifLength);
  return block;
}

/** The segment, truncated to this length. */
function shortened(bytes: Uint8Array, start: number, end: number, length: number): Block {
  const by = Uint8Array.from(bytes.subarray(start, start + 2 + length));
  by.set([0, length], 2);
  return { kind: "other", data: by, edits: [{ start, end, by }] };
}

function exifSegment(exif: Uint8Array): Uint8Array {
  const segment = new Uint8Array(10 + exif.length);
  segment.set([0xff, 0xe1, (8 + exif.length) >> 8, (8 + exif.length) & 0xff]);
  segment.set(new TextEncoder().encode("Exif\0\0"), 4);
  segment.set(exif, 10);
  return segment;
}
