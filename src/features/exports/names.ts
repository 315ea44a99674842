import { truncateUTF8 } from "../../platform/text.ts";
import { isLeftover } from "../../platform/archives/tree.ts";

/** Longer names cannot be stored everywhere, and longer paths neither: one is left for what is beside a file. */
const maxNameBytes = 240;
export const maxPathBytes = 900;

/** Names of devices in Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

const escape = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/**
 * A name that every system can store: what some cannot is written as in addresses, `%3A` for a colon, and so is a `%` that
 * could be read as the beginning of that. `decodeURIComponent` would give the name back.
 */
export function escapeName(name: string): string {
  const escaped = name
    .replace(/%(?=[\dA-F]{2})/gi, escape)
    .replace(/[<>:"|?*\\/\p{Cc}]/gu, escape)
    .replace(/(?:^[ ]|[. ]$)/g, escape);
  return devices.test(escaped) || isLeftover(escaped) ? escape(escaped.charAt(0)) + escaped.slice(1) : escaped;
}

export const isTooLong = (name: string): boolean => Buffer.byteLength(name) > maxNameBytes;

/** The beginning and the extension of a name that is too long. */
export function shortenName(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : "";
  return truncateUTF8(name.slice(0, name.length - extension.length), 100) + extension;
}

/** A path as the target of a link in Markdown and XML. */
export const toLink = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/").replace(/[()']/g, escape);
