/** @jsxImportSource hono/jsx */
import { dateFormat } from "./formats.ts";
import type { Language } from "./language.ts";

type DayProps = {
  /** ISO 8601. */
  time: string;
  language: Language;
  /** Whether the month is abbreviated. */
  isShort?: boolean;
};

/** A date, in UTC. */
export function Day({ time, language, isShort = false }: DayProps) {
  const text = (isShort ? shortDay : day)(language).format(new Date(time));
  return <time datetime={time}>{text}</time>;
}

/** With the time of the day. */
export const printTime = (time: string, language: Language): string =>
  `${dayAndTime(language).format(new Date(time))} UTC`;

const day = dateFormat({ dateStyle: "long" });
const shortDay = dateFormat({ dateStyle: "medium" });
export const dayAndTime = dateFormat({ dateStyle: "long", timeStyle: "short" });
