import { rawTypeOfName } from "../../src/platform/images/raw-types.ts";
import { fold } from "../../src/platform/text.ts";

/** The name without its extension. */
export const stemOf = (name: string) => name.replace(/\.[^.]*$/, "");

/** Whether it may be the moving part of a photo. */
export const isMoving = (media: string) => /\.(mp|mp~\d+|mv|mp4|mov)$/i.test(media);
export const isStill = (media: string) => /\.(jpe?g|heic|heif|hif|avif|png|webp|dng)$/i.test(media);

const isRaw = (name: string) => rawTypeOfName(name) !== undefined;

/** Whose edited copy it is, by the stem: `IMG_E1234` and `IMG_1234_edited` are those of `IMG_1234`. */
function originalStemOf(stem: string): string | null {
  const [, start, number] = /^(img_)e(\d+)$/.exec(stem) ?? [];
  return start ? `${start}${number}` : (/^(.+)_edited$/.exec(stem)?.[1] ?? null);
}

/**
 * The files of a directory that are no photos of their own, because another one shows them: the video of a still, the RAW file
 * beside a picture, and the original of an edited copy. Returns what shows each.
 */
export function findParts(names: string[]): Map<string, string> {
  const keyOf = (name: string) => fold(stemOf(name));
  const indexBy = (test: (name: string) => boolean) =>
    new Map(names.filter(test).map((name): [string, string] => [keyOf(name), name]));
  const stills = indexBy((name) => isStill(name) && !isRaw(name));
  const raws = indexBy(isRaw);
  const videos = indexBy(isMoving);
  const parts = new Map<string, string>();
  for (const name of names) {
    const still = stills.get(keyOf(name)) ?? (isMoving(name) ? raws.get(keyOf(name)) : undefined);
    if (still !== undefined && (isRaw(name) || isMoving(name))) parts.set(name, still);
  }
  for (const edited of [...stills.values(), ...videos.values()]) {
    const stem = parts.has(edited) ? null : originalStemOf(keyOf(edited));
    if (stem === null) continue;
    const original = isMoving(edited) ? videos.get(stem) : (stills.get(stem) ?? raws.get(stem));
    if (original !== undefined && original !== edited && !parts.has(original)) parts.set(original, edited);
  }
  return parts;
}
