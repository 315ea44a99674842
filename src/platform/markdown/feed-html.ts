import { decodeAttribute } from "./page-html.ts";

/** A feed has the whole text of a post up to this many characters of HTML. */
export const longestInFeed = 100_000;

const site = "http://own.invalid";
/** The address for every post: only what is relative to the page itself depends on its last part. */
const page = "/blog/~";

/**
 * The HTML of a post for readers that show it elsewhere: URLs are absolute, with comments for the origin and the address of the
 * page, for `fillFeedHTML`. Null if it is too long.
 */
export function toFeedHTML(html: string): string | null {
  if (html.length > longestInFeed) return null;
  const text = html.replace(
    / (href|src)="([^"]*)"/g,
    (_, name: string, value: string) => ` ${name}="${resolve(value)}"`,
  );
  return text.length > 2 * longestInFeed ? null : text;
}

function resolve(value: string): string {
  const url = URL.parse(decodeAttribute(value), site + page);
  if (!url) return value;
  if (url.origin !== site) return Bun.escapeHTML(url.href);
  const start = url.pathname === page ? "<!--page-->" : `<!--origin-->${url.pathname}`;
  return start + Bun.escapeHTML(url.search + url.hash);
}

export function fillFeedHTML(feed: string, origin: string, address: string): string {
  const [start, whole] = [Bun.escapeHTML(origin), Bun.escapeHTML(address)];
  return feed.replace(/<!--(page|origin)-->/g, (_, name: string) => (name === "page" ? whole : start));
}
