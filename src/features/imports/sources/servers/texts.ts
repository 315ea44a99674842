import { maxTags } from "../../../../core/records/tags.ts";

/** What other programs call something, as one line that fits. */
export const toLine = (text: string, most: number): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();

export const toText = (text: string, most: number): string => text.replaceAll("\0", "").slice(0, most).toWellFormed();

export const toTags = (names: string[]): string[] =>
  [...new Set(names.map((name) => toLine(name, 50)).filter(Boolean))].slice(0, maxTags);
