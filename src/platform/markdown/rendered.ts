import { excerptOf } from "./excerpt.ts";
import { toFeedHTML } from "./feed-html.ts";
import { type Heading, toPageHTML } from "./page-html.ts";
import { plainHTML } from "./plain-html.ts";
import { readingTime } from "./reading-time.ts";

/** All that is made of a text, once for each change of it. */
export type Rendered = {
  /** Safe HTML. References to records are comments in it. */
  html: string;
  /** The same for the page of a post: see `toPageHTML`. */
  page: string;
  headings: Heading[];
  /** The same for feeds: see `toFeedHTML`. Null if it is too long for them. */
  feed: string | null;
  excerpt: string;
  /** How long reading it takes. */
  minutes: number;
};

/**
 * The most HTML that a text becomes, in characters. A text of a million characters has about 1.2 million. Then its page has less
 * than 2 MiB, if most characters are Latin, and can be cached.
 */
export const longestHTML = 1_900_000;
/** A character in HTML, at most: `&quot;`. */
const longestCharacter = 6;

/** `html` is the text as HTML. */
export function describeRendered(text: string, html: string): Rendered {
  return { html, ...toPageHTML(html), feed: toFeedHTML(html), excerpt: excerptOf(text), minutes: readingTime(text) };
}

/** For a text that cannot be rendered within the limits: it is shown as it is, or as much of it as the limit allows. */
export function renderPlain(text: string): Rendered {
  const html = plainHTML(text);
  if (html.length <= longestHTML) return describeRendered(text, html);
  const begin = (characters: number) => plainHTML(`${text.slice(0, characters).toWellFormed()}…`);
  // As much as fits if all parts of the text need as much as the whole, and else what always fits.
  const most = begin(Math.floor((text.length * longestHTML * 0.95) / html.length));
  return describeRendered(text, most.length <= longestHTML ? most : begin(longestHTML / longestCharacter));
}
