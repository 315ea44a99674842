import { asBuffer, uint } from "./bytes.ts";
import { findBox, readBoxes } from "./boxes.ts";
import type { ByteRange } from "../byte-range.ts";
import { endOfJPEG } from "./jpeg.ts";

const isoTypes = new Set(["image/heic", "image/heif", "image/avif"]);
const pictureBoxes = new Set(["ftyp", "meta", "moov", "mdat"]);
const videoBoxes = new Set(["ftyp", "moov", "mdat", "moof", "mfra", "sidx", "free", "skip", "wide"]);
const longestHead = 1024;
const maxTries = 16;

/**
 * The video in a motion photo; null if there is none. Phones append it to a JPEG, with or without a note in XMP and their own
 * data around it, or put it into a box of a HEIC file. Looking for its first box finds it in all of them.
 */
export function findMotion(bytes: Uint8Array, contentType: string): Uint8Array | null {
  for (const { start, end } of placesOf(bytes, contentType)) {
    const within = asBuffer(bytes).subarray(0, end);
    let at = within.indexOf("ftyp", start + 4);
    for (let tries = 0; at >= 0 && tries < maxTries; tries++) {
      const video = readVideoAt(bytes, at - 4, end);
      if (video) return video;
      at = within.indexOf("ftyp", at + 4);
    }
  }
  return null;
}

/** Where a video may be: behind the picture, or in a box that does not belong to the picture. */
function placesOf(bytes: Uint8Array, contentType: string): ByteRange[] {
  const { length } = bytes;
  if (contentType === "image/jpeg") return [{ start: endOfJPEG(bytes, 0), end: length }];
  if (!isoTypes.has(contentType)) return [];
  const { boxes, end } = readBoxes(bytes, 0, length);
  const others = boxes.filter(({ type }) => !pictureBoxes.has(type));
  return [...others.map(({ from, end }) => ({ start: from, end })), { start: end, end: length }];
}

function readVideoAt(bytes: Uint8Array, start: number, limit: number): Uint8Array | null {
  if (uint(bytes, start, 4) > longestHead) return null;
  const { boxes } = readBoxes(bytes, start, limit);
  const firstOther = boxes.findIndex(({ type }) => !videoBoxes.has(type));
  const own = firstOther < 0 ? boxes : boxes.slice(0, firstOther);
  return findBox(own, "moov") && findBox(own, "mdat") ? bytes.subarray(start, own.at(-1)?.end) : null;
}
