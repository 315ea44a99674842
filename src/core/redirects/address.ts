import { isStorable } from "../../platform/text.ts";

const longestAddress = 1000;

/** The parameters by which other programs name a record at the root of a site. */
const rootParameters = ["p", "page_id", "attachment_id"] as const;

/**
 * An address of an earlier site as it is stored and looked up: its path, decoded and without a slash at its end, and its query.
 * Null if it cannot be one: the root of this site, and its API, stay what they are.
 */
export function toAddress(url: string): string | null {
  const parsed = url.length <= 4 * longestAddress ? URL.parse(url, "http://localhost") : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null;
  const path = decode(parsed.pathname)
    ?.normalize("NFC")
    .replace(/(?<!\/)\/+$/, "");
  if (path === undefined || !path.startsWith("/") || path.startsWith("//") || path.startsWith("/api/"))
    return path === "" || path === "/" ? withQuery("/", parsed.searchParams) : null;
  return withQuery(path, parsed.searchParams);
}

/** Browsers and other programs add parameters of their own: at the root, only known ones count. */
function withQuery(path: string, query: URLSearchParams): string | null {
  if (path === "/") {
    const name = rootParameters.find((parameter) => /^[1-9]\d{0,14}$/.test(query.get(parameter) ?? ""));
    return name ? `/?${name}=${query.get(name)}` : null;
  }
  query.sort();
  const search = query.toString();
  const address = search === "" ? path : `${path}?${search}`;
  return address.length <= longestAddress && isStorable(address) && !/\p{Cc}/u.test(address) ? address : null;
}

/** Without its query, which may have been added later. */
export const withoutQuery = (address: string): string =>
  address.startsWith("/?") ? address : (address.split("?", 1)[0] ?? "");

/** What a person looks for in addresses, as these are stored. It may be a part of one, or a whole address with its host. */
export function toSearched(text: string): string {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  const part = url ? url.pathname + url.search : text;
  return (decode(part) ?? part).normalize("NFC").replace(/(?<!\/)\/+$/, "");
}

/** Whether a redirect of `from` to the path `to` would lead to itself. */
export function isCircular(from: string, to: string): boolean {
  const address = toAddress(to);
  return address !== null && (address === from || withoutQuery(address) === from);
}

/** A path of this site, to which a redirect may lead: never another host. */
export const isOwnPath = (path: string): boolean =>
  /^\/(?![/\\])[^\\\p{Cc}\s]*$/u.test(path) && isStorable(path) && path.length <= longestAddress;

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
