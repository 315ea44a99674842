import type { Language } from "../language.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size as people write it: `48 kB`, `1.2 MB`. */
export function formatSize(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1000 ** power;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: units[power] as string,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power > 0 && size < 10 ? 1 : 0,
  }).format(size);
}

/** The server does not know the time zone of its visitors. */
export const formatDate = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time));
