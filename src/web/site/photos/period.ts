import { z } from "zod";
import type { Month } from "../../../content/photos/lists/months.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { dateFormat } from "../formats.ts";
import type { Language } from "../language.ts";

/** A year such as `2026`, or a month of it such as `2026-06`. Times are in UTC, as in the timeline of the API. */
export type Period = string;

export const periodQuery = z.object({
  year: z
    .string()
    .regex(/^\d{4}$/, { error: "must be a year such as 2026" })
    .optional(),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: "must be a month such as 2026-06" })
    .optional(),
});

export const linkToPeriod = (period: Period): string => (period.length === 4 ? `?year=${period}` : `?month=${period}`);

/** When the period begins and ends, as the filters of photos have it. */
export function timesOf(period: Period): { from: string; to: string } {
  const start = new Date(`${period}${period.length === 4 ? "-01" : ""}-01T00:00:00Z`);
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + (period.length === 4 ? 12 : 1));
  return { from: start.toISOString(), to: end.toISOString() };
}

/** `June 2026`, or the year. */
export function nameOfPeriod(period: Period, language: Language): string {
  return period.length === 4 ? period : monthAndYear(language).format(startOf(period));
}

export const nameOfMonth = (month: Period, language: Language): string => monthAlone(language).format(startOf(month));

const monthAndYear = dateFormat({ month: "long", year: "numeric" });
const monthAlone = dateFormat({ month: "long" });
const startOf = (month: Period) => new Date(`${month}-01T00:00:00Z`);

export const yearOf = (period: Period): Period => period.slice(0, 4);

/** Each year in which photos were taken, newest first. */
export const yearsOf = (months: Month[]): Period[] => [...new Set(months.map(({ month }) => yearOf(month)))];

export const monthOf = ({ takenAt }: Pick<Photo, "takenAt">): Period | null => takenAt && takenAt.slice(0, 7);
