import { pickMoment } from "./dates.ts";
import { type Caption, joinPlace } from "./iptc.ts";
import { numbersIn, type Place, toAltitude, toDegrees, withReference } from "./place.ts";
import { tidy } from "./text.ts";

const maxBytes = 2 ** 18;

/** The parts of a place, from the smallest to the largest. */
const placeParts = ["Iptc4xmpCore:Location", "photoshop:City", "photoshop:State", "photoshop:Country"];
const moments = [
  "exif:DateTimeOriginal",
  "exif:DateTimeDigitized",
  "photoshop:DateCreated",
  "xmp:CreateDate",
  "xap:CreateDate",
];
/** What programs write that keep no EXIF, and lenses that they found in maker notes. */
const [lenses, cameras] = [
  ["exifEX:LensModel", "aux:Lens"],
  ["tiff:Make", "tiff:Model"],
];
const angles = ["exif:GPSLatitude", "exif:GPSLongitude", "exif:GPSAltitude", "exif:GPSAltitudeRef"];

/** Matches an attribute or an element by its name. */
const value = `\\s{0,9}=\\s{0,9}(?:"([^"<]{0,999})"|'([^'<]{0,999})')|(?:\\s[^<>]{0,99})?>([^<]{0,999})</`;
const patterns = new Map(
  [...placeParts, ...moments, ...angles, ...lenses, ...cameras].map((name) => [
    name,
    new RegExp(`\\b${name}(?:${value})`),
  ]),
);
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

type Shown = { place: Place | null; make: string | null; model: string | null; lens: string | null };

/** Reads an XMP packet, in which each property is an attribute or an element. */
export function readXmp(packet: Uint8Array): Caption & Shown {
  const xml = new TextDecoder().decode(packet.subarray(0, maxBytes));
  const value = (name: string) => findValue(xml, name);
  return {
    taken: pickMoment(moments.map(value)),
    make: value("tiff:Make"),
    model: value("tiff:Model"),
    lens: lenses.map(value).find((lens) => lens !== null) ?? null,
    placeName: joinPlace(placeParts.map(value)),
    place: findPlace(value),
  };
}

function findValue(xml: string, name: string): string | null {
  const [, ...forms] = patterns.get(name)?.exec(xml) ?? [];
  const text = forms.find((form) => form !== undefined) ?? "";
  return tidy(text.replace(/&(\w{2,4});/g, (entity, sign: string) => entities[sign] ?? entity));
}

function findPlace(value: (name: string) => string | null): Place | null {
  const angle = (name: string, most: number) => {
    const text = value(name) ?? "";
    return withReference(toDegrees(numbersIn(text), most), text.slice(-1));
  };
  const [latitude, longitude] = [angle("exif:GPSLatitude", 90), angle("exif:GPSLongitude", 180)];
  if (latitude === null || longitude === null) return null;
  const [height = null] = numbersIn(value("exif:GPSAltitude") ?? "");
  const isBelow = value("exif:GPSAltitudeRef") === "1";
  return { latitude, longitude, altitude: toAltitude(height, isBelow) };
}
