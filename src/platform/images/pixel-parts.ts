import { type Box, childBoxes, findBox, readBoxes } from "./boxes.ts";
import { latin, startsWith, uint } from "./bytes.ts";
import { cleanProfile } from "./colour-profile.ts";
import { readExif } from "./exif.ts";
import { colourTable, endOfData } from "./gif.ts";
import { findShown, locate, readInfos, readReferences } from "./heif.ts";
import { endOfScan, isProfile, profileHead } from "./jpeg.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { chunks, criticalChunks, inflate, keptChunks } from "./png.ts";
import { directories, openTiffFile, type Tiff } from "./tiff.ts";
import { locatePixels, pagesOf, pixelTags } from "./tiff-file.ts";

type Parts = Generator<Uint8Array | string>;

/**
 * Everything in a file on which its pixels depend, part by part; null at the end if the file is unusual in any way, so that
 * programs may read it differently. These functions only walk through flawless files, and share nothing with cleaning but
 * the position of things: what cleaning removes by mistake is missing here.
 */
const formats = new Map<string | null, (bytes: Uint8Array) => Parts>([
  ["image/jpeg", jpegParts],
  ["image/png", pngParts],
  ["image/webp", webpParts],
  ["image/gif", gifParts],
  ["image/tiff", tiffParts],
  ["image/avif", heifParts],
  ["image/heic", heifParts],
  ["image/heif", heifParts],
]);

class Unusual extends Error {}

function expect(condition: unknown): asserts condition {
  if (!condition) throw new Unusual();
}

/** Whether two files surely show the same pixels in the same colours. False means that it has to be tried. */
export function haveSameParts(one: Uint8Array, other: Uint8Array): boolean {
  const type = typeOfBytes(one.subarray(0, headLength));
  const partsOf = formats.get(type);
  if (!partsOf || typeOfBytes(other.subarray(0, headLength)) !== type) return false;
  try {
    const theirs = partsOf(other);
    for (const part of partsOf(one)) if (!isSame(part, theirs.next().value)) return false;
    return theirs.next().done === true;
  } catch (error) {
    if (error instanceof Unusual) return false;
    throw error;
  }
}

function isSame(part: Uint8Array | string, other: Uint8Array | string | undefined): boolean {
  if (typeof part === "string" || typeof other === "string" || other === undefined) return part === other;
  return Buffer.compare(part, other) === 0;
}

/** Where the picture is turned. A file without EXIF is not. */
const orientationOf = (exif: Uint8Array) => `orientation ${readExif({ image: exif }).orientation}`;

function* jpegParts(bytes: Uint8Array): Parts {
  const profile: Uint8Array[] = [];
  let [orientation, at] = [orientationOf(new Uint8Array()), 2];
  for (;;) {
    expect(bytes[at] === 0xff);
    while (bytes[at + 1] === 0xff) at++;
    const [marker = 0, start, end] = [bytes[at + 1], at, at + 2 + uint(bytes, at + 2, 2)];
    if (marker === 0xd9) break;
    expect(marker >= 0xc0 && end <= bytes.length && (marker < 0xd0 || marker > 0xd9));
    at = marker === 0xda ? endOfScan(bytes, end, bytes.length) : end;
    const isNamed = (name: string) => startsWith(bytes, start + 4, name);
    if (isProfile(bytes, marker, start)) profile.push(bytes.subarray(start + 4 + profileHead, end));
    else if (marker === 0xe0 && isNamed("JFIF\0")) yield bytes.subarray(start + 4, start + 16);
    else if (marker === 0xee && isNamed("Adobe")) yield bytes.subarray(start + 4, start + 16);
    else if (marker === 0xe1 && isNamed("Exif\0\0")) orientation = orientationOf(bytes.subarray(start + 10, end));
    else if (marker < 0xe0) yield bytes.subarray(start, at);
    else expect(marker <= 0xef || marker === 0xfe);
  }
  yield orientation;
  yield cleanProfile(Buffer.concat(profile));
}

function* pngParts(bytes: Uint8Array): Parts {
  let orientation = orientationOf(new Uint8Array());
  for (const { type, from, to, isSound } of chunks(bytes)) {
    expect(isSound);
    const data = bytes.subarray(from, to);
    if (type === "eXIf") orientation = orientationOf(data);
    if (type === "iCCP") yield cleanProfile(inflate(data.subarray(data.indexOf(0) + 2), 2 ** 23));
    else if (type !== "tIME" && (keptChunks.has(type) || criticalChunks.has(type))) yield bytes.subarray(from - 4, to);
    if (type === "IEND") return yield orientation;
  }
  expect(false);
}

const metadataFlags = 0x0c;

function* webpParts(bytes: Uint8Array): Parts {
  expect(uint(bytes, 4, 4, true) + 8 <= bytes.length);
  const limit = uint(bytes, 4, 4, true) + 8;
  let orientation = orientationOf(new Uint8Array());
  for (let at = 12; at < limit;) {
    const [type, length] = [latin(bytes, at, at + 4), uint(bytes, at + 4, 4, true)];
    const data = bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
    expect(at <= limit);
    if (type === "EXIF") orientation = orientationOf(data.subarray(startsWith(data, 0, "Exif\0\0") ? 6 : 0));
    else if (type === "ICCP") yield cleanProfile(data);
    else if (type === "VP8X") yield Uint8Array.of((data[0] ?? 0) & ~metadataFlags, ...data.subarray(1, 10));
    else if (/^(VP8 |VP8L|ALPH|ANIM|ANMF)$/.test(type)) yield data;
  }
  yield orientation;
}

