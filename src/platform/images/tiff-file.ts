import { type Block, type Edit, nothing, opaque } from "./bytes.ts";
import { profileEdits } from "./colour-profile.ts";
import { findContacts } from "./contacts.ts";
import { creditTags, isHarmless, isPlausible } from "./harmless-exif.ts";
import { findIptc } from "./iptc.ts";
import { hiddenInJPEG } from "./jpeg.ts";
import type { ByteRange } from "../byte-range.ts";
import { complement } from "./ranges.ts";
import {
  type Directory,
  directories,
  endOfValue,
  type Entry,
  isOutside,
  numbersOf,
  openTiffFile,
  setUint,
  sizesOf,
  type Tiff,
  writeTable,
} from "./tiff.ts";

/**
 * Tags that a decoder needs in addition to the harmless tags of EXIF: page type, pixel layout, colours, strips and tiles.
 * SubIFDs, previews, GeoTIFF tags and everything unknown are not in this list and are removed.
 */
export const pixelTags = new Set([
  0x00fe, 0x00ff, 0x0107, 0x0108, 0x0109, 0x010a, 0x0111, 0x0116, 0x0117, 0x0118, 0x0119, 0x0122, 0x0123, 0x0124,
  0x0125, 0x0129, 0x013d, 0x0140, 0x0141, 0x0142, 0x0143, 0x0144, 0x0145, 0x0146, 0x0147, 0x0148, 0x014c, 0x014d,
  0x014e, 0x0150, 0x0152, 0x0153, 0x0154, 0x0155, 0x0156, 0x015a, 0x015b, 0x0200, 0x0201, 0x0202, 0x0203, 0x0205,
  0x0206, 0x0207, 0x0208, 0x0209, 0x80e3, 0x80e4, 0x80e5, 0x80e6, 0x8773,
]);
const tag = {
  kindOfPage: 0x00fe,
  oldKindOfPage: 0x00ff,
  compression: 0x0103,
  colours: 0x0106,
  strips: 0x0111,
  stripLengths: 0x0117,
  tiles: 0x0144,
  tileLengths: 0x0145,
  jpeg: 0x0201,
  jpegLength: 0x0202,
  quantizationTables: 0x0207,
  huffmanTables: [0x0208, 0x0209],
  xmp: 0x02bc,
  iptc: 0x83bb,
  photoshop: 0x8649,
  profile: 0x8773,
  dngVersion: 0xc612,
};
const jpegCompressions = new Set([6, 7]);
/** Sensor data, depth maps and semantic masks. */
const sensorColours = new Set([32_803, 34_892, 51_177, 52_527]);
const partTags: [offsets: number, lengths: number][] = [
  [tag.strips, tag.stripLengths],
  [tag.tiles, tag.tileLengths],
  [tag.jpeg, tag.jpegLength],
];
const maxParts = 1_000_000;

/** A TIFF file keeps harmless tags, its full-size pages and the data they point to. Everything else becomes zeros. */
export function* tiffBlocks(bytes: Uint8Array): Generator<Block> {
  const tiff = openTiffFile(bytes);
  if (!tiff) return yield opaque;
  yield { kind: "exif", data: bytes, edits: [] };
  const found = directories(tiff).toArray();
  for (const { entries } of found) {
    for (const { tag: name, from, to } of entries) {
      const data = bytes.subarray(from, to);
      const iptc = name === tag.iptc ? data : name === tag.photoshop ? findIptc(data) : null;
      if (iptc) yield { kind: "iptc", data: iptc, edits: [] };
      if (name === tag.xmp) yield { kind: "xmp", data, edits: [] };
    }
  }
  const edits = isRaw(tiff, found) ? null : cleanFile(tiff, found);
  yield edits ? { kind: "other", data: nothing, edits } : opaque;
}

