/** @jsxImportSource hono/jsx */
import { dateFormat } from "./formats.ts";
import type { Language } from "./language.ts";

type DayProps = {
  /** ISO 8601. */
  time: string;
  language: Language;
  /** Whether the month is abbreviated. */
  isShort?: boolean;
  /** What it is of the thing around it, for programs. */
  property?: "dt-published" | "dt-updated";
};

/** A date, in UTC. */
export function Day({ time, language, isShort = false, property }: DayProps) {
  const text = isShort ? shortDay(language).format(new Date(time)) : printDay(time, language);
  return (
    <time class={property} datetime={time}>
      {text}
    </time>
  );
}

export const printDay = (time: string, language: Language): string => day(language).format(new Date(time));

/** With the time of the day. */
export const printTime = (time: string, language: Language): string =>
  `${dayAndTime(language).format(new Date(time))} UTC`;

const day = dateFormat({ dateStyle: "long" });
const shortDay = dateFormat({ dateStyle: "medium" });
export const dayAndTime = dateFormat({ dateStyle: "long", timeStyle: "short" });
