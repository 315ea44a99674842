import type { ByteRange } from "../byte-range.ts";
import { type Block, latin, nothing, opaque, removed, startsWith } from "./bytes.ts";
import { profileEdits } from "./colour-profile.ts";

/** How often an animation repeats. */
const keptApplications = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);
const profileName = "ICCRGBG1012";

/** Plain text and graphic control. */
const keptExtensions = new Set([0x01, 0xf9]);

/**
 * The metadata of a GIF. Comments and unknown extensions are removed, and everything after the end of the image or
 * after an unknown block.
 */
export function* gifBlocks(bytes: Uint8Array): Generator<Block> {
  let hasPixels = false;
  for (let at = 13 + colourTable(bytes[10] ?? 0); at < bytes.length;) {
    const [start, mark] = [at, bytes[at]];
    if (mark === 0x2c) {
      hasPixels = true;
      at = endOfData(bytes, at + 11 + colourTable(bytes[at + 9] ?? 0));
    } else if (mark === 0x21) {
      at = endOfData(bytes, at + 2);
      const block = extensionBlock(bytes, start, at);
      if (block) yield block;
    } else {
      yield removed(bytes, mark === 0x3b ? at + 1 : at, bytes.length);
      break;
    }
  }
  if (!hasPixels || !startsWith(bytes, 0, "GIF8")) yield opaque;
}

/** Null if it is kept. */
function extensionBlock(bytes: Uint8Array, start: number, end: number): Block | null {
  const application = latin(bytes, start + 3, start + 14);
  const label = bytes[start + 1] ?? 0;
  if (label === 0xff && application === profileName)
    return { kind: "other", data: nothing, edits: profileEdits(bytes, dataParts(bytes, start + 14, end)) };
  if (keptExtensions.has(label) || (label === 0xff && keptApplications.has(application))) return null;
  const kind = application === "XMP DataXMP" ? "xmp" : "other";
  return removed(bytes, start, end, { kind, data: bytes.subarray(start + 14, end) });
}

export const colourTable = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** What the blocks of a chain contain. */
function dataParts(bytes: Uint8Array, from: number, end: number): ByteRange[] {
  const parts: ByteRange[] = [];
  for (let at = from, length = bytes[at]; length && at < end; length = bytes[at]) {
    parts.push({ start: at + 1, end: Math.min(at + 1 + length, end) });
    at += 1 + length;
  }
  return parts;
}

/** The offset after a chain of blocks. Each starts with its length; the last one is empty. */
export function endOfData(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
  return Math.min(at + 1, bytes.length);
}
