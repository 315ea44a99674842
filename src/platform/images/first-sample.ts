import type { ByteRange } from "../byte-range.ts";
import { type Box, findBelow, readBoxes } from "./boxes.ts";
import { uint } from "./bytes.ts";

/** The length of the fields of a video sample entry, before its boxes. */
const entryLength = 78;

/** The first sample of a track, how it is coded, and the boxes that describe this. */
type Sample = ByteRange & { entry: Box; properties: Box[] };

/** Null if it is not in this file. */
export function findSample(bytes: Uint8Array, track: Box): Sample | null {
  const stbl = findBelow(bytes, track, "mdia/minf/stbl");
  const find = (type: string) => stbl && findBelow(bytes, stbl, type);
  const [stsd, stsz, stco, co64] = ["stsd", "stsz", "stco", "co64"].map(find);
  const [entry] = stsd ? readBoxes(bytes, stsd.from + 8, stsd.end).boxes : [];
  const offsets = stco ?? co64;
  if (!entry || !stsz || !offsets || uint(bytes, offsets.from + 4, 4) === 0) return null;
  const start = uint(bytes, offsets.from + 8, stco ? 4 : 8);
  const end = start + (uint(bytes, stsz.from + 4, 4) || uint(bytes, stsz.from + 12, 4));
  const properties = readBoxes(bytes, entry.from + entryLength, entry.end).boxes;
  return start < end && end <= bytes.length ? { start, end, entry, properties } : null;
}
