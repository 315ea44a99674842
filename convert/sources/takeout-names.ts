import { stemOf } from "./files.ts";

/** How many UTF-16 units of a name Google keeps before the number and the extension of a JSON file. */
const longestName = 46;
const suffix = ".supplemental-metadata";
/** A name that was cut has lost fewer than this many characters. */
const mostLost = 10;

/** `IMG(1).jpg` → `IMG.jpg` and `(1)`. */
function splitNumber(name: string): { base: string; number: string } {
  const [, start, number, end] = /^(.*)(\(\d+\))(\.[^.]*|)$/s.exec(name) ?? [];
  return start && number ? { base: start + (end ?? ""), number } : { base: name, number: "" };
}

/**
 * The names, without ".json", under which Google stores what it knows of a file, the likeliest first. It appends a suffix, cuts
 * the whole, and appends the number that distinguishes files of the same name.
 */
export function jsonNamesOf(media: string): string[] {
  const { base, number } = splitNumber(media);
  const names = [
    `${base}${suffix}`.slice(0, longestName) + number,
    base.slice(0, longestName) + number,
    `${base}${suffix}${number}`,
    `${media}${suffix}`.slice(0, longestName),
    media.slice(0, longestName),
    `${stemOf(base)}${suffix}${number}`,
    stemOf(media),
  ];
  return [...new Set(names)];
}

/** Further names, if Google has cut one shorter than usual. */
export function cutNamesOf(media: string): string[] {
  const { base, number } = splitNumber(media);
  const whole = `${base}${suffix}`;
  const shortest = Math.max(4, base.length - mostLost + 1);
  return Array.from(
    { length: whole.length - shortest + 1 },
    (_, index) => whole.slice(0, whole.length - index) + number,
  );
}

/** Whose edited copy the file may be, by their stems: `IMG-edited.jpg` is one of `IMG`, in whatever language, and cut. */
export function editedStemsOf(media: string): string[] {
  const { base, number } = splitNumber(media);
  const parts = stemOf(base).split("-");
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join("-") + number);
}

/** What Google knows of a photo has this in its name, whole or not much cut. */
const isPhotoJSON = (name: string): boolean => /\.\w{2,5}\.suppl[a-z-]*(\(\d+\))?\.json$/i.test(name);

/** The folder of Google Photos, as it is called in several languages. */
const isPhotosFolder = (name: string): boolean =>
  /^(google (photos|fotos|foto|foto's|fotók|фото|снимки|kuvat|fotoğraflar|フォト|포토|相册|相簿)|fotky google|zdjęcia google)$/i.test(
    name.normalize("NFC"),
  );

/** The folder of a year, which has everything: it is no album. */
export const isYearFolder = (name: string): boolean =>
  /^(photos from|fotos von|photos de|photos du|fotos de|fotos del|foto da|foto del|foto's uit|foto's van|zdjęcia z|fotky z|foton från|bilder fra|bilder från|billeder fra|фото за|снимки от|写真) (18|19|20)\d\d$/i.test(
    name.normalize("NFC"),
  );

/** Whether a folder is `Takeout/Google Photos`, or lies in it, or is one of a year in such a folder. */
export const isInPhotosFolder = (path: string[]): boolean =>
  path.some(
    (name, index) =>
      isPhotosFolder(name) && (/^takeout/i.test(path[index - 1] ?? "") || isYearFolder(path[index + 1] ?? "")),
  );

/** Whether the name of a file alone says that it is of Google Photos. */
export const isOfPhotos = (path: string[]): boolean =>
  isPhotoJSON(path.at(-1) ?? "") || isInPhotosFolder(path.slice(0, -1));
