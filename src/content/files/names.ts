import { invalid } from "../../platform/errors.ts";
import { fold, isStorable, naturalOrderKey, truncateUTF8 } from "../../platform/text.ts";

export const maxNameBytes = 255;
export const maxDepth = 64;
/** A decomposed name becomes shorter in NFC. Longer names are refused first: normalizing many accents takes quadratic time. */
const maxTypedLength = 2 * maxNameBytes;
const maxPathLength = maxDepth * (maxNameBytes + 1);

/** Returns the name in NFC, as it is stored. Throws if it is not a valid file name. */
export function checkName(name: string, field = "name"): string {
  if (name.length > maxTypedLength) throw tooLong(field);
  const kept = name.normalize("NFC");
  if (!isStorable(name)) throw invalid(`"${field}" must not contain NUL characters or broken Unicode.`, field);
  if (kept.trim() === "") throw invalid(`"${field}" must not be blank.`, field);
  if (kept === "." || kept === "..") throw invalid(`"${field}" must not be "${kept}".`, field);
  if (/[/\\\p{Cc}]/u.test(kept)) throw invalid(`"${field}" must not contain /, \\ or control characters.`, field);
  if (Buffer.byteLength(kept) > maxNameBytes) throw tooLong(field);
  return kept;
}

const tooLong = (field: string) => invalid(`"${field}" must have at most ${maxNameBytes} bytes.`, field);

/** The names of a path from the root downwards; none for the root. Slashes at the start and end are ignored. */
export function parsePath(path: string, field = "path"): string[] {
  if (path.length > maxPathLength) {
    throw invalid(`"${field}" must have at most ${maxPathLength} characters.`, field);
  }
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  if (start === end) return [];
  const names = path.slice(start, end).split("/");
  checkDepth(names.length, field);
  return names.map((name) => checkName(name, field));
}

/** Throws if the path is too deep. The children of the root have depth 1. */
export function checkDepth(depth: number, field = "path"): void {
  if (depth > maxDepth) throw invalid(`"${field}" is too deep: at most ${maxDepth} levels.`, field);
}

/** Names with the same key cannot be in the same directory. */
export const nameKey = (name: string) => fold(name);

/** Directories first, then by name. */
export const orderKey = (name: string, isDirectory: boolean) => (isDirectory ? "0" : "1") + naturalOrderKey(name);

/** `photo.jpg`, 2 → `photo (2).jpg`, shortened where it would become too long. */
export function addNumber(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : "";
  const suffix = ` (${number})${extension}`;
  const stem = name.slice(0, name.length - extension.length);
  return truncateUTF8(stem, maxNameBytes - Buffer.byteLength(suffix)) + suffix;
}

/** Whether a file that was given this name has the other: its own, or one with a number because that was taken. */
export function isNumbered(name: string, found: string): boolean {
  const [, number] = / \((\d+)\)(\.[^.]*)?$/.exec(found) ?? [];
  return [name, addNumber(name, Number(number ?? 0))].some((one) => nameKey(one) === nameKey(found));
}

/** Makes a file name from a title: characters that are not allowed become dashes. */
export function fileNameFrom(title: string): string {
  const name = title
    .normalize("NFC")
    .replace(/[/\\\p{Cc}]+/gu, "-")
    .trim();
  return truncateUTF8(/^\.*$/.test(name) ? "untitled" : name, maxNameBytes - 10);
}
