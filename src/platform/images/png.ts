import { crc32 } from "node:zlib";
import { type Block, latin, removed, startsWith, uint } from "./bytes.ts";
import { exifBlock } from "./harmless-exif.ts";

/** Beside the critical chunks, whose names begin with a capital letter. */
const keptChunks = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT tIME acTL fcTL fdAT".split(" "),
);
const textChunks = new Set(["tEXt", "zTXt", "iTXt"]);
const keptTexts = new Set(
  "Title,Author,Description,Copyright,Creation Time,Software,Disclaimer,Warning,Source,Comment".split(","),
);

/** What a PNG holds beside its pixels. Registered texts and harmless EXIF stay; unknown chunks go, and all behind the end. */
export function* pngBlocks(bytes: Uint8Array): Generator<Block> {
  if (!startsWith(bytes, 0, "\x89PNG\r\n\x1a\n")) return;
  let hasExif = false;
  for (let at = 8; at + 8 <= bytes.length;) {
    const [start, from] = [at, at + 8];
    const type = latin(bytes, at + 4, from);
    const to = Math.min(from + uint(bytes, at, 4), bytes.length);
    const end = Math.min(to + 4, bytes.length);
    at = end;
    if (type === "IEND") return yield removed(bytes, end, bytes.length);
    if (type === "eXIf" && !hasExif) {
      hasExif = true;
      yield exifBlock(bytes, [start, end], [from, to], exifChunk);
    } else if (textChunks.has(type)) {
      const keyword = latin(bytes, from, Math.min(to, from + 80)).split("\0")[0] ?? "";
      const kind = keyword === "XML:com.adobe.xmp" ? "xmp" : "other";
      if (!keptTexts.has(keyword)) yield removed(bytes, start, end, kind, bytes.subarray(from, to));
    } else if (/^[a-z]/.test(type) && !keptChunks.has(type)) yield removed(bytes, start, end);
  }
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
