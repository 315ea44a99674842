/** @jsxImportSource hono/jsx */
import type { Language } from "./language.ts";

type DayProps = {
  /** ISO 8601. */
  time: string;
  language: Language;
};

/** A date, in UTC: a page is the same for all visitors, wherever they are. */
export function Day({ time, language }: DayProps) {
  return <time datetime={time}>{printDay(time, language)}</time>;
}

export const printDay = (time: string, language: Language): string => formats(language).day.format(new Date(time));

/** With the time of the day. */
export const printTime = (time: string, language: Language): string =>
  `${formats(language).time.format(new Date(time))} UTC`;

type Formats = Record<"day" | "time", Intl.DateTimeFormat>;
const known = new Map<Language, Formats>();

function formats(language: Language): Formats {
  const timeZone = "UTC";
  const found = known.get(language) ?? {
    day: new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }),
    time: new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone }),
  };
  known.set(language, found);
  return found;
}
