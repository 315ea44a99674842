import { type Edit, latin, uint } from "./bytes.ts";
import { type Box, childBoxes, emptyBox, findBelow, findBox } from "./boxes.ts";
import type { ByteRange } from "../byte-range.ts";

/** The boxes that a player needs. All others are emptied: locations, owners, serial numbers, previews, maker notes. */
const keptBoxes = new Map(
  Object.entries({
    moov: "mvhd iods trak mvex",
    trak: "tkhd edts tref tapt mdia",
    edts: "elst",
    tapt: "clef prof enof",
    mdia: "mdhd hdlr elng minf",
    minf: "vmhd smhd hdlr dinf stbl",
    dinf: "dref",
    stbl: "stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh sdtp sbgp sgpd subs padb",
    mvex: "mehd trex leva",
    moof: "mfhd traf",
    traf: "tfhd tfdt trun sbgp sgpd subs sdtp saiz saio senc",
  }).map(([type, children]) => [type, new Set(children.split(" "))]),
);
/** Pictures and sound. Other tracks may hold GPS data: timed metadata, and also subtitles, where drones write it. */
const keptHandlers = new Set(["vide", "soun", "pict", "auxv"]);
const maxChunks = 2_000_000;
const maxSamples = 20_000_000;

/** The byte range of consecutive samples. The end is null if the tables do not give it. */
type Chunk = { start: number; end: number | null };
type Track = { box: Box; isKept: boolean; chunks: Chunk[] };

/** The edits that clean a video, the byte ranges of its pictures and sound, and whether tracks are removed. */
type Movie = { edits: Edit[]; kept: ByteRange[]; losesTracks: boolean };

/** Null if the header is compressed or damaged, or if there are neither pictures nor sound. */
export function readMovie(bytes: Uint8Array, moov: Box): Movie | null {
  const edits = cleanBox(bytes, moov);
  const children = childBoxes(bytes, moov.from, moov.end) ?? [];
  const tracks = children.filter(({ type }) => type === "trak").flatMap((box) => readTrack(bytes, box) ?? [null]);
  if (!edits || !tracks.every((track) => track !== null)) return null;
  const [staying, leaving] = [tracks.filter(({ isKept }) => isKept), tracks.filter(({ isKept }) => !isKept)];
  const count = tracks.reduce((sum, { chunks }) => sum + chunks.length, 0);
  if (staying.length === 0 || count > maxChunks) return null;
  const starts = Float64Array.from([...tracks.flatMap(({ chunks }) => chunks.map(({ start }) => start)), bytes.length]);
  starts.sort();
  const kept = staying.flatMap(({ chunks }) =>
    chunks.map(({ start, end }) => ({ start, end: end ?? nextAfter(starts, start), next: nextAfter(starts, start) })),
  );
  // Samples do not overlap, so a table that says so is damaged.
  if (!kept.every(({ end, next }) => end <= next)) return null;
  return { edits: [...leaving.flatMap(({ box }) => emptyBox(box)), ...edits], kept, losesTracks: leaving.length > 0 };
}

/** Empties all boxes that a player does not need, at any depth; null if a box is damaged. */
export function cleanBox(bytes: Uint8Array, box: Box): Edit[] | null {
  const kept = keptBoxes.get(box.type);
  if (!kept) return cleanLeaf(bytes, box);
  const edits = childBoxes(bytes, box.from, box.end)?.flatMap((child) =>
    kept.has(child.type) ? (cleanBox(bytes, child) ?? [null]) : emptyBox(child),
  );
  return edits?.every((edit) => edit !== null) ? edits : null;
}

/** Handler names and references to other files are free text. */
function cleanLeaf(bytes: Uint8Array, { type, from, end }: Box): Edit[] | null {
  if (type === "hdlr") return [{ start: Math.min(from + 24, end), end, by: 0 }];
  if (type !== "dref") return [];
  const links = childBoxes(bytes, Math.min(from + 8, end), end);
  return links && links.map((link) => ({ start: Math.min(link.from + 4, link.end), end: link.end, by: 0 }));
}

function readTrack(bytes: Uint8Array, box: Box): Track | null {
  const mdia = findBelow(bytes, box, "mdia");
  const hdlr = mdia && findBelow(bytes, mdia, "hdlr");
  const stbl = mdia && findBelow(bytes, mdia, "minf/stbl");
  if (!hdlr || !stbl) return null;
  const handler = latin(bytes, hdlr.from + 8, hdlr.from + 12);
  const chunks = readChunks(bytes, childBoxes(bytes, stbl.from, stbl.end) ?? [], handler === "soun");
  return chunks && { box, isKept: keptHandlers.has(handler), chunks };
}

/** Null if the tables are incomplete. */
function readChunks(bytes: Uint8Array, tables: Box[], isSound: boolean): Chunk[] | null {
  const offsets = readTable(bytes, findBox(tables, "stco") ?? findBox(tables, "co64"), 4);
  const runs = readTable(bytes, findBox(tables, "stsc"), 4);
  const sizes = readSizes(bytes, tables);
  if (!offsets || !runs || !sizes || offsets.count > maxChunks) return null;
  const offsetSize = findBox(tables, "stco") ? 4 : 8;
  if (offsets.from + offsets.count * offsetSize > offsets.end || runs.from + runs.count * 12 > runs.end) return null;
  const chunks: Chunk[] = [];
  let [run, sample] = [-1, 0];
  for (let i = 0; i < offsets.count; i++) {
    while (run + 1 < runs.count && uint(bytes, runs.from + 12 * (run + 1), 4) <= i + 1) run++;
    const samples = run < 0 ? 0 : uint(bytes, runs.from + 12 * run + 4, 4);
    const start = uint(bytes, offsets.from + offsetSize * i, offsetSize);
    // For uncompressed sound, the size in the table is not in bytes.
    if (sizes.each > 0) chunks.push({ start, end: isSound ? null : start + samples * sizes.each });
    else {
      let end = start;
      for (const last = Math.min(sample + samples, sizes.count); sample < last; sample++) end += sizes.of(sample);
      chunks.push({ start, end });
    }
  }
  return chunks;
}

type Sizes = { each: number; count: number; of(sample: number): number };

/** Sample sizes: one for all, or a table. */
function readSizes(bytes: Uint8Array, tables: Box[]): Sizes | null {
  const box = findBox(tables, "stsz") ?? findBox(tables, "stz2");
  const table = readTable(bytes, box, 8);
  if (!box || !table || table.count > maxSamples) return null;
  const { from, count } = table;
  const bits = box.type === "stsz" ? 32 : (bytes[box.from + 7] ?? 0);
  const each = box.type === "stsz" ? uint(bytes, box.from + 4, 4) : 0;
  if (each === 0 && ![4, 8, 16, 32].includes(bits)) return null;
  if (each === 0 && from + Math.ceil((count * bits) / 8) > table.end) return null;
  if (bits === 4) return { each, count, of: (i) => ((bytes[from + (i >> 1)] ?? 0) >> (i % 2 ? 0 : 4)) & 15 };
  return { each, count, of: (i) => uint(bytes, from + (i * bits) / 8, bits / 8) };
}

/** A table: its row count is at this offset in the box, and the rows follow. */
function readTable(bytes: Uint8Array, box: Box | undefined, at: number) {
  if (!box || box.from + at + 4 > box.end) return null;
  return { count: uint(bytes, box.from + at, 4), from: box.from + at + 4, end: box.end };
}

/** The first of the sorted numbers that is larger than the value, or the last. */
function nextAfter(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return sorted[low] ?? sorted.at(-1) ?? 0;
}