/** Whether the file holds sensor data, as RAW files do. */
export function isRaw(tiff: Tiff, found: Directory[]): boolean {
  const mark = String.fromCharCode(...tiff.bytes.subarray(8, 12));
  const magic = tiff.bytes[2 + Number(!tiff.little)];
  if ((magic !== 0x2a && magic !== 0x2b) || mark.startsWith("CR\x02") || mark === "IIII" || mark === "MMMM")
    return true;
  return found.some(
    (directory) =>
      directory.entries.some((entry) => entry.tag === tag.dngVersion) ||
      sensorColours.has(numberOf(tiff, directory, tag.colours) ?? 0),
  );
}

/** Offsets of strips and tiles that are only a part of an image, or sensor data: a JPEG there is not a preview. */
export function findSensorParts(bytes: Uint8Array): Set<number> {
  const tiff = openTiffFile(bytes);
  const starts = new Set<number>();
  if (!tiff) return starts;
  for (const directory of directories(tiff)) {
    const isSensor = sensorColours.has(numberOf(tiff, directory, tag.colours) ?? 0);
    for (const name of [tag.strips, tag.tiles]) {
      const parts = numbers(tiff, directory, name, maxParts - starts.size);
      if (isSensor || parts.length > 1) for (const part of parts) starts.add(part);
    }
  }
  return starts;
}

/** The full-size pages. If every page is marked as reduced, the first one counts. */
export function pagesOf(tiff: Tiff, found: Directory[]): Directory[] {
  const chain = found.filter(({ kind }) => kind === "image" || kind === "next");
  const pages = chain.filter((directory) => !isReduced(tiff, directory));
  return pages.length > 0 ? pages : chain.slice(0, 1);
}

/** Marked as a reduced version by TIFF's own tags, or a thumbnail as EXIF stores it: a JPEG without strips or tiles. */
function isReduced(tiff: Tiff, directory: Directory): boolean {
  const kind = numberOf(tiff, directory, tag.kindOfPage) ?? 0;
  const names = new Set(directory.entries.map((entry) => entry.tag));
  const isThumbnail = names.has(tag.jpeg) && !names.has(tag.strips) && !names.has(tag.tiles);
  return kind % 2 === 1 || numberOf(tiff, directory, tag.oldKindOfPage) === 2 || isThumbnail;
}

/** The edits that clean the file; null if its pixels cannot be located. */
function cleanFile(tiff: Tiff, all: Directory[]): Edit[] | null {
  // A wrong offset leads into the pixels, where there are no directories.
  const found = all.filter(isDirectory);
  const pages = pagesOf(tiff, found);
  const pixels = locatePixels(tiff, pages);
  if (!pixels) return null;
  const nextPages = new Map(pages.map((page, i) => [page, pages[i + 1]?.start ?? 0]));
  const [kept, gone, tables, hidden]: [ByteRange[], ByteRange[], Edit[], Edit[]] = [pixels, [], [], []];
  for (const directory of found) {
    const { kind, start, end, entries } = directory;
    const stays = nextPages.has(directory) || kind === "exif" || kind === "interop";
    const staying = new Set(stays ? entries.filter((entry) => isKept(kind, entry)) : []);
    for (const entry of entries) {
      if (!isOutside(tiff, entry)) continue;
      if (staying.has(entry)) kept.push({ start: entry.from, end: endOfValue(tiff, entry) });
      else gone.push({ start: entry.from, end: entry.to });
      if (staying.has(entry)) hidden.push(...valueEdits(tiff, entry));
    }
    gone.push({ start, end });
    if (stays)
      tables.push({ start, end, by: writeTable(tiff, directory, [...staying], nextPages.get(directory) ?? 0) });
  }
  const whole = { start: 0, end: tiff.bytes.length };
  // Private values are removed even if a harmless tag claims the same bytes.
  const stays = complement([...complement(kept, whole), ...gone], whole);
  const written = [headerEdit(tiff, pages), ...tables];
  const rest = complement([...stays, ...written], whole);
  return [...written, ...rest.map((range) => ({ ...range, by: 0 })), ...hidden];
}

