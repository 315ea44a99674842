import { nothing, uint } from "./bytes.ts";

/** The directories of tags that make EXIF and TIFF, read without trust: any offset and any count may be a lie. */
export type Tiff = { bytes: Uint8Array; little: boolean };

/** `image` is the first directory, `next` are all that follow it or lie below it as further images. */
export type Kind = "image" | "next" | "exif" | "gps" | "interop";
export type Directory = { kind: Kind; start: number; entries: Entry[]; next: number };

/** The value stands in `from`…`to`, which is empty when it is not inside the file or of no known type. */
export type Entry = { at: number; tag: number; type: number; from: number; to: number };

const mostEntries = 100_000;
const mostDirectories = 10_000;
const mostPointers = 100;

const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const utf8Type = 129;
const signedFraction = 10;
const numberTypes = new Set([1, 3, 4, 5, signedFraction, 13]);

const pointers: Record<number, Kind> = { 0x014a: "next", 0x8769: "exif", 0x8825: "gps", 0xa005: "interop" };

export function openTiff(bytes: Uint8Array): Tiff | null {
  const mark = uint(bytes, 0, 4);
  if (mark !== 0x49492a00 && mark !== 0x4d4d002a) return null;
  return { bytes, little: mark === 0x49492a00 };
}

/** Every directory once, up to a number that no honest file reaches. */
export function* directories(tiff: Tiff): Generator<Directory> {
  const ahead: [Kind, number][] = [["image", uint(tiff.bytes, 4, 4, tiff.little)]];
  const seen = new Set<number>();
  let left = mostEntries;
  for (const [kind, start] of ahead) {
    if (seen.has(start) || start < 8 || start + 2 > tiff.bytes.length || left <= 0) continue;
    seen.add(start);
    const directory = readDirectory(tiff, kind, start);
    left -= directory.entries.length + 1;
    yield directory;
    for (const entry of directory.entries) {
      const below = pointers[entry.tag];
      if (!below || ahead.length > mostDirectories) continue;
      for (const offset of numbersOf(tiff, entry, mostPointers)) ahead.push([below, offset]);
    }
    if (kind === "image" || kind === "next") ahead.push(["next", directory.next]);
  }
}

function readDirectory(tiff: Tiff, kind: Kind, start: number): Directory {
  const { bytes, little } = tiff;
  const room = Math.floor((bytes.length - start - 2) / 12);
  const length = Math.min(uint(bytes, start, 2, little), room);
  const entries = Array.from({ length }, (_, i) => readEntry(tiff, start + 2 + 12 * i));
  return { kind, start, entries, next: uint(bytes, start + 2 + 12 * length, 4, little) };
}

function readEntry({ bytes, little }: Tiff, at: number): Entry {
  const type = uint(bytes, at + 2, 2, little);
  const size = (type === utf8Type ? 1 : (typeSizes[type] ?? 0)) * uint(bytes, at + 4, 4, little);
  const from = size > 4 ? uint(bytes, at + 8, 4, little) : at + 8;
  const to = from + size > bytes.length ? from : from + size;
  return { at, tag: uint(bytes, at, 2, little), type, from, to };
}

/** The first numbers of a value, whole ones and fractions. A fraction over zero is NaN or infinite. */
export function numbersOf({ bytes, little }: Tiff, { type, from, to }: Entry, most: number): number[] {
  const size = typeSizes[type];
  if (!size || !numberTypes.has(type)) return [];
  return Array.from({ length: Math.min(most, (to - from) / size) }, (_, i) => {
    const at = from + i * size;
    if (size < 8) return uint(bytes, at, size, little);
    const [over, under] = [uint(bytes, at, 4, little), uint(bytes, at + 4, 4, little)];
    return type === signedFraction ? (over | 0) / (under | 0) : over / under;
  });
}

/** The table of a directory with only these of its entries, in as many bytes as it had. */
export function writeTable({ bytes, little }: Tiff, { entries, next }: Directory, kept: Entry[]): Uint8Array {
  const table = new Uint8Array(2 + 12 * entries.length);
  const view = new DataView(table.buffer);
  view.setUint16(0, kept.length, little);
  for (const [i, { at }] of kept.entries()) table.set(bytes.subarray(at, at + 12), 2 + 12 * i);
  if (kept.length < entries.length) view.setUint32(2 + 12 * kept.length, next, little);
  return table;
}

/** The same directories and values moved together; nothing when there are none. It must have no pixels. */
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
  const view = new DataView(packed.buffer);
  packed.set(block.subarray(0, 4));
  view.setUint32(4, 8, little);
  for (const directory of found) {
    const table = tables.get(directory.start) ?? 0;
    packed.set(writeTable(tiff, directory, directory.entries), table);
    for (const [i, entry] of directory.entries.entries()) {
      const place = table + 2 + 12 * i + 8;
      const size = entry.to - entry.from;
      if (pointers[entry.tag]) view.setUint32(place, tables.get(numbersOf(tiff, entry, 1)[0] ?? 0) ?? 0, little);
      if (size <= 4) continue;
      packed.set(block.subarray(entry.from, entry.to), free);
      view.setUint32(place, free, little);
      free += size + (size % 2);
    }
  }
  return packed.subarray(0, free);
}
