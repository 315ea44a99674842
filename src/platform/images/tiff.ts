import { nothing, uint } from "./bytes.ts";

/** The directories of tags in EXIF and TIFF. The input is untrusted: any offset and any count may be wrong. */
export type Tiff = {
  bytes: Uint8Array;
  little: boolean;
  /** BigTIFF: offsets and counts have 8 bytes. */
  big: boolean;
};

/** `image` is the first directory, `next` the directories linked after it, `sub` the images in SubIFDs. */
export type Kind = "image" | "next" | "sub" | "exif" | "gps" | "interop";
export type Directory = { kind: Kind; start: number; end: number; entries: Entry[]; next: number };

/** The value is in `from`…`to`, which is empty if the value is not inside the file or its type is unknown. */
export type Entry = { at: number; tag: number; type: number; from: number; to: number };

const maxEntries = 100_000;
const maxDirectories = 10_000;
const maxPointers = 100;

const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const [undefinedType, utf8Type, longType] = [7, 129, 4];
const fractionTypes = new Set([5, 10]);
const signedTypes = new Set([6, 8, 9, 10, 17]);
const floatTypes = new Set([11, 12]);
export const textType = 2;

const pointers: Record<number, Kind> = { 0x014a: "sub", 0x8769: "exif", 0x8825: "gps", 0xa005: "interop" };

/** A TIFF block as EXIF uses it, with 4-byte offsets. */
export function openTiff(bytes: Uint8Array): Tiff | null {
  const mark = uint(bytes, 0, 4);
  if (mark !== 0x49492a00 && mark !== 0x4d4d002a) return null;
  return { bytes, little: mark === 0x49492a00, big: false };
}

/** RAW files of Panasonic and Olympus are TIFF with another magic number. */
const littleFileMarks = new Set([0x49492a00, 0x49495500, 0x4949524f, 0x49495253]);
const bigEndianFileMarks = new Set([0x4d4d002a, 0x4d4d4f52]);

/** A TIFF file: also BigTIFF, and RAW files that differ from TIFF only in the magic number. */
export function openTiffFile(bytes: Uint8Array): Tiff | null {
  const mark = uint(bytes, 0, 4);
  if (littleFileMarks.has(mark)) return { bytes, little: true, big: false };
  if (bigEndianFileMarks.has(mark)) return { bytes, little: false, big: false };
  const little = mark === 0x49492b00;
  if (!little && mark !== 0x4d4d002b) return null;
  return uint(bytes, 4, 2, little) === 8 && uint(bytes, 6, 2) === 0 ? { bytes, little, big: true } : null;
}

/** The sizes in bytes of offsets, entry counts, entries and the file header. */
export const sizesOf = ({ big }: Tiff) =>
  big ? { offset: 8, count: 8, entry: 20, header: 16 } : { offset: 4, count: 2, entry: 12, header: 8 };

/** Every directory once, up to a number that no valid file reaches. */
export function* directories(tiff: Tiff): Generator<Directory> {
  const { offset, header } = sizesOf(tiff);
  const ahead: [Kind, number][] = [["image", uint(tiff.bytes, header - offset, offset, tiff.little)]];
  const seen = new Set<number>();
  let left = maxEntries;
  for (const [kind, start] of ahead) {
    if (seen.has(start) || start < header || start + 2 > tiff.bytes.length || left <= 0) continue;
    seen.add(start);
    const directory = readDirectory(tiff, kind, start);
    left -= directory.entries.length + 1;
    yield directory;
    for (const entry of directory.entries) {
      const below = pointers[entry.tag];
      if (!below || ahead.length > maxDirectories) continue;
      for (const offset of numbersOf(tiff, entry, maxPointers)) ahead.push([below, offset]);
    }
    if (kind === "image" || kind === "next") ahead.push(["next", directory.next]);
    if (kind === "sub") ahead.push(["sub", directory.next]);
  }
}

export function readDirectory(tiff: Tiff, kind: Kind, start: number): Directory {
  const { bytes, little } = tiff;
  const { offset, count, entry } = sizesOf(tiff);
  const first = start + count;
  const fitting = Math.max(0, Math.floor((bytes.length - first) / entry));
  const length = Math.min(uint(bytes, start, count, little), fitting, maxEntries);
  const entries = Array.from({ length }, (_, i) => readEntry(tiff, first + entry * i));
  const end = first + entry * length;
  return { kind, start, end: Math.min(end + offset, bytes.length), entries, next: uint(bytes, end, offset, little) };
}

