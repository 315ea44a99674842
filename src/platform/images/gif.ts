import { type Block, latin, removed, startsWith } from "./bytes.ts";

/** How often an animation repeats, and the colour profile. */
const keptApplications = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

/** What a GIF holds beside its pixels. Comments stay; what unknown applications wrote goes, and all behind the end. */
export function* gifBlocks(bytes: Uint8Array): Generator<Block> {
  if (!startsWith(bytes, 0, "GIF87a") && !startsWith(bytes, 0, "GIF89a")) return;
  for (let at = 13 + colourTable(bytes[10] ?? 0); at < bytes.length;) {
    const start = at;
    if (bytes[at] === 0x3b) return yield removed(bytes, at + 1, bytes.length);
    if (bytes[at] === 0x2c) at = endOfData(bytes, at + 11 + colourTable(bytes[at + 9] ?? 0));
    else if (bytes[at] === 0x21) {
      at = endOfData(bytes, at + 2);
      const application = latin(bytes, start + 3, start + 14);
      if (bytes[start + 1] !== 0xff || keptApplications.has(application)) continue;
      const kind = application === "XMP DataXMP" ? "xmp" : "other";
      yield removed(bytes, start, at, kind, bytes.subarray(start + 14, at));
    } else return;
  }
}

const colourTable = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Behind a chain of blocks, each with its length in front, the last with none. */
function endOfData(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
  return Math.min(at + 1, bytes.length);
}