function* gifParts(bytes: Uint8Array): Parts {
  const first = 13 + colourTable(bytes[10] ?? 0);
  yield bytes.subarray(0, first);
  for (let at = first; bytes[at] !== 0x3b;) {
    const [start, isImage] = [at, bytes[at] === 0x2c];
    expect(isImage || bytes[at] === 0x21);
    at = endOfData(bytes, isImage ? at + 11 + colourTable(bytes[at + 9] ?? 0) : at + 2);
    expect(at < bytes.length);
    // Graphic control and plain text. What applications add is not drawn.
    if (isImage || bytes[start + 1] === 0xf9 || bytes[start + 1] === 0x01) yield bytes.subarray(start, at);
  }
}

/** Size, depth, compression, colours, orientation, samples, layout and transfer of the pixels, besides `pixelTags`. */
const shapeTags = new Set([
  0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0112, 0x0115, 0x011c, 0x012d, 0x013e, 0x013f, 0x0211, 0x0212, 0x0213,
  0x0214, 0x8773,
]);

const [compressionTag, oldJPEG] = [0x0103, 6];

function* tiffParts(bytes: Uint8Array): Parts {
  const tiff = openTiffFile(bytes);
  const found: ReturnType<typeof pagesOf> = tiff ? directories(tiff).toArray() : [];
  const pages = tiff ? pagesOf(tiff, found) : [];
  const pixels = tiff && locatePixels(tiff, pages);
  expect(tiff && pixels);
  for (const { entries } of pages) for (const entry of entries) yield* tagParts(tiff, entry);
  for (const { start, end } of pixels) yield bytes.subarray(start, end);
}

function* tagParts(
  { bytes, little }: Tiff,
  { at, tag, from, to }: { at: number; tag: number; from: number; to: number },
): Parts {
  if (!shapeTags.has(tag) && !pixelTags.has(tag)) return;
  // The first kind of JPEG compression needs tables that are elsewhere in the file.
  expect(from < to && !(tag === compressionTag && uint(bytes, from, 2, little) === oldJPEG));
  yield bytes.subarray(at, at + 8);
  yield tag === 0x8773 ? cleanProfile(bytes.subarray(from, to)) : bytes.subarray(from, to);
}

/** The primary picture of a file without tracks, and all that it is made from. */
function* heifParts(bytes: Uint8Array): Parts {
  const { boxes, end } = readBoxes(bytes, 0, bytes.length);
  const metas = boxes.filter(({ type }) => type === "meta");
  const [meta] = metas;
  expect(meta && metas.length === 1 && end === bytes.length && !findBox(boxes, "moov"));
  const inside = childBoxes(bytes, meta.from + 4, meta.end) ?? [];
  const [iinf, iloc, pitm, idat] = ["iinf", "iloc", "pitm", "idat"].map((type) => findBox(inside, type));
  expect(iinf && iloc && pitm);
  const items = readInfos(bytes, iinf);
  const references = readReferences(bytes, findBox(inside, "iref"));
  expect(items && references && locate(bytes, iloc, idat, items));
  const primary = uint(bytes, pitm.from + 4, bytes[pitm.from] === 0 ? 2 : 4);
  const properties = readProperties(bytes, findBox(inside, "iprp"));
  for (const id of findShown(items, references, primary)) {
    const item = items.get(id);
    expect(item?.extents);
    yield `item ${id} ${item.type}`;
    for (const { start, end } of item.extents) yield bytes.subarray(start, end);
    yield* properties.get(id) ?? [];
    for (const { type, from, to } of references) if (from === id) yield `${type} ${to.join()}`;
  }
}

/** The properties of each item: whether they are essential, and their content. */
function readProperties(bytes: Uint8Array, iprp: Box | undefined): Map<number, (Uint8Array | string)[]> {
  const groups = (iprp && childBoxes(bytes, iprp.from, iprp.end)) ?? [];
  const [ipco, ipma] = [findBox(groups, "ipco"), findBox(groups, "ipma")];
  expect(ipco && ipma && groups.length === 2);
  const boxes = childBoxes(bytes, ipco.from, ipco.end) ?? [];
  const [idSize, indexSize] = [bytes[ipma.from] === 0 ? 2 : 4, (bytes[ipma.from + 3] ?? 0) & 1 ? 2 : 1];
  const found = new Map<number, (Uint8Array | string)[]>();
  let at = ipma.from + 8;
  for (let left = uint(bytes, ipma.from + 4, 4); left > 0; left--) {
    const [id, count] = [uint(bytes, at, idSize), bytes[at + idSize] ?? 0];
    at += idSize + 1;
    expect(at + count * indexSize <= ipma.end && !found.has(id));
    const parts = Array.from({ length: count }, (_, i) =>
      propertyParts(bytes, boxes, uint(bytes, at + i * indexSize, indexSize), indexSize),
    );
    found.set(id, parts.flat());
    at += count * indexSize;
  }
  return found;
}

function propertyParts(bytes: Uint8Array, boxes: Box[], reference: number, size: number): (Uint8Array | string)[] {
  const essential = 2 ** (8 * size - 1);
  const box = boxes[(reference % essential) - 1];
  if (!box) return [`no property ${reference}`];
  const head = `${box.type} ${reference >= essential}`;
  const content = bytes.subarray(box.from, box.end);
  const isProfileBox = box.type === "colr" && /^(prof|rICC)$/.test(latin(content, 0, 4));
  return [head, isProfileBox ? cleanProfile(content.subarray(4)) : content];
}
