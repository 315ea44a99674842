import { uint } from "./bytes.ts";
import { type Box, findBelow, findBox, readBoxes } from "./boxes.ts";
import type { Video } from "./video.ts";
import { readMovieTags } from "./movie-tags.ts";

const maxSamples = 5_000_000;
/** Seconds from 1904, the beginning of time in these files, to 1970. */
const secondsTo1970 = 2_082_844_800;
const latest = Date.UTC(2200);

/** An ISO media file: MP4 or QuickTime. */
export function readISOVideo(bytes: Uint8Array): Video | null {
  const { boxes } = readBoxes(bytes, 0, bytes.length);
  const moov = findBox(boxes, "moov");
  if (!moov) return null;
  const mvhd = findBelow(bytes, moov, "mvhd");
  const track = findVideoTrack(bytes, moov);
  const tags = readMovieTags(bytes, moov);
  return {
    ...(track ? readSize(bytes, track) : { width: null, height: null }),
    ...tags,
    duration: readDuration(bytes, moov) ?? (track ? measureFragments(bytes, boxes, moov, track) : null),
    takenAt: tags.takenAt ?? (mvhd ? readCreation(bytes, mvhd) : null),
  };
}

function findVideoTrack(bytes: Uint8Array, moov: Box): Box | undefined {
  return readBoxes(bytes, moov.from, moov.end).boxes.find((box) => {
    const hdlr = box.type === "trak" ? findBelow(bytes, box, "mdia/hdlr") : undefined;
    return hdlr && Buffer.from(bytes.subarray(hdlr.from + 8, hdlr.from + 12)).toString("latin1") === "vide";
  });
}

/** The size in the track header is the one to show, before it is turned by the matrix beside it. */
function readSize(bytes: Uint8Array, track: Box): { width: number; height: number } {
  const tkhd = findBelow(bytes, track, "tkhd");
  const matrix = tkhd ? tkhd.from + (bytes[tkhd.from] === 1 ? 52 : 40) : 0;
  const shown = tkhd && tkhd.end >= matrix + 44 ? [uint(bytes, matrix + 36, 2), uint(bytes, matrix + 40, 2)] : [];
  const stsd = findBelow(bytes, track, "mdia/minf/stbl/stsd");
  // The first description of samples follows 8 bytes of the table and 8 of its own header.
  const coded = stsd ? [uint(bytes, stsd.from + 40, 2), uint(bytes, stsd.from + 42, 2)] : [];
  const [width = 0, height = 0] = shown.every((side) => side > 0) && shown.length === 2 ? shown : coded;
  const isTurned = shown.length === 2 && uint(bytes, matrix, 4) === 0 && uint(bytes, matrix + 4, 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** A header with a creation time, a modification time, a time scale and a duration, each of them 4 or 8 bytes long. */
function readTimes(bytes: Uint8Array, { from }: Box): { created: number; scale: number; length: number } {
  const size = bytes[from] === 1 ? 8 : 4;
  const scaleAt = from + 4 + 2 * size;
  const length = uint(bytes, scaleAt + 4, size);
  const isKnown = length < 256 ** size - 2048;
  return { created: uint(bytes, from + 4, size), scale: uint(bytes, scaleAt, 4), length: isKnown ? length : 0 };
}

/** Some programs count the seconds from 1970. Zero means unknown. */
function readCreation(bytes: Uint8Array, mvhd: Box): number | null {
  const { created } = readTimes(bytes, mvhd);
  const milliseconds = 1000 * (created >= secondsTo1970 ? created - secondsTo1970 : created);
  return milliseconds > 0 && milliseconds < latest ? milliseconds : null;
}

/** From the header of the video, or else of its fragments. */
function readDuration(bytes: Uint8Array, moov: Box): number | null {
  const mvhd = findBelow(bytes, moov, "mvhd");
  const mehd = findBelow(bytes, moov, "mvex/mehd");
  const { scale, length } = mvhd ? readTimes(bytes, mvhd) : { scale: 0, length: 0 };
  const all = length || (mehd ? uint(bytes, mehd.from + 4, bytes[mehd.from] === 1 ? 8 : 4) : 0);
  return scale > 0 && all > 0 ? (1000 * all) / scale : null;
}

/** The end of the last fragment of the track. */
function measureFragments(bytes: Uint8Array, boxes: Box[], moov: Box, track: Box): number | null {
  const [tkhd, mdhd] = [findBelow(bytes, track, "tkhd"), findBelow(bytes, track, "mdia/mdhd")];
  if (!tkhd || !mdhd) return null;
  const id = uint(bytes, tkhd.from + (bytes[tkhd.from] === 1 ? 20 : 12), 4);
  const { scale } = readTimes(bytes, mdhd);
  const inherited = findDefaultDuration(bytes, moov, id);
  const budget = { left: maxSamples };
  let end = 0;
  for (const moof of boxes) {
    if (moof.type !== "moof") continue;
    for (const traf of readBoxes(bytes, moof.from, moof.end).boxes) {
      const tfhd = traf.type === "traf" ? findBelow(bytes, traf, "tfhd") : undefined;
      if (!tfhd || uint(bytes, tfhd.from + 4, 4) !== id) continue;
      const tfdt = findBelow(bytes, traf, "tfdt");
      const start = tfdt ? uint(bytes, tfdt.from + 4, bytes[tfdt.from] === 1 ? 8 : 4) : end;
      end = start + measureFragment(bytes, traf, ownDuration(bytes, tfhd) ?? inherited, budget);
    }
  }
  return scale > 0 ? (1000 * end) / scale : null;
}

function findDefaultDuration(bytes: Uint8Array, moov: Box, id: number): number {
  const mvex = findBelow(bytes, moov, "mvex");
  const found = mvex ? readBoxes(bytes, mvex.from, mvex.end).boxes : [];
  const trex = found.find(({ type, from }) => type === "trex" && uint(bytes, from + 4, 4) === id);
  return trex ? uint(bytes, trex.from + 12, 4) : 0;
}

function ownDuration(bytes: Uint8Array, { from }: Box): number | null {
  const flags = uint(bytes, from + 1, 3);
  const at = from + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
  return flags & 0x8 ? uint(bytes, at, 4) : null;
}

function measureFragment(bytes: Uint8Array, traf: Box, each: number, budget: { left: number }): number {
  let sum = 0;
  for (const { type, from, end } of readBoxes(bytes, traf.from, traf.end).boxes) {
    if (type !== "trun") continue;
    const flags = uint(bytes, from + 1, 3);
    const count = uint(bytes, from + 4, 4);
    const rows = from + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
    const rowLength = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
    if (!(flags & 0x100)) {
      sum += count * each;
      continue;
    }
    const listed = Math.min(Math.floor((end - rows) / rowLength), budget.left);
    for (let i = 0; i < listed; i++) sum += uint(bytes, rows + i * rowLength, 4);
    budget.left -= Math.max(listed, 0);
  }
  return sum;
}
