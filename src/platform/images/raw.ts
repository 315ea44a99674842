import { asBuffer, type Block, opaque, startsWith, uint } from "./bytes.ts";
import { findBox, readBoxes } from "./boxes.ts";
import { endOfJPEG, isFrame, segments } from "./jpeg.ts";
import type { ByteRange } from "../byte-range.ts";
import { findSensorParts, tiffBlocks } from "./tiff-file.ts";
import { openTiffFile } from "./tiff.ts";

/** A JPEG whose longer side is shorter than this is a thumbnail. */
const leastSide = 400;
const maxSegments = 1_000_000;
const startOfJPEG = Buffer.from([0xff, 0xd8, 0xff]);
const exifMark = "Exif\0\0";
const canonMark = "\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48";

/** The metadata of a RAW file. Its private parts are undocumented, so nothing of it is public. */
export function* rawBlocks(bytes: Uint8Array): Generator<Block> {
  if (openTiffFile(bytes)) yield* tiffBlocks(bytes);
  yield* canonBlocks(bytes);
  yield* minoltaBlocks(bytes);
  const exif = asBuffer(bytes).indexOf(exifMark);
  if (exif >= 0) yield { kind: "exif", data: bytes.subarray(exif + exifMark.length), edits: [] };
  yield opaque;
}

/** CR3 is an ISO media file with EXIF in three TIFF blocks. */
function* canonBlocks(bytes: Uint8Array): Generator<Block> {
  const moov = findBox(readBoxes(bytes, 0, bytes.length).boxes, "moov");
  const uuid = moov && findBox(readBoxes(bytes, moov.from, moov.end).boxes, "uuid");
  if (!uuid || !startsWith(bytes, uuid.from, canonMark)) return;
  const kinds = new Map<string, Block["kind"]>([
    ["CMT1", "exif"],
    ["CMT2", "exposure"],
    ["CMT4", "gps"],
  ]);
  for (const { type, from, end } of readBoxes(bytes, uuid.from + canonMark.length, uuid.end).boxes) {
    const kind = kinds.get(type);
    if (kind) yield { kind, data: bytes.subarray(from, end), edits: [] };
  }
}

/** MRW begins with blocks, one of which is EXIF. */
function* minoltaBlocks(bytes: Uint8Array): Generator<Block> {
  if (!startsWith(bytes, 0, "\0MRM")) return;
  for (let at = 8; at < Math.min(8 + uint(bytes, 4, 4), bytes.length);) {
    const [from, to] = [at + 8, at + 8 + uint(bytes, at + 4, 4)];
    if (startsWith(bytes, at, "\0TTW")) yield { kind: "exif", data: bytes.subarray(from, to), edits: [] };
    at = to;
  }
}

/** The largest JPEG inside a file; null if there are only thumbnails. */
export function findPreview(bytes: Uint8Array): ByteRange | null {
  const whole = asBuffer(bytes);
  const sensorParts = findSensorParts(bytes);
  const budget = { left: maxSegments };
  let [best, most] = [-1, 0];
  for (let at = whole.indexOf(startOfJPEG); at >= 0 && budget.left > 0; at = whole.indexOf(startOfJPEG, at + 3)) {
    const { width, height } = sensorParts.has(at) ? { width: 0, height: 0 } : sizeOfJPEG(bytes, at, budget);
    if (Math.max(width, height) < leastSide || width * height <= most) continue;
    [best, most] = [at, width * height];
  }
  return best < 0 ? null : { start: best, end: endOfJPEG(bytes, best) };
}

/** Zero if it is not a JPEG, or one of a kind that is used for sensor data. */
function sizeOfJPEG(bytes: Uint8Array, at: number, budget: { left: number }): { width: number; height: number } {
  for (const { marker, start, isSound } of segments(bytes, { start: at, end: bytes.length })) {
    if (!isSound || marker === null || budget.left-- <= 0) break;
    if (!isFrame(marker)) continue;
    if (marker > 0xc2 || bytes[start + 4] !== 8) break;
    return { height: uint(bytes, start + 5, 2), width: uint(bytes, start + 7, 2) };
  }
  return { width: 0, height: 0 };
}
