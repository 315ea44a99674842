import { type Block, nothing } from "./bytes.ts";
import { directories, openTiff, writeTable } from "./tiff.ts";

/**
 * XMP, the host computer, IPTC, Photoshop's blocks, GPS, maker notes, user comments, Windows' titles and comments, image
 * ids, owners and serial numbers. A TIFF file has pixels behind tags of many kinds, so here all others stay.
 */
const privateTags = new Set([
  0x02bc, 0x013c, 0x83bb, 0x8649, 0x935c, 0x8825, 0x927c, 0x9286, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f, 0xa420,
  0xa430, 0xa431, 0xa435, 0xc62f, 0xc634, 0xc65d, 0xc68b, 0xfde8, 0xfde9,
]);
const kinds: Record<number, Block["kind"]> = { 0x02bc: "xmp", 0x83bb: "iptc" };

/** What a TIFF file holds. Its private tags leave their directories, and their values become zeros. */
export function* tiffBlocks(bytes: Uint8Array): Generator<Block> {
  const tiff = openTiff(bytes);
  if (!tiff) return;
  yield { kind: "exif", data: bytes, edits: [] };
  for (const directory of directories(tiff)) {
    const { kind, start, entries } = directory;
    const kept = entries.filter(({ tag }) => kind !== "gps" && !privateTags.has(tag));
    if (kept.length === entries.length) continue;
    const table = writeTable(tiff, directory, kept);
    yield { kind: "other", data: nothing, edits: [{ start, end: start + table.length, by: table }] };
    for (const { tag, from, to } of entries) {
      if (kind !== "gps" && !privateTags.has(tag)) continue;
      const edits = to - from > 4 ? [{ start: from, end: to, by: 0 }] : [];
      yield { kind: kinds[tag] ?? "other", data: bytes.subarray(from, to), edits };
    }
  }
}
