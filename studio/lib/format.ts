import { language } from "./language.ts";

const numbers = new Intl.NumberFormat(language);
const fractions = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const parts = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const days = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const daysOfCameras = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const months = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

export const formatNumber = (value: number): string => numbers.format(value);
/** Such as “3 photos”. */
export const formatCount = (number: number, one: string, many: string): string =>
  `${formatNumber(number)} ${number === 1 ? one : many}`;
/** Such as “45%” of 0.45. */
export const formatPart = (part: number): string => parts.format(part);
export const formatDay = (time: string): string => days.format(new Date(time));
/** The day of the camera's clock, which has no time zone. */
export const formatDayOf = (takenAt: string): string => daysOfCameras.format(new Date(takenAt));
export const formatTime = (time: string): string => times.format(new Date(time));
/** The name of a month such as `2026-11`. */
export const formatMonth = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));

const byteUnits = ["B", "KB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${(value < 10 && unit > 0 ? fractions : numbers).format(value < 10 && unit > 0 ? value : Math.round(value))} ${byteUnits[unit]}`;
}

const steps = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Infinity],
] as const;

/** Such as “3 hours ago”. */
export function formatAgo(time: string): string {
  let value = (Date.parse(time) - Date.now()) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return formatDay(time);
}

/** Such as `1:05`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
