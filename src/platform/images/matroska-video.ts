import { uint } from "./bytes.ts";
import { parseMoment } from "./dates.ts";
import type { Video } from "./video.ts";
import { type Element, findSegment, id, type Part, readElement, readParts } from "./matroska.ts";
import { parsePlace } from "./place.ts";
import { decodeText } from "./text.ts";

const infoID = { scale: 0x2ad7b1, duration: 0x4489, date: 0x4461 };
const videoID = {
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  shownWidth: 0x54b0,
  shownHeight: 0x54ba,
  unit: 0x54b2,
  projection: 0x7670,
  roll: 0x7675,
};
const tagID = { tag: 0x7373, simple: 0x67c8, name: 0x45a3, text: 0x4487 };
const clusterID = { time: 0xe7, block: 0xa3, group: 0xa0, inGroup: 0xa1 };
const usualScale = 1_000_000;
const start = Date.UTC(2001);
const maxElements = 100_000;
const largestSide = 65_535;

/** A Matroska or WebM file. */
export function readMatroskaVideo(bytes: Uint8Array): Video | null {
  const segment = findSegment(bytes);
  const parts = segment && readParts(bytes, segment);
  if (!parts) return null;
  const of = (wanted: number) => parts.filter((part) => part.id === wanted);
  const [info = null] = of(id.info);
  const inInfo = (wanted: number) => info && find(bytes, info, wanted);
  const scale = (numberOf(bytes, inInfo(infoID.scale)) || usualScale) / 1_000_000;
  const tags = readTags(bytes, of(id.tags));
  const date = inInfo(infoID.date);
  return {
    ...readSize(bytes, of(id.tracks)),
    duration: scale * (floatOf(bytes, inInfo(infoID.duration)) || readLastTime(bytes, of(id.cluster).at(-1))),
    takenAt:
      parseMoment(tags("COM.APPLE.QUICKTIME.CREATIONDATE") ?? tags("DATE_RECORDED") ?? "") ??
      (date ? readDate(bytes, date) : null),
    make: tags("COM.APPLE.QUICKTIME.MAKE") ?? tags("COM.ANDROID.MANUFACTURER") ?? tags("MAKE"),
    model: tags("COM.APPLE.QUICKTIME.MODEL") ?? tags("COM.ANDROID.MODEL") ?? tags("MODEL"),
    place: parsePlace(tags("COM.APPLE.QUICKTIME.LOCATION.ISO6709") ?? tags("LOCATION") ?? ""),
  };
}

/** The elements inside another one, up to the first that is damaged. */
function* children(bytes: Uint8Array, { from, end }: Part): Generator<Part> {
  let left = maxElements;
  for (let at = from; at < end && left-- > 0;) {
    const child: Element | null = readElement(bytes, at, end);
    if (!child?.end) return;
    yield { ...child, end: child.end };
    at = child.end;
  }
}

const find = (bytes: Uint8Array, part: Part, wanted: number) =>
  children(bytes, part).find((child) => child.id === wanted) ?? null;

const numberOf = (bytes: Uint8Array, part: Part | null) =>
  part ? uint(bytes, part.from, Math.min(part.end - part.from, 8)) : 0;

function floatOf(bytes: Uint8Array, part: Part | null): number {
  const size = part ? part.end - part.from : 0;
  if (!part || (size !== 4 && size !== 8)) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + part.from, size);
  const value = size === 4 ? view.getFloat32(0) : view.getFloat64(0);
  return Number.isFinite(value) ? value : 0;
}

/** Signed nanoseconds since 2001. */
function readDate(bytes: Uint8Array, { from, end }: Part): number | null {
  if (end - from !== 8) return null;
  const nanoseconds = new DataView(bytes.buffer, bytes.byteOffset + from, 8).getBigInt64(0);
  return nanoseconds === 0n ? null : start + Number(nanoseconds / 1_000_000n);
}

/** The size of the first track with pictures, as it is shown: turned by a quarter if the track says so. */
function readSize(bytes: Uint8Array, tracks: Part[]): { width: number | null; height: number | null } {
  for (const track of tracks.flatMap((part) => [...children(bytes, part)])) {
    const video = track.id === id.track ? find(bytes, track, videoID.video) : null;
    if (!video) continue;
    const number = (wanted: number) => numberOf(bytes, find(bytes, video, wanted));
    const [width, height] = [number(videoID.width), number(videoID.height)];
    const [shownWidth, shownHeight] = [number(videoID.shownWidth), number(videoID.shownHeight)];
    const isInPixels = shownWidth > 0 && shownHeight > 0 && number(videoID.unit) === 0;
    const size = isInPixels ? { width: shownWidth, height: shownHeight } : { width, height };
    if (Math.max(size.width, size.height) > largestSide) continue;
    const projection = find(bytes, video, videoID.projection);
    const roll = projection ? floatOf(bytes, find(bytes, projection, videoID.roll)) : 0;
    return Math.abs(Math.abs(roll) - 90) < 1 ? { width: size.height, height: size.width } : size;
  }
  return { width: null, height: null };
}

/** Browsers record without a duration: then it ends where the last block begins. */
function readLastTime(bytes: Uint8Array, cluster: Part | undefined): number {
  if (!cluster) return 0;
  let [base, last] = [0, 0];
  for (const part of children(bytes, cluster)) {
    if (part.id === clusterID.time) base = numberOf(bytes, part);
    const block = part.id === clusterID.group ? find(bytes, part, clusterID.inGroup) : part;
    if (part.id !== clusterID.block && part.id !== clusterID.group) continue;
    // The number of the track is followed by the time since the beginning of the cluster.
    if (block) last = Math.max(last, uint(bytes, block.from + Math.clz32(bytes[block.from] ?? 0) - 23, 2) & 0x7fff);
  }
  return base + last;
}

/** Texts by their names in capital letters. */
function readTags(bytes: Uint8Array, parts: Part[]): (name: string) => string | null {
  const found = new Map<string, string>();
  for (const tag of parts.flatMap((part) => [...children(bytes, part)])) {
    if (tag.id !== tagID.tag) continue;
    for (const simple of children(bytes, tag)) {
      if (simple.id !== tagID.simple || found.size >= 1000) continue;
      const text = (wanted: number) => {
        const part = find(bytes, simple, wanted);
        return part && decodeText(bytes.subarray(part.from, part.end));
      };
      const [name, value] = [text(tagID.name)?.toUpperCase(), text(tagID.text)];
      if (name && value && !found.has(name)) found.set(name, value);
    }
  }
  return (name) => found.get(name) ?? null;
}
