import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import type { Findings } from "./findings.ts";
import { drawSquare, hashPixels, privateIn, type Tags } from "./programs.ts";

/** An uploaded file. `copy` and `variant` are paths of what a guest got; `reason` says why there is no photo. */
export type Sample = {
  path: string;
  name: string;
  photo: Record<string, any> | null;
  reason: string | null;
  copy: string | null;
  variant: string | null;
};

/** The side of the squares by which two decoders are compared. */
const smallSide = 32;
/** A mean difference of the small pictures, of 255, that is not explained by scaling and compression. */
const maxDifference = 10;
/** Smaller pictures look different if they are scaled in another way. */
const minSide = 64;
/** The side of the squares that a person looks at. */
const largeSide = 240;
export const differencesFolder = join(import.meta.dir, "differences");

/** Nothing private is in what a guest gets. */
export function comparePrivacy({ name, photo, copy, variant }: Sample, tags: Map<string, Tags>, found: Findings): void {
  if (!photo) return;
  for (const path of [copy, variant]) {
    if (!path) continue;
    found.count(`${path === copy ? "files" : "variants"} searched for private data`);
    const left = privateIn(tags.get(path) ?? {});
    if (left.length > 0) found.fail(name, `${path === copy ? "the file" : "a variant"} has ${left.join(", ")}`);
  }
}

/** The date, the place and the numbers of the camera are those that exiftool reads. */
export function compareTruth({ name, photo }: Sample, tags: Tags, found: Findings): void {
  if (!photo) return;
  const { exif, takenAt } = photo;
  const compare = (what: string, ours: string | number | null, theirs: string | number | undefined) => {
    if (theirs === undefined || theirs === "") return;
    const isSame =
      typeof theirs === "number"
        ? Math.abs(Number(ours) - theirs) <= 1e-3 * Math.abs(theirs) + 1e-6
        : String(ours) === theirs.trim();
    found.count(`${what}: ${ours === null || ours === undefined ? "missing" : isSame ? "the same" : "different"}`);
    if (!isSame) found.note(name, `${what} ${String(ours)}, not ${String(theirs).slice(0, 80)}`);
  };
  compare("camera", exif?.model ?? null, tags["IFD0:Model"]);
  compare("lens", exif?.lens ?? null, tags["ExifIFD:LensModel"] ?? tags["XMP-aux:Lens"]);
  compare("ISO", exif?.iso ?? null, tags["ExifIFD:ISO"] || undefined);
  const taken = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(tags["ExifIFD:DateTimeOriginal"] ?? ""));
  const isReal = taken && !Number.isNaN(Date.parse(`${taken[1]}-${taken[2]}-${taken[3]}T${taken[4]}Z`));
  if (isReal && tags["ExifIFD:OffsetTimeOriginal"] === undefined)
    compare("date", takenAt?.slice(0, 19) ?? null, `${taken[1]}-${taken[2]}-${taken[3]}T${taken[4]}`);
  const latitude = tags["Composite:GPSLatitude"];
  if (typeof latitude === "number") compare("latitude", exif?.place?.latitude ?? null, latitude);
}

/** Cleaning has changed no pixel, as ImageMagick sees it. */
export async function compareCleaned({ path, name, copy }: Sample, found: Findings): Promise<void> {
  if (!copy) return found.count("withheld: only the owner gets the file");
  if (Buffer.compare(readFileSync(path), readFileSync(copy)) === 0)
    return found.count("published: nothing had to be removed");
  const [before, after] = [await hashPixels(path), await hashPixels(copy)];
  const kind = before === null ? "that ImageMagick cannot decode" : before === after ? "the same" : "DIFFERENT";
  found.count(`published: cleaned, pixels ${kind}`);
  if (before !== null && before !== after) found.fail(name, "other pixels after cleaning");
}

/** What is shown looks like what ImageMagick makes of the file, and what is refused cannot be decoded there either. */
export async function compareShown(
  { path, name, photo, variant, reason }: Sample,
  profile: string,
  found: Findings,
): Promise<void> {
  if (!variant && !reason) return;
  if (photo && Math.min(photo.width, photo.height) < minSide) return found.count("shown: too small to be compared");
  const theirs = await drawSquare(path, profile, smallSide);
  if (reason) {
    found.count(`refused, and ImageMagick ${theirs ? "can" : "cannot"} decode it`);
    return found.note(name, `refused${theirs ? ", unlike by ImageMagick" : ""}: ${reason}`);
  }
  if (!theirs || !variant) return found.count("shown: ImageMagick cannot decode it");
  const ours = await shrink(variant, smallSide).raw().toBuffer();
  const difference = ours.reduce((sum, value, i) => sum + Math.abs(value - (theirs[i] ?? 0)), 0) / ours.length;
  found.count(`shown: ${difference <= maxDifference ? "looks" : "does not look"} as in ImageMagick`);
  if (difference <= maxDifference) return;
  found.note(name, `differs by ${difference.toFixed(0)} of 255 from ImageMagick's picture`);
  await saveBoth(name, variant, await drawSquare(path, profile, largeSide));
}

const shrink = (variant: string, side: number): Sharp =>
  sharp(variant)
    .flatten({ background: "#fff" })
    .resize(side, side, { fit: "fill", kernel: "linear" })
    .toColourspace("srgb");

/** Two pictures that differ are stored as one, ours on the left, for a person who judges which is right. */
async function saveBoth(name: string, variant: string, theirs: Buffer | null): Promise<void> {
  if (!theirs) return;
  const raw = { width: largeSide, height: largeSide, channels: 3 as const };
  mkdirSync(differencesFolder, { recursive: true });
  await sharp(theirs, { raw })
    .extend({ left: largeSide, background: "#fff" })
    .composite([{ input: await shrink(variant, largeSide).png().toBuffer(), left: 0, top: 0 }])
    .webp()
    .toFile(join(differencesFolder, `${name.replaceAll("/", " ")}.webp`));
}
