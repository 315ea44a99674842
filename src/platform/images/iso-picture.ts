import { latin, uint } from "./bytes.ts";
import { type Box, findBelow, findBox, readBoxes } from "./boxes.ts";
import { readAV1Colours } from "./av1-colours.ts";
import { isPictureMeta } from "./heif.ts";
import { type PrimaryPicture, readColours, readPrimary } from "./heif-properties.ts";
import { findSample } from "./first-sample.ts";
import { writeStill } from "./write-still.ts";

/** A HEIF or AVIF picture, in bytes that decoders open: of a sequence, the first picture. */
export type ISOPicture = PrimaryPicture & { bytes: Uint8Array };

/** The offsets of the major brand and of the first compatible one. */
const [brandAt, compatibleAt] = [8, 16];
export const isAV1 = ({ codec }: PrimaryPicture) => codec === "av01";

/**
 * Null if there is neither a primary picture nor a sequence. Decoders choose by the major brand, which may be that of a
 * sequence or a general one: it is changed to that of the codec in these bytes, which must be a private view of the file. One
 * of the compatible brands becomes that of files with a picture. A picture with a `crop` has yet to be cropped.
 */
export function findISOPicture(bytes: Uint8Array): ISOPicture | null {
  const primary = findPrimary(bytes);
  if (primary) return { ...primary, bytes: withoutCrop(withBrand(bytes, isAV1(primary) ? "avif" : "heic"), primary) };
  const moov = findBox(readBoxes(bytes, 0, bytes.length).boxes, "moov");
  return moov ? findFirst(bytes, moov) : null;
}

/** The primary picture, besides which there may be a sequence. */
export function findPrimary(bytes: Uint8Array): PrimaryPicture | null {
  const { boxes } = readBoxes(bytes, 0, bytes.length);
  const meta = boxes.find((box) => box.type === "meta" && isPictureMeta(bytes, box));
  return meta ? readPrimary(bytes, meta) : null;
}

function withBrand(bytes: Uint8Array, brand: string): Uint8Array {
  if (latin(bytes, brandAt, brandAt + 4) === brand) return bytes;
  const write = (text: string, at: number) => bytes.set(new TextEncoder().encode(text), at);
  write(brand, brandAt);
  if (uint(bytes, 0, 4) >= compatibleAt + 4) write("mif1", compatibleAt);
  return bytes;
}

/** Decoders forget the colours of a picture that they crop, and do not crop its transparency: they get it whole. */
function withoutCrop(bytes: Uint8Array, { crops }: PrimaryPicture): Uint8Array {
  for (const { start, end } of crops) bytes.fill(0, start, end);
  return bytes;
}

/** The first picture of a sequence that has no picture besides its track. */
function findFirst(bytes: Uint8Array, moov: Box): ISOPicture | null {
  for (const track of readBoxes(bytes, moov.from, moov.end).boxes) {
    const hdlr = track.type === "trak" ? findBelow(bytes, track, "mdia/hdlr") : undefined;
    if (!hdlr || !["pict", "vide"].includes(latin(bytes, hdlr.from + 8, hdlr.from + 12))) continue;
    const sample = findSample(bytes, track);
    if (!sample) continue;
    const { entry, properties, start, end } = sample;
    const codec = entry.type === "hev1" ? "hvc1" : entry.type;
    const size = { width: uint(bytes, entry.from + 24, 2), height: uint(bytes, entry.from + 26, 2) };
    const still = writeStill(
      { codec, size, properties: properties.map((box) => bytes.subarray(box.start, box.end)) },
      bytes.subarray(start, end),
    );
    const isDescribed = codec !== "av01" || properties.some(({ type }) => type === "colr");
    const colours = isDescribed ? readColours(bytes, properties) : readAV1Colours(bytes.subarray(start, end));
    return { codec, colours, size, crop: null, crops: [], bytes: still };
  }
  return null;
}
