import type { Photo } from "../../../content/photos/photo.ts";
import { printDay } from "../day.tsx";
import { numberFormat } from "../formats.ts";
import type { Language } from "../language.ts";
import type { Links } from "../links.ts";

/** 83 seconds → `1:23`. */
export function printDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const padded = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(whole % 60)}` : `${minutes}:${padded(whole % 60)}`;
}

/** `FUJIFILM X-T5`. Many models already begin with the maker's name. */
export function cameraOf({ exif }: Pick<Photo, "exif">): string {
  const [make, model] = [exif?.make ?? "", exif?.model ?? ""];
  const [maker = ""] = make.split(" ");
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model || make : `${make} ${model}`.trim();
}

/** `35 mm · ƒ/5.6 · 1/250 s · ISO 200`. */
export function exposureOf({ exif }: Pick<Photo, "exif">, language: Language): string {
  if (!exif) return "";
  const { focalLength, aperture, exposureTime, iso } = exif;
  const print = (value: number) => oneDigit(language).format(value);
  return [
    focalLength && `${print(focalLength)} mm`,
    aperture && `ƒ/${print(aperture)}`,
    exposureTime && `${exposureTime < 0.3 ? `1/${Math.round(1 / exposureTime)}` : print(exposureTime)} s`,
    iso && `ISO ${iso}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** `12 June 2026 · Lisbon · FUJIFILM X-T5 · 35 mm · ƒ/5.6`: what is known about a photo and shown to the viewer, in one line. */
export function factsOf(photo: Pick<Photo, "exif" | "takenAt" | "place" | "isUntitled">, language: Language): string {
  const { takenAt, place, isUntitled } = photo;
  // The name of a photo without a title has both.
  const parts = isUntitled ? [] : [takenAt && printDay(takenAt, language), place?.name];
  return [...parts, cameraOf(photo), exposureOf(photo, language)].filter(Boolean).join(" · ");
}

/** Undefined for those who may not read the file, or while it is not known what of it may be public. */
export const downloadURL = ({ file }: Pick<Photo, "file">, links: Links): string | undefined =>
  file?.url && file.sha256 ? `${links.api(file.url)}?download` : undefined;

const oneDigit = numberFormat({ maximumFractionDigits: 1 });

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte"].map((unit, power) =>
  numberFormat({
    style: "unit",
    unit,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power < 2 ? 0 : 1,
  }),
);

/** `4.2 MB`. */
export function printBytes(bytes: number, language: Language): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return sizes[power]!(language).format(bytes / 1000 ** power);
}
