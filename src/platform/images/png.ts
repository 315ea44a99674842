import { constants, crc32, deflateSync, inflateSync } from "node:zlib";
import { type Block, latin, nothing, opaque, removed, startsWith, uint } from "./bytes.ts";
import { cleanProfile } from "./colour-profile.ts";
import { findContacts, withoutContacts } from "./contacts.ts";
import { parseMoment } from "./dates.ts";
import { exifBlock } from "./harmless-exif.ts";
import { findIptc } from "./iptc.ts";
import { decodeText } from "./text.ts";

export const criticalChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND", "CgBI"]);
export const keptChunks = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT tIME acTL fcTL fdAT".split(" "),
);
const textChunks = new Set(["tEXt", "zTXt", "iTXt"]);
const compressedChunks = new Set(["zTXt", "iTXt"]);
/** Credit lines. */
const keptTexts = new Set(["Author", "Copyright"]);
const maxText = 2 ** 20;
const maxDate = 40;
const maxProfile = 2 ** 23;
const maxInflated = 50;

/**
 * The metadata of a PNG. Credit lines and harmless EXIF are kept. Unknown and damaged chunks are removed, and everything
 * after the end of the image or after a damaged chunk that the image needs.
 */
export function* pngBlocks(bytes: Uint8Array): Generator<Block> {
  let [hasExif, hasPixels, inflated] = [false, false, 0];
  for (const chunk of chunks(bytes)) {
    const { type, start, end, isSound } = chunk;
    const isNeeded = !/^[a-z]/.test(type);
    if (!isSound && isNeeded) yield hasPixels ? removed(bytes, start, bytes.length) : opaque;
    if (type === "IEND") return yield removed(bytes, end, bytes.length);
    hasPixels ||= type === "IDAT";
    const block = chunkBlock(bytes, chunk, hasExif, inflated < maxInflated);
    // Damaged metadata is read, but not public.
    if (!isSound) yield { ...(block ?? noBlock), edits: removed(bytes, start, end).edits };
    else if (block) yield block;
    hasExif ||= type === "eXIf";
    if (compressedChunks.has(type)) inflated++;
  }
  if (!hasPixels) yield opaque;
}

const noBlock: Block = { kind: "other", data: nothing, edits: [] };

/** Null if the chunk is kept as it is. */
function chunkBlock(bytes: Uint8Array, chunk: Chunk, hasExif: boolean, mayInflate: boolean): Block | null {
  const { type, start, from, to, end } = chunk;
  const data = bytes.subarray(from, to);
  if (type === "eXIf" && !hasExif) return exifBlock(bytes, [start, end], [from, to], exifChunk);
  if (type === "tIME") return { kind: "modified", data: timeText(data), edits: [] };
  if (textChunks.has(type)) return textBlock(bytes, chunk, readText(type, data, mayInflate));
  if (type === "iCCP") return profileBlock(bytes, chunk);
  return keptChunks.has(type) || criticalChunks.has(type) ? null : removed(bytes, start, end);
}

/** A chunk is not sound if its checksum is wrong, or if its length is: then it is the last one. */
type Chunk = { type: string; start: number; from: number; to: number; end: number; isSound: boolean };

export function* chunks(bytes: Uint8Array): Generator<Chunk> {
  const isPNG = startsWith(bytes, 0, "\x89PNG\r\n\x1a\n");
  for (let start = 8; start < bytes.length;) {
    const from = start + 8;
    const to = from + uint(bytes, start, 4);
    const type = latin(bytes, start + 4, from);
    const isBroken = !isPNG || to + 4 > bytes.length || !/^[A-Za-z]{4}$/.test(type);
    if (isBroken) return yield { type: "", start, from, to: from, end: bytes.length, isSound: false };
    const isSound = crc32(bytes.subarray(start + 4, to)) === uint(bytes, to, 4);
    yield { type, start, from, to, end: to + 4, isSound };
    start = to + 4;
  }
}

type Text = { keyword: string; content: Uint8Array };

