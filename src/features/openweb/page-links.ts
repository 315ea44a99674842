import { type Branch, readTree } from "../../platform/markdown/html-tree.ts";
import type { WebPage } from "../../platform/outgoing/page.ts";
import { parseWebAddress } from "../../platform/outgoing/web-address.ts";

/** Further links of a post are not told of. */
const maxLinks = 50;

/** The pages of other sites to which a text links, each once. */
export function listLinksElsewhere(html: string, origin: string): string[] {
  const { host } = new URL(origin);
  const links = new Set<string>();
  visit(readTree(html), ({ tag, attributes }) => {
    const url = tag === "a" ? parseWebAddress(attributes.get("href") ?? "", new URL(origin)) : null;
    if (url && url.host !== host) links.add(url.href);
    return links.size < maxLinks;
  });
  return [...links];
}

/** Where a page wants to be told of links to it: by its header, or by the first element that says so; null for nowhere. */
export function findEndpoint({ url, headers, text }: WebPage): URL | null {
  const announced = endpointIn(headers["link"] ?? "");
  if (announced !== null) return parseWebAddress(announced, url);
  const tree = readTree(text);
  let found: string | undefined;
  visit(tree, ({ tag, attributes }) => {
    if ((tag === "link" || tag === "a") && isEndpoint(attributes.get("rel") ?? "")) found = attributes.get("href");
    return found === undefined;
  });
  return found === undefined ? null : parseWebAddress(found, baseOf(tree, url));
}

const isEndpoint = (rel: string) => rel.toLowerCase().split(/\s+/).includes("webmention");

/** In a header Link (RFC 8288). */
function endpointIn(header: string): string | null {
  for (const part of header.split(/,(?=\s*<)/)) {
    const [, address, rest = ""] = /^\s*<([^<>]*)>(.*)$/s.exec(part) ?? [];
    const rel = rest
      .split(";")
      .map((parameter) => parameter.trim())
      .find((parameter) => /^rel\s*=/i.test(parameter));
    if (
      address !== undefined &&
      rel &&
      isEndpoint(
        rel
          .replace(/^rel\s*=/i, "")
          .replaceAll(/["']/g, "")
          .trim(),
      )
    )
      return address;
  }
  return null;
}

/** Against what the relative addresses of a page are resolved. To resolve one takes as long as this is: a long one is not used. */
export function baseOf(tree: Branch, page: URL): URL {
  let base: string | undefined;
  visit(tree, ({ tag, attributes }) => {
    if (tag === "base") base = attributes.get("href");
    return base === undefined;
  });
  return (base === undefined ? null : parseWebAddress(base, page)) ?? page;
}

/** Whether both lead to the same page, by HTTP or HTTPS, and whatever part of it. */
export const isSamePage = (one: URL | null, other: URL): boolean =>
  one !== null && one.host === other.host && one.pathname === other.pathname && one.search === other.search;

/** Each element, in the order of the text, until `isWanted` returns false. */
function visit(branch: Branch, isWanted: (branch: Branch) => boolean): boolean {
  return branch.children.every((child) => typeof child === "string" || (isWanted(child) && visit(child, isWanted)));
}