function readEntry(tiff: Tiff, at: number): Entry {
  const { bytes, little } = tiff;
  const { offset } = sizesOf(tiff);
  const type = uint(bytes, at + 2, 2, little);
  const size = (type === utf8Type ? 1 : (typeSizes[type] ?? 0)) * uint(bytes, at + 4, offset, little);
  const value = at + 4 + offset;
  const from = size > offset ? uint(bytes, value, offset, little) : value;
  const to = from + size > bytes.length ? from : from + size;
  return { at, tag: uint(bytes, at, 2, little), type, from, to };
}

export const isText = ({ type }: Entry) => type === textType || type === utf8Type;

/** The end of a value. Text ends at its first NUL, whatever its length says. */
export function endOfValue({ bytes }: Tiff, entry: Entry): number {
  const { from, to } = entry;
  const zero = isText(entry) ? bytes.subarray(from, to).indexOf(0) : -1;
  return zero < 0 ? to : from + zero;
}

/** Whether the value is stored outside its entry. */
export const isOutside = (tiff: Tiff, { from, to }: Entry) => to - from > sizesOf(tiff).offset;

/** The first numbers of a value. A fraction over zero is NaN or infinite. */
export function numbersOf({ bytes, little }: Tiff, { type, from, to }: Entry, most: number): number[] {
  const size = typeSizes[type];
  if (!size || type === textType || type === undefinedType) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = (at: number, size: number) => {
    const value = uint(bytes, at, size, little);
    return signedTypes.has(type) && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
  };
  return Array.from({ length: Math.min(most, (to - from) / size) }, (_, i) => {
    const at = from + i * size;
    if (fractionTypes.has(type)) return whole(at, 4) / whole(at + 4, 4);
    if (floatTypes.has(type)) return size === 4 ? view.getFloat32(at, little) : view.getFloat64(at, little);
    return whole(at, size);
  });
}

/**
 * The table of the directory with only the `kept` entries and a new link to the next directory, in the same number of
 * bytes.
 */
export function writeTable(tiff: Tiff, { start, end }: Directory, kept: Entry[], next: number): Uint8Array {
  const { bytes, little } = tiff;
  const { offset, count, entry } = sizesOf(tiff);
  const table = new Uint8Array(end - start);
  setUint(table, 0, kept.length, { size: count, little });
  for (const [i, { at }] of kept.entries()) table.set(bytes.subarray(at, at + entry), count + entry * i);
  const last = count + entry * kept.length;
  if (last + offset <= table.length) setUint(table, last, next, { size: offset, little });
  return table;
}

type Layout = { size: number; little: boolean };

export function setUint(bytes: Uint8Array, at: number, value: number, { size, little }: Layout): void {
  let left = value;
  for (let i = 0; i < size; i++) {
    bytes[little ? at + i : at + size - 1 - i] = left % 256;
    left = Math.floor(left / 256);
  }
}

/** The same directories and values, compacted; empty if there are none. It must not contain pixels. */
export function packTiff(block: Uint8Array): Uint8Array {
  const tiff = openTiff(block);
  const found = tiff ? directories(tiff).toArray() : [];
  if (!tiff || !found[0]?.entries.length) return nothing;
  const { little } = tiff;
  const tables = new Map<number, number>();
  let free = 8;
  for (const { start, entries } of found) {
    tables.set(start, free);
    free += 2 + 12 * entries.length + 4;
  }
  const values = found.flatMap(({ entries }) => entries).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const packed = new Uint8Array(free + values);
  packed.set(block.subarray(0, 4));
  setUint(packed, 4, 8, { size: 4, little });
  for (const directory of found) {
    const table = tables.get(directory.start) ?? 0;
    packed.set(writeTable(tiff, directory, directory.entries, 0), table);
    for (const [i, entry] of directory.entries.entries()) {
      const place = table + 2 + 12 * i;
      const size = entry.to - entry.from;
      if (pointers[entry.tag]) {
        setUint(packed, place + 2, longType, { size: 2, little });
        setUint(packed, place + 4, 1, { size: 4, little });
        setUint(packed, place + 8, tables.get(numbersOf(tiff, entry, 1)[0] ?? 0) ?? 0, { size: 4, little });
      } else if (size > 4) {
        packed.set(block.subarray(entry.from, entry.to), free);
        setUint(packed, place + 8, free, { size: 4, little });
        free += size + (size % 2);
      }
    }
  }
  return packed.subarray(0, free);
}
