import { type Block, nothing, startsWith } from "./bytes.ts";
import { withoutContacts } from "./contacts.ts";
import {
  directories,
  endOfValue,
  type Entry,
  isText,
  type Kind,
  openTiff,
  packTiff,
  type Tiff,
  writeTable,
} from "./tiff.ts";

const maxBytes = 2 ** 22;

/**
 * The tags that are public. All others are removed: locations, serial numbers, owners, descriptions, comments, software,
 * maker notes, thumbnails. The list is also in docs/use/photos.md; decision 0017 has the reasons.
 */
const harmless: Partial<Record<Kind, Set<number>>> = {
  // Size, colour, camera, orientation, resolution, date, artist, rating, copyright, the offset of `exif`.
  image: new Set([
    0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010f, 0x0110, 0x0112, 0x0115, 0x011a, 0x011b, 0x011c, 0x0128, 0x012d,
    0x0132, 0x013b, 0x013e, 0x013f, 0x0211, 0x0212, 0x0213, 0x0214, 0x4746, 0x4749, 0x8298, 0x8769,
  ]),
  // Exposure, sensitivity, versions, dates, lens, flash, focus, colour, size, scene, the offset of `interop`.
  exif: new Set([
    0x829a, 0x829d, 0x8822, 0x8824, 0x8827, 0x8828, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835, 0x9000, 0x9003,
    0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9102, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208,
    0x9209, 0x920a, 0x9214, 0x9290, 0x9291, 0x9292, 0xa000, 0xa001, 0xa002, 0xa003, 0xa005, 0xa20b, 0xa20e, 0xa20f,
    0xa210, 0xa214, 0xa215, 0xa217, 0xa300, 0xa301, 0xa302, 0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406, 0xa407,
    0xa408, 0xa409, 0xa40a, 0xa40c, 0xa432, 0xa433, 0xa434, 0xa460, 0xa461, 0xa462, 0xa500,
  ]),
  interop: new Set([0x0001, 0x0002, 0x1000, 0x1001, 0x1002]),
};

/** Tags whose values are text. */
const textTags = new Set([
  0x010f, 0x0110, 0x0132, 0x013b, 0x8298, 0x8824, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292,
  0xa433, 0xa434, 0x0001, 0x1000,
]);
/** JPEG tables, transfer curves, colour profiles and sensor descriptions may be long. */
const longTags = new Set([0x012d, 0x015b, 0x8773, 0x8828, 0xa302]);
/** Artist and copyright. */
export const creditTags = new Set([0x013b, 0x8298]);
const byteTypes = new Set([1, 6, 7]);
const longest = 64;

/** Whether the tag is public. A value of an unexpected type is private, because a damaged tag may contain anything. */
export function isHarmless(kind: Kind, entry: Entry): boolean {
  const isShort = entry.to - entry.from <= longest || isText(entry) || longTags.has(entry.tag);
  return harmless[kind]?.has(entry.tag) === true && isShort && isPlausible(entry);
}

/** Text is allowed only in text tags, and long byte sequences only in tags that have them. */
export function isPlausible(entry: Entry): boolean {
  const { tag, type, from, to } = entry;
  if (isText(entry)) return from < to && textTags.has(tag);
  return from < to && (!byteTypes.has(type) || to - from <= longest || longTags.has(tag));
}

/** The value of a public tag. Credit lines are public without addresses and telephone numbers. */
function publicValue(tiff: Tiff, entry: Entry): Uint8Array {
  const value = tiff.bytes.subarray(entry.from, endOfValue(tiff, entry));
  return creditTags.has(entry.tag) ? withoutContacts(value) : value;
}

/** EXIF in `from`…`to`. Its harmless part is wrapped as the file format requires, and replaces `start`…`end`. */
export function exifBlock(
  bytes: Uint8Array,
  [start, end]: [number, number],
  [from, to]: [number, number],
  wrap: (clean: Uint8Array) => Uint8Array,
): Block {
  const data = bytes.subarray(startsWith(bytes, from, "Exif\0\0") ? from + 6 : from, to);
  const clean = cleanExif(data);
  if (!clean) return { kind: "exif", data, edits: [] };
  const packed = packTiff(clean);
  const shorter = packed.length < clean.length ? packed : clean;
  return { kind: "exif", data, edits: [{ start, end, by: shorter.length > 0 ? wrap(shorter) : nothing }] };
}

/**
 * A copy in which all bytes are zero that no harmless tag needs, so that no data can hide between the tags; null if it
 * would be the same. Invalid or excessively large EXIF is removed.
 */
export function cleanExif(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length > maxBytes) return nothing;
  const clean = new Uint8Array(bytes.length);
  const tiff = openTiff(bytes);
  if (!tiff) return clean;
  const found = directories(tiff)
    .filter(({ kind }) => kind !== "next" && kind !== "sub")
    .toArray();
  const values = found.flatMap(({ kind, entries }) =>
    entries.map((entry) => ({ ...entry, stays: isHarmless(kind, entry) })),
  );
  // Valid values do not overlap. Many large overlapping ones would be expensive.
  if (values.reduce((sum, { from, to }) => sum + to - from, 0) > 2 * bytes.length) return nothing;
  for (const entry of values) if (entry.stays) clean.set(publicValue(tiff, entry), entry.from);
  for (const { from, to, stays } of values) if (!stays) clean.fill(0, from, to);
  for (const directory of found) {
    const kept = directory.entries.filter((entry) => isHarmless(directory.kind, entry));
    clean.set(writeTable(tiff, directory, kept, 0), directory.start);
  }
  clean.set(bytes.subarray(0, 8));
  return Buffer.compare(bytes, clean) === 0 ? null : clean;
}
