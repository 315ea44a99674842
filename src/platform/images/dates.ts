const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const [day, clock] = [
  String.raw`(\d{4})[-:/](\d\d)[-:/](\d\d)`,
  String.raw`(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?`,
];
const zone = String.raw`(Z|UTC|GMT|[+-]\d\d:?\d\d)?`;
const numeric = new RegExp(`^${day}(?:[ T:]${clock} ?${zone})?`);
const named = new RegExp(String.raw`(\d{1,2}) (${months.join("|")})[a-z]{0,6} (\d{4}) ${clock} ?${zone}`);
const compact = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)([+-]\d{4})?)?$/;

/**
 * Parses a date as cameras and editors write it, to milliseconds UTC: `2024:05:06 07:08:09`, `2024-05-06T07:08:09.5+02:00`,
 * `20240506T070809+0200`, `Mon, 6 May 2024 07:08:09 GMT`. A date without a time means midnight, a time without an offset
 * UTC. Null if it is not a date.
 */
export function parseMoment(text: string): number | null {
  return parseDate(text)?.time ?? null;
}

/** The first of the texts that is a date with a time, or else the first that is a date. */
export function pickMoment(texts: (string | null)[]): Dated | null {
  const found = texts.map((text) => parseDate(text ?? "")).filter((date) => date !== null);
  return found.find(({ isDay }) => !isDay) ?? found[0] ?? null;
}

/** Milliseconds UTC, whether only the day is known, and the zone that the text names: `UTC` or `+02:00`. */
export type Dated = { time: number; isDay: boolean; zone: string | null };

export function parseDate(text: string): Dated | null {
  const trimmed = text.trim().slice(0, 80);
  const [, ...parts] = numeric.exec(trimmed) ?? [];
  if (parts.length > 0) return toDated(parts);
  const [, date, month, year, ...rest] = named.exec(trimmed) ?? [];
  if (year) return toDated([year, String(months.indexOf(month ?? "") + 1), date, ...rest]);
  const [, y, m, d, hours, minutes, seconds, offset] = compact.exec(trimmed) ?? [];
  return y ? toDated([y, m, d, hours, minutes, seconds, undefined, offset]) : null;
}

function toDated(parts: (string | undefined)[]): Dated | null {
  const time = toMoment(parts);
  return time === null ? null : { time, isDay: parts[3] === undefined, zone: zoneOf(parts[7]) };
}

/** From year, month, day, hours, minutes, seconds, fraction digits and offset. */
function toMoment(parts: (string | undefined)[]): number | null {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0));
  const [fraction, offset] = parts.slice(6);
  const whole = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  // A date that does not exist has been rolled over to another one.
  const isReal = whole.getUTCMonth() === month - 1 && whole.getUTCDate() === day && whole.getUTCHours() === hours;
  if (!isReal || year < 1000 || minutes > 59 || seconds > 59) return null;
  return whole.getTime() + Math.floor(Number(`0.${fraction ?? 0}`) * 1000) - offsetOf(offset);
}

const offsetPattern = /^([+-])(0\d|1[0-4]):?([0-5]\d)$/;

function zoneOf(offset = ""): string | null {
  const [, sign, hours, minutes] = offsetPattern.exec(offset) ?? [];
  return hours ? `${sign}${hours}:${minutes}` : /^[A-Z]/.test(offset) ? "UTC" : null;
}

/** In milliseconds. A missing or invalid offset means UTC. */
function offsetOf(offset: string | undefined): number {
  const [, sign, hours, minutes] = offsetPattern.exec(offset ?? "") ?? [];
  return hours ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
}
