import { language } from "../../lib/language.ts";

/** In the zone of the camera's clock, or else in UTC: a time without a zone counts as that. */
function format(locale: string, timeStyle: "short" | "medium", zone: string | null): Intl.DateTimeFormat {
  const styles = { dateStyle: timeStyle === "short" ? "full" : "short", timeStyle } as const;
  try {
    return new Intl.DateTimeFormat(locale, { ...styles, timeZone: zone ?? "UTC" });
  } catch {
    // The server knows a zone that this browser does not.
    return new Intl.DateTimeFormat(locale, { ...styles, timeZone: "UTC" });
  }
}

type Taken = { takenAt: string; takenAtZone: string | null };

/** As the clock of the camera was. */
export const formatTaken = ({ takenAt, takenAtZone }: Taken): string =>
  format(language, "short", takenAtZone).format(new Date(takenAt));

/** For a field of the type `datetime-local`. In Swedish, dates are written like there. */
export const toField = (takenAt: string | null, zone: string | null): string =>
  takenAt === null ? "" : format("sv-SE", "medium", zone).format(new Date(takenAt)).replace(" ", "T");

/** Null while the field has no whole date. */
export function fromField(value: string, zone: string | null = null): string | null {
  const clock = Date.parse(`${value}Z`);
  if (Number.isNaN(clock) || Number(value.slice(0, 4)) < 1000) return null;
  const offsetAt = (moment: number) => Date.parse(`${toField(new Date(moment).toISOString(), zone)}Z`) - moment;
  const guess = clock - offsetAt(clock);
  return new Date(clock - offsetAt(guess)).toISOString();
}
