import findZone from "tz-lookup";
import { parseMoment } from "../../src/platform/images/dates.ts";
import { type Branch, isBlock, readTree } from "../../src/platform/markdown/html-tree.ts";
import { decodePart } from "../../src/platform/text.ts";
import { clockIn } from "../../src/platform/zone-clock.ts";

/** HTML as plain text, as comments and descriptions have it: its own lines count, and addresses of links stand behind their words. */
export function plainTextFrom(html: string): string {
  const parts: string[] = [];
  write(readTree(html.replace(/(?:<br\b[^<>]*>)?\r?\n/gi, "<br>")), parts);
  return parts
    .join("")
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function write({ children }: Branch, parts: string[]): void {
  for (const child of children) {
    if (typeof child === "string") parts.push(child);
    else if (child.tag === "br") parts.push("\n");
    else if (child.tag !== "script" && child.tag !== "style") writeElement(child, parts);
  }
}

function writeElement(branch: Branch, parts: string[]): void {
  const inner: string[] = [];
  write(branch, inner);
  const text = inner.join("");
  const href = branch.tag === "a" ? (branch.attributes.get("href")?.trim() ?? "") : "";
  const isShown = !/^https?:\/\//.test(href) || text.includes(href.replace(/\/$/, ""));
  parts.push(isShown ? text : `${text} (${href})`);
  if (isBlock(branch)) parts.push("\n\n");
}

/** A part of an address with the characters that it stands for; as it is, if it is not valid. */
export const decode = (part: string): string => decodePart(part).normalize("NFC");

const shortDate = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/;

/** A time as databases, files and people write it, in UTC unless it says something else; null for none. */
export function readTime(value: unknown): number | null {
  const padded = (text: string) =>
    text
      .trim()
      .replace(shortDate, (_, ...[year, month, day]: string[]) =>
        [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-"),
      );
  const time = typeof value === "string" ? (parseMoment(padded(value)) ?? Date.parse(value)) : value;
  return typeof time === "number" && Number.isFinite(time) ? time : null;
}

/** What a clock at this place showed at this moment, as if that were UTC. */
export function clockAt({ latitude, longitude }: { latitude: number; longitude: number }, moment: number): number {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? clockIn(findZone(latitude, longitude), moment) : moment;
}
