import { crc32, inflateSync } from "node:zlib";
import { type Block, latin, nothing, opaque, removed, startsWith, uint } from "./bytes.ts";
import { exifBlock } from "./harmless-exif.ts";
import { findIptc } from "./iptc.ts";

const criticalChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND", "CgBI"]);
const keptChunks = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT tIME acTL fcTL fdAT".split(" "),
);
const textChunks = new Set(["tEXt", "zTXt", "iTXt"]);
const compressedChunks = new Set(["zTXt", "iTXt"]);
const keptTexts = new Set(
  "Title,Author,Description,Copyright,Creation Time,Software,Disclaimer,Warning,Source,Comment".split(","),
);
const maxText = 2 ** 20;
const maxInflated = 50;

/**
 * The metadata of a PNG. Registered texts and harmless EXIF are kept. Unknown and damaged chunks are removed, and everything
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
  if (textChunks.has(type)) return textBlock(bytes, start, end, readText(type, data, mayInflate));
  return keptChunks.has(type) || criticalChunks.has(type) ? null : removed(bytes, start, end);
}

/** A chunk is not sound if its checksum is wrong, or if its length is: then it is the last one. */
type Chunk = { type: string; start: number; from: number; to: number; end: number; isSound: boolean };

function* chunks(bytes: Uint8Array): Generator<Chunk> {
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
function inflate(data: Uint8Array): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: maxText });
  } catch {
    return nothing;
  }
}

function textBlock(bytes: Uint8Array, start: number, end: number, { keyword, content }: Text): Block {
  if (keyword === "Creation Time") return { kind: "created", data: content, edits: [] };
  if (keptTexts.has(keyword)) return noBlock;
  const { kind, data } = privateText(keyword, content);
  return removed(bytes, start, end, { kind, data });
}

/** XMP, dates, and the metadata of other formats in hexadecimal digits. */
function privateText(keyword: string, content: Uint8Array): Pick<Block, "kind" | "data"> {
  if (keyword === "XML:com.adobe.xmp") return { kind: "xmp", data: content };
  if (keyword === "CreationTime" || keyword === "create-date") return { kind: "created", data: content };
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

/** From year, month, day, hours, minutes and seconds in UTC. */
function timeText(data: Uint8Array): Uint8Array {
  const [month, day, hours, minutes, seconds] = [...data.subarray(2, 7)].map((part) => String(part).padStart(2, "0"));
  return new TextEncoder().encode(`${uint(data, 0, 2)}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

function exifChunk(exif: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + exif.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, exif.length);
  chunk.set(new TextEncoder().encode("eXIf"), 4);
  chunk.set(exif, 8);
  view.setUint32(8 + exif.length, crc32(chunk.subarray(4, 8 + exif.length)));
  return chunk;
}
