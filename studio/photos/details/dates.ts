import { language } from "../../lib/language.ts";

const times = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short", timeZone: "UTC" });

/** As the clock of the camera was: times of photos have no zone, and count as UTC. */
export const formatTaken = (takenAt: string): string => times.format(new Date(takenAt));

/** For a field of the type `datetime-local`. */
export const toField = (takenAt: string | null): string => takenAt?.slice(0, 19) ?? "";

/** Null while the field has no whole date. */
export function fromField(value: string): string | null {
  const time = Date.parse(`${value}Z`);
  return Number.isNaN(time) || Number(value.slice(0, 4)) < 1000 ? null : new Date(time).toISOString();
}
