import { latin, nothing } from "./bytes.ts";
import { type Dated, pickMoment } from "./dates.ts";
import { findLens } from "./lens.ts";
import { numbersIn, type Place, toAltitude, toDegrees, withReference } from "./place.ts";
import { decodeText } from "./text.ts";
import { type Directory, directories, type Kind, numbersOf, openTiffFile, textType, type Tiff } from "./tiff.ts";

export type Exif = {
  /** The orientation of the pixels, 1 to 8. */
  orientation: number;
  taken: Dated | null;
  /** When the file was last changed. */
  changed: Dated | null;
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
  place: Place | null;
};

type Tags = {
  numbers(kind: Kind, tag: number, most: number): number[];
  text(kind: Kind, tag: number): string | null;
  /** The lens in the notes of the camera's maker. */
  lens(): string | null;
};

/** TIFF blocks by the kind of their first directory. Usually there is only `image`. */
type Blocks = Partial<Record<"image" | "exif" | "gps", Uint8Array>>;

/** Reads EXIF. Missing and invalid values are null. */
export function readExif(blocks: Blocks): Exif {
  const tags = readTags(blocks);
  const number = (tag: number, most: number) => plausible(tags.numbers("exif", tag, 1)[0], most);
  const orientation = tags.numbers("image", 0x0112, 1)[0] ?? 1;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? Math.trunc(orientation) : 1,
    taken: pickMoment(takenTexts(tags)),
    changed: pickMoment([momentText(tags, "image", [0x0132, 0x9290, 0x9010])]),
    make: tags.text("image", 0x010f),
    model: tags.text("image", 0x0110),
    lens: tags.text("exif", 0xa434) ?? tags.lens(),
    exposureTime: number(0x829a, 1e6),
    aperture: number(0x829d, 1e4),
    iso: number(0x8827, 1e8),
    focalLength: number(0x920a, 1e6),
    place: place(tags),
  };
}

/** Tags from the first directory of each kind. Numbers may be written as text. */
function readTags(blocks: Blocks): Tags {
  const found = new Map<Kind, { tiff: Tiff; directory: Directory }>();
  for (const [root, block] of Object.entries(blocks) as [keyof Blocks, Uint8Array][]) {
    const tiff = openTiffFile(block);
    for (const directory of tiff ? directories(tiff).take(root === "image" ? 100 : 1) : []) {
      const kind = directory.kind === "image" ? root : directory.kind;
      if (tiff && !found.has(kind)) found.set(kind, { tiff, directory });
    }
  }
  const find = (kind: Kind, tag: number) => {
    const { tiff, directory } = found.get(kind) ?? {};
    const entry = directory?.entries.find((entry) => entry.tag === tag);
    return tiff && entry && { tiff, entry };
  };
  const bytes = (kind: Kind, tag: number) => {
    const { tiff, entry } = find(kind, tag) ?? {};
    return tiff?.bytes.subarray(entry?.from, entry?.to) ?? nothing;
  };
  return {
    numbers(kind, tag, most) {
      const { tiff, entry } = find(kind, tag) ?? {};
      if (!tiff || !entry) return [];
      return entry.type === textType
        ? numbersIn(latin(bytes(kind, tag), 0, 100)).slice(0, most)
        : numbersOf(tiff, entry, most);
    },
    text: (kind, tag) => decodeText(bytes(kind, tag)),
    lens() {
      const { tiff, entry } = find("exif", 0x927c) ?? {};
      return tiff && entry ? findLens(tiff, entry) : null;
    },
  };
}

function plausible(value: number | undefined, most: number): number | null {
  return value !== undefined && value > 0 && value <= most ? value : null;
}

/** When the picture was taken, or else digitized. TIFF/EP stores the date in the image directory. */
const takenTexts = (tags: Tags) => [
  momentText(tags, "exif", [0x9003, 0x9291, 0x9011]),
  momentText(tags, "image", [0x9003, 0x9291, 0x9011]),
  momentText(tags, "exif", [0x9004, 0x9292, 0x9012]),
];

/** A date such as `2024:05:06 07:08:09`, with fractions of a second and the offset from UTC in separate tags. */
function momentText(tags: Tags, kind: Kind, [clock, digits, offset]: [number, number, number]): string {
  const fraction = /^\d{1,9}/.exec(tags.text("exif", digits) ?? "")?.[0];
  const time = (tags.text(kind, clock) ?? "").slice(0, 19);
  return `${time}${fraction ? `.${fraction}` : ""}${tags.text("exif", offset) ?? ""}`;
}

function place(tags: Tags): Place | null {
  const angle = (tag: number, reference: number, most: number) =>
    withReference(toDegrees(tags.numbers("gps", tag, 3), most), tags.text("gps", reference) ?? "");
  const [latitude, longitude] = [angle(0x0002, 0x0001, 90), angle(0x0004, 0x0003, 180)];
  if (latitude === null || longitude === null) return null;
  const isBelow = tags.numbers("gps", 0x0005, 1)[0] === 1;
  return { latitude, longitude, altitude: toAltitude(tags.numbers("gps", 0x0006, 1)[0], isBelow) };
}
