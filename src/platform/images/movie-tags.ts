import { latin, nothing, uint } from "./bytes.ts";
import { type Box, findBelow, findBox, readBoxes } from "./boxes.ts";
import { parseMoment } from "./dates.ts";
import type { Video } from "./video.ts";
import { parsePlace, type Place, toAltitude } from "./place.ts";
import { decodeText } from "./text.ts";

const maxTags = 1000;

type Tags = Pick<Video, "takenAt" | "make" | "model" | "place">;

/** The tags of an ISO media file, as phones, cameras and programs write them in three places. */
export function readMovieTags(bytes: Uint8Array, moov: Box): Tags {
  const udta = findBelow(bytes, moov, "udta");
  const user = udta ? readBoxes(bytes, udta.from, udta.end).boxes.slice(0, maxTags) : [];
  const keyed = new Map([
    ...readKeyedTags(bytes, findBelow(bytes, moov, "udta/meta")),
    ...readKeyedTags(bytes, findBelow(bytes, moov, "meta")),
  ]);
  const find = (...names: string[]) => {
    for (const name of names) {
      const text = keyed.get(name) ?? readUserTag(bytes, user, name);
      if (text) return text;
    }
    return null;
  };
  const where = find("com.apple.quicktime.location.ISO6709", "\xa9xyz");
  const loci = findBox(user, "loci");
  return {
    takenAt: parseMoment(find("com.apple.quicktime.creationdate", "\xa9day") ?? ""),
    make: find("com.apple.quicktime.make", "com.android.manufacturer", "\xa9mak"),
    model: find("com.apple.quicktime.model", "com.android.model", "\xa9mod"),
    place: parsePlace(where ?? "") ?? (loci ? readLocation(bytes, loci) : null),
  };
}

/** A box of names, and a box of values that refer to the names by their number. Values may also have short names. */
function readKeyedTags(bytes: Uint8Array, meta: Box | undefined): Map<string, string | null> {
  const tags = new Map<string, string | null>();
  if (!meta) return tags;
  // In MP4, the box has a version; in QuickTime, its children follow at once.
  const start = latin(bytes, meta.from + 4, meta.from + 8) === "hdlr" ? meta.from : meta.from + 4;
  const { boxes } = readBoxes(bytes, start, meta.end);
  const names = readNames(bytes, findBox(boxes, "keys"));
  const ilst = findBox(boxes, "ilst");
  const values = ilst ? readBoxes(bytes, ilst.from, ilst.end).boxes.slice(0, maxTags) : [];
  for (const value of values) {
    const name = names[uint(bytes, value.start + 4, 4) - 1] ?? value.type;
    const data = findBelow(bytes, value, "data");
    if (data) tags.set(name, decodeText(bytes.subarray(Math.min(data.from + 8, data.end), data.end)));
  }
  return tags;
}

function readNames(bytes: Uint8Array, keys: Box | undefined): string[] {
  if (!keys) return [];
  const { boxes } = readBoxes(bytes, keys.from + 8, keys.end);
  return boxes.slice(0, maxTags).map(({ from, end }) => decodeText(bytes.subarray(from, end)) ?? "");
}

/** A text with its length and its language before it. */
function readUserTag(bytes: Uint8Array, boxes: Box[], name: string): string | null {
  const { from, end } = findBox(boxes, name) ?? { from: 0, end: 0 };
  const to = Math.min(from + 4 + uint(bytes, from, 2), end);
  return decodeText(end > from + 4 ? bytes.subarray(from + 4, to) : nothing);
}

/** The location of 3GPP: a name and a role, then longitude, latitude and altitude as numbers with 16 bits of fraction. */
function readLocation(bytes: Uint8Array, { from, end }: Box): Place | null {
  const nameEnd = bytes.subarray(from + 6, end).indexOf(0);
  const at = from + 6 + nameEnd + 2;
  if (nameEnd < 0 || at + 12 > end) return null;
  const number = (index: number) => (uint(bytes, at + 4 * index, 4) | 0) / 65_536;
  const [longitude, latitude] = [number(0), number(1)];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { latitude, longitude, altitude: toAltitude(number(2), false) };
}