/** Most entries of a directory have a known type. */
const isDirectory = ({ kind, entries }: Directory) =>
  kind === "image" || entries.filter(({ from, to }) => from < to).length * 2 >= entries.length;

/** Removes what is private in a value that is public: contact data in a credit line, and devices in a colour profile. */
function valueEdits({ bytes }: Tiff, { tag: name, from, to }: Entry): Edit[] {
  if (name === tag.profile) return profileEdits(bytes, [{ start: from, end: to }]);
  if (!creditTags.has(name)) return [];
  const contacts = findContacts(bytes.subarray(from, to));
  return contacts.map(({ start, end }) => ({ start: from + start, end: from + end, by: 0x20 }));
}

function isKept(kind: Directory["kind"], entry: Entry): boolean {
  const isPage = kind === "image" || kind === "next";
  return isHarmless(isPage ? "image" : kind, entry) || (isPage && pixelTags.has(entry.tag) && isPlausible(entry));
}

/** Makes the header point to the first page that is kept. */
function headerEdit(tiff: Tiff, [first]: Directory[]): Edit {
  const { header, offset } = sizesOf(tiff);
  const by = Uint8Array.from(tiff.bytes.subarray(0, header));
  setUint(by, header - offset, first?.start ?? 0, { size: offset, little: tiff.little });
  return { start: 0, end: header, by };
}

/** The byte ranges of all pixels; null if a page does not locate them, or lists too many. */
export function locatePixels(tiff: Tiff, pages: Directory[]): ByteRange[] | null {
  const found: ByteRange[] = [];
  let bytesLeft = 2 * tiff.bytes.length;
  for (const page of pages) {
    const parts = partTags.flatMap(([offsets, lengths]) => pairs(tiff, page, offsets, lengths) ?? [null]);
    if (parts.length === 0 || !parts.every((part) => part !== null)) return null;
    if (found.length + parts.length > maxParts) return null;
    bytesLeft -= parts.reduce((sum, { start, end }) => sum + end - start, 0);
    if (bytesLeft < 0) return null;
    const isJPEG = jpegCompressions.has(numberOf(tiff, page, tag.compression) ?? 1);
    const shown = isJPEG ? parts.flatMap((part) => complement(hiddenInJPEG(tiff.bytes, part), part)) : parts;
    for (const range of [...shown, ...tablesOf(tiff, page)]) found.push(range);
  }
  return found.length > 0 ? found : null;
}

/** Offsets with their lengths; null if lengths are missing or zero. */
function pairs(tiff: Tiff, page: Directory, offsets: number, lengths: number): ByteRange[] | null {
  const [starts, sizes] = [numbers(tiff, page, offsets, maxParts + 1), numbers(tiff, page, lengths, maxParts + 1)];
  if (starts.length > sizes.length || starts.some((_, i) => sizes[i] === 0)) return null;
  const { length } = tiff.bytes;
  return starts.map((start, i) => ({ start: Math.min(start, length), end: Math.min(start + (sizes[i] ?? 0), length) }));
}

/** Tables of old-style JPEG: 64 bytes each, or 16 counts followed by as many codes as the counts add up to. */
function tablesOf(tiff: Tiff, page: Directory): ByteRange[] {
  const quantization = numbers(tiff, page, tag.quantizationTables, 4).map((start) => ({ start, end: start + 64 }));
  const huffman = tag.huffmanTables.flatMap((name) =>
    numbers(tiff, page, name, 4).map((start) => {
      const codes = tiff.bytes.subarray(start, start + 16).reduce((sum, count) => sum + count, 0);
      return { start, end: start + 16 + codes };
    }),
  );
  return [...quantization, ...huffman];
}

function numbers(tiff: Tiff, directory: Directory, name: number, most: number): number[] {
  const entry = directory.entries.find((one) => one.tag === name);
  return entry ? numbersOf(tiff, entry, most) : [];
}

const numberOf = (tiff: Tiff, directory: Directory, name: number) => numbers(tiff, directory, name, 1)[0];
