import { type Block, type Edit, nothing, opaque, removed, uint } from "./bytes.ts";

/** Element ids of Matroska and WebM. */
export const id = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  chapters: 0x1043a770,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  empty: 0xec,
};
/** The parts that a player needs. All others are emptied: tags, which may hold a location, and attachments. */
const keptParts = new Set([id.seekHead, id.info, id.tracks, id.chapters, id.cluster, id.cues]);
/** What a player shows of the whole video: units, duration, date, title, programs, ids. File names and notes are not kept. */
const infoParts = new Set([0x2ad7b1, 0x4489, 0x4461, 0x7ba9, 0x4d80, 0x5741, 0x73a4, 0x3cb923, 0x3eb923]);
/** Timestamps and blocks of samples. */
const clusterParts = new Set([0xe7, 0xa7, 0xab, 0xa3, 0xa0, 0xaf, 0x5854, 0xbf, id.empty]);
const [videoTrack, soundTrack] = [1, 2];
const maxParts = 100_000;
const maxElements = 5_000_000;

/** `end` is null if the element has no length. */
export type Element = { id: number; start: number; from: number; end: number | null };

/** The metadata of a Matroska or WebM file. Private parts are overwritten in place. */
export function* matroskaBlocks(bytes: Uint8Array): Generator<Block> {
  const segment = findSegment(bytes);
  const parts = segment && readParts(bytes, segment);
  const tracks = parts?.filter((part) => part.id === id.tracks) ?? [];
  if (!parts || tracks.length === 0 || !tracks.every((part) => hasOnlyPicturesAndSound(bytes, part)))
    return yield opaque;
  const infos = parts.filter((part) => part.id === id.info).map((part) => readChildren(bytes, part));
  if (!infos.every((info) => info !== null)) return yield opaque;
  const unknown = infos.flat().filter((part) => !infoParts.has(part.id));
  const edits = [...parts.filter((part) => !keptParts.has(part.id)), ...unknown].flatMap(emptyElement);
  yield { kind: "other", data: nothing, edits };
  yield removed(bytes, parts.at(-1)?.end ?? 0, bytes.length);
}

export type Part = Element & { end: number };

/** The segment of a file, which contains all but its header. */
export const findSegment = (bytes: Uint8Array) =>
  readElement(bytes, readElement(bytes, 0, bytes.length)?.end ?? bytes.length, bytes.length);

/** The parts of a segment; null if one is damaged. */
export function readParts(bytes: Uint8Array, segment: Element): Part[] | null {
  if (segment.id !== id.segment) return null;
  const limit = segment.end ?? bytes.length;
  const parts: Part[] = [];
  let left = maxElements;
  for (let at = segment.from; at < limit;) {
    const part = readElement(bytes, at, limit);
    if (!part || parts.length === maxParts) return null;
    let { end } = part;
    if (part.id === id.cluster) {
      let inner = readElement(bytes, part.from, end ?? limit);
      let innerEnd = part.from;
      for (; inner?.end && clusterParts.has(inner.id) && left-- > 0; inner = readElement(bytes, innerEnd, end ?? limit))
        innerEnd = inner.end;
      // A cluster with a length is filled by its elements; one without ends where they do.
      if (left <= 0 || (end !== null && innerEnd !== end)) return null;
      end = innerEnd;
    }
    if (end === null) return null;
    parts.push({ ...part, end });
    at = end;
  }
  return parts;
}

/** The elements that fill a part; null if one is damaged. */
function readChildren(bytes: Uint8Array, { from, end }: Part): Part[] | null {
  const children: Part[] = [];
  for (let at = from; at < end;) {
    const child = readElement(bytes, at, end);
    if (!child?.end || children.length === maxParts) return null;
    children.push({ ...child, end: child.end });
    at = child.end;
  }
  return children;
}

/** Other tracks, such as subtitles, may hold GPS data. */
function hasOnlyPicturesAndSound(bytes: Uint8Array, { from, end }: Part): boolean {
  for (let at = from; at < end;) {
    const track = readElement(bytes, at, end);
    if (!track?.end) return false;
    if (track.id === id.track && !isPictureOrSound(bytes, track.from, track.end)) return false;
    at = track.end;
  }
  return true;
}

function isPictureOrSound(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end;) {
    const part = readElement(bytes, at, end);
    if (!part?.end) return false;
    const type = uint(bytes, part.from, Math.min(part.end - part.from, 8));
    if (part.id === id.trackType) return type === videoTrack || type === soundTrack;
    at = part.end;
  }
  return false;
}

/** Null if there is no valid element that ends before the limit. */
export function readElement(bytes: Uint8Array, at: number, limit: number): Element | null {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idLength;
  const sizeLength = Math.clz32(bytes[sizeAt] ?? 0) - 23;
  const from = sizeAt + sizeLength;
  if (idLength > 4 || sizeLength > 8 || from > limit) return null;
  // The leading bit of the number marks its length.
  const high = (bytes[sizeAt] ?? 0) - 2 ** (8 - sizeLength);
  const size = high * 256 ** (sizeLength - 1) + uint(bytes, sizeAt + 1, sizeLength - 1);
  const element = { id: uint(bytes, at, idLength), start: at, from };
  if (size >= 2 ** (7 * sizeLength) - 1) return { ...element, end: null };
  return from + size > limit ? null : { ...element, end: from + size };
}

/** Turns a part into an empty element of the same length. */
function emptyElement({ start, end }: Part): Edit[] {
  const sizeLength = end - start > 8 ? 8 : 1;
  const header = new Uint8Array(1 + sizeLength);
  const size = end - start - header.length;
  header[0] = id.empty;
  for (let i = 0; i < sizeLength; i++) header[sizeLength - i] = Math.floor(size / 256 ** i) % 256;
  header[1] = (header[1] ?? 0) | (1 << (8 - sizeLength));
  return [
    { start, end: start + header.length, by: header },
    { start: start + header.length, end, by: 0 },
  ];
}
