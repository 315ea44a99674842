/** @jsxImportSource hono/jsx */
import type { Language } from "./language.ts";

type DayProps = {
  /** ISO 8601. */
  time: string;
  language: Language;
  /** Whether the month is abbreviated. */
  isShort?: boolean;
};

/** A date, in UTC: a page is the same for all visitors, wherever they are. */
export function Day({ time, language, isShort = false }: DayProps) {
  const text = isShort ? formats(language).short.format(new Date(time)) : printDay(time, language);
  return <time datetime={time}>{text}</time>;
}

const printDay = (time: string, language: Language): string => formats(language).day.format(new Date(time));

/** With the time of the day. */
export const printTime = (time: string, language: Language): string =>
  `${formats(language).time.format(new Date(time))} UTC`;

type Formats = Record<"day" | "short" | "time", Intl.DateTimeFormat>;
const known = new Map<Language, Formats>();

function formats(language: Language): Formats {
  const timeZone = "UTC";
  const found = known.get(language) ?? {
    day: new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }),
    short: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone }),
    time: new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone }),
  };
  known.set(language, found);
  return found;
}