/** The keyword and the content of a text chunk. */
function readText(type: string, data: Uint8Array, mayInflate: boolean): Text {
  const [keyword = ""] = latin(data, 0, 80).split("\0");
  const at = keyword.length + 1;
  if (type === "tEXt") return { keyword, content: data.subarray(at) };
  // In iTXt a compression flag, the language and the translated keyword come first.
  const language = type === "iTXt" ? data.indexOf(0, at + 2) + 1 : 0;
  const from = type === "iTXt" ? data.indexOf(0, language) + 1 : at + 1;
  const isCompressed = type === "zTXt" || data[at] === 1;
  const content = data.subarray(from);
  if (!isCompressed) return { keyword, content };
  return { keyword, content: mayInflate ? inflate(content) : nothing };
}

/** Nothing if it is damaged or too long. */
export function inflate(data: Uint8Array, maxOutputLength = maxText): Uint8Array {
  try {
    // Some programs leave out the checksum at the end.
    return inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return nothing;
  }
}

function textBlock(bytes: Uint8Array, { type, start, end }: Chunk, { keyword, content }: Text): Block {
  const created = keyword === "Creation Time" ? parseMoment(decodeText(content) ?? "") : null;
  if (created !== null && content.length <= maxDate) return { kind: "created", data: content, edits: [] };
  if (keptTexts.has(keyword) && findContacts(content).length === 0) return noBlock;
  if (keptTexts.has(keyword) && type === "tEXt") {
    const by = writeChunk("tEXt", Buffer.concat([Buffer.from(`${keyword}\0`, "latin1"), withoutContacts(content)]));
    return { kind: "other", data: nothing, edits: [{ start, end, by }] };
  }
  const { kind, data } = privateText(keyword, content);
  return removed(bytes, start, end, { kind, data });
}

/** XMP, dates, and the metadata of other formats in hexadecimal digits. */
function privateText(keyword: string, content: Uint8Array): Pick<Block, "kind" | "data"> {
  if (keyword === "XML:com.adobe.xmp") return { kind: "xmp", data: content };
  if (keyword === "Creation Time" || keyword === "CreationTime" || keyword === "create-date")
    return { kind: "created", data: content };
  const [, profile] = /^Raw profile type (exif|APP1|iptc|8bim|xmp)$/i.exec(keyword) ?? [];
  if (!profile) return { kind: "other", data: nothing };
  const data = fromHex(content);
  if (startsWith(data, 0, "Exif\0\0")) return { kind: "exif", data: data.subarray(6) };
  if (/^(exif|APP1)$/i.test(profile) && uint(data, 0, 2) === uint(data, 0, 1) * 257) return { kind: "exif", data };
  const iptc = findIptc(data) ?? (data[0] === 0x1c ? data : null);
  return iptc ? { kind: "iptc", data: iptc } : { kind: "xmp", data };
}

/** The format is `\nexif\n    1234\n4578…`: a name, a length, and lines of digits. */
function fromHex(content: Uint8Array): Uint8Array {
  const [, digits = ""] =
    /^\s*\w+\s+\d+\s([0-9a-fA-F\s]*)/.exec(Buffer.from(content.subarray(0, maxText)).toString("latin1")) ?? [];
  return Buffer.from(digits.replaceAll(/\s/g, ""), "hex");
}

/** The profile is compressed, after its name and the number of the method. One that cannot be read is removed. */
function profileBlock(bytes: Uint8Array, { start, from, to, end }: Chunk): Block | null {
  const at = bytes.subarray(from, to).indexOf(0) + 2;
  const profile = inflate(bytes.subarray(from + at, to), maxProfile);
  if (at < 2 || profile.length === 0) return removed(bytes, start, end);
  const clean = cleanProfile(profile);
  if (clean === profile) return null;
  const by = writeChunk("iCCP", Buffer.concat([bytes.subarray(from, from + at), deflateSync(clean)]));
  return { kind: "other", data: nothing, edits: [{ start, end, by }] };
}

/** From year, month, day, hours, minutes and seconds in UTC. */
function timeText(data: Uint8Array): Uint8Array {
  const [month, day, hours, minutes, seconds] = [...data.subarray(2, 7)].map((part) => String(part).padStart(2, "0"));
  return new TextEncoder().encode(`${uint(data, 0, 2)}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

const exifChunk = (exif: Uint8Array) => writeChunk("eXIf", exif);

export function writeChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}
