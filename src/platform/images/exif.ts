import { latin } from "./bytes.ts";
import { decodeText } from "./text.ts";
import { type Directory, directories, type Kind, numbersOf, openTiff } from "./tiff.ts";

export type Exif = {
  /** How the pixels are to be turned, 1 to 8. */
  orientation: number;
  /** Milliseconds UTC. */
  takenAt: number | null;
  make: string | null;
  model: string | null;
  lens: string | null;
  /** Seconds. */
  exposureTime: number | null;
  /** The f-number. */
  aperture: number | null;
  iso: number | null;
  /** Millimetres. */
  focalLength: number | null;
  /** Degrees, and metres above the sea. */
  place: { latitude: number; longitude: number; altitude: number | null } | null;
};

type Tags = {
  numbers(kind: Kind, tag: number, most: number): number[];
  bytes(kind: Kind, tag: number): Uint8Array;
};

/** What a TIFF block tells of a picture; what is missing or nonsense is null. */
export function readExif(block: Uint8Array): Exif {
  const tags = readTags(block);
  const text = (kind: Kind, tag: number) => decodeText(tags.bytes(kind, tag));
  const number = (tag: number, most: number) => plausible(tags.numbers("exif", tag, 1)[0], Number.MIN_VALUE, most);
  const orientation = tags.numbers("image", 0x0112, 1)[0] ?? 1;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? Math.trunc(orientation) : 1,
    takenAt: takenAt(text),
    make: text("image", 0x010f),
    model: text("image", 0x0110),
    lens: text("exif", 0xa434),
    exposureTime: number(0x829a, 1e6),
    aperture: number(0x829d, 1e4),
    iso: number(0x8827, 1e8),
    focalLength: number(0x920a, 1e6),
    place: place(tags),
  };
}

function readTags(block: Uint8Array): Tags {
  const tiff = openTiff(block);
  const found = new Map<Kind, Directory>();
  for (const directory of tiff ? directories(tiff).take(100) : []) {
    if (!found.has(directory.kind)) found.set(directory.kind, directory);
  }
  const entry = (kind: Kind, tag: number) => found.get(kind)?.entries.find((entry) => entry.tag === tag);
  return {
    numbers(kind, tag, most) {
      const it = entry(kind, tag);
      return tiff && it ? numbersOf(tiff, it, most) : [];
    },
    bytes(kind, tag) {
      const it = entry(kind, tag);
      return block.subarray(it?.from ?? 0, it?.to ?? 0);
    },
  };
}

function plausible(value: number | undefined, least: number, most: number): number | null {
  return value !== undefined && value >= least && value <= most ? value : null;
}

/** When the shutter opened, else when the picture became digital, else when the file was changed. */
function takenAt(text: (kind: Kind, tag: number) => string | null): number | null {
  return (
    instant(text("exif", 0x9003), text("exif", 0x9291), text("exif", 0x9011)) ??
    instant(text("exif", 0x9004), text("exif", 0x9292), text("exif", 0x9012)) ??
    instant(text("image", 0x0132), text("exif", 0x9290), text("exif", 0x9010))
  );
}

/** Without an offset from UTC the camera's clock is taken for UTC. */
function instant(clock: string | null, fraction: string | null, offset: string | null): number | null {
  const parts = /^(\d{4})[:/-](\d\d)[:/-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(clock ?? "");
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, ...time] = parts.slice(1).map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time;
  const whole = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  // A date that does not exist has rolled over into another.
  if (whole.toISOString().slice(0, 19) !== `${parts.slice(1, 4).join("-")}T${parts.slice(4).join(":")}`) return null;
  const [, sign, ahead, and] = /^([+-])(0\d|1[0-4]):([0-5]\d)$/.exec(offset ?? "") ?? [];
  const zone = ahead ? Number(`${sign}1`) * (Number(ahead) * 60 + Number(and)) : 0;
  const milliseconds = Math.floor(Number(`0.${/^\d{1,9}/.exec(fraction ?? "")?.[0] ?? 0}`) * 1000);
  return whole.getTime() - zone * 60_000 + milliseconds;
}

function place(tags: Tags): Exif["place"] {
  const latitude = angle(tags, 0x0002, 0x0001, 90);
  const longitude = angle(tags, 0x0004, 0x0003, 180);
  if (latitude === null || longitude === null) return null;
  const below = tags.numbers("gps", 0x0005, 1)[0] === 1;
  const height = plausible(tags.numbers("gps", 0x0006, 1)[0], 0, 100_000);
  return { latitude, longitude, altitude: below && height ? -height : height };
}

function angle(tags: Tags, tag: number, referenceTag: number, most: number): number | null {
  const [degrees = NaN, minutes = 0, seconds = 0] = tags.numbers("gps", tag, 3);
  const value = plausible(degrees + minutes / 60 + seconds / 3600, 0, most);
  const negative = /^[SW]/i.test(latin(tags.bytes("gps", referenceTag), 0, 1));
  return negative && value ? -value : value;
}
