import { shorten } from "./excerpt.ts";
import { readingTime } from "./reading-time.ts";
import type { Rendered } from "./rendered.ts";

/** Beside letters, digits and line breaks: what means nothing in Markdown, except at the beginning of a line. */
const inText = String.raw`-a-z\d ,.;:?!'"()/%$+=\n`;
/** Other scripts and their punctuation, without white space and characters that control the direction of a text. */
const otherScripts = String.raw`\u00a1-\u00ac\u00ae-\u061b\u061d-\u167f\u1681-\u180d\u180f-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3001-\u9fff\uac00-\ud7a3`;
/** A character that may mean something, an address, a space at the end of a line, or a line that may be no paragraph. */
const isMore = new RegExp(
  String.raw`[^${inText}${otherScripts}]|//|www\.| \n|(?:^|\n)(?:[ ,.;:?!)/%$+=-]|\d+[.)])`,
  "i",
);

/**
 * The same as the parser makes of a text that consists of paragraphs alone, as many posts do, in a tenth of the time. Null for all
 * others.
 */
export function renderParagraphs(text: string): Rendered | null {
  const trimmed = withoutEdges(text);
  if (trimmed === "" || isMore.test(trimmed)) return null;
  const html = trimmed.replaceAll(/[^\n]+(?:\n[^\n]+)*/g, (paragraph) => `<p>${Bun.escapeHTML(paragraph)}</p>`);
  const lines = `${html.replaceAll(/\n{2,}/g, "\n")}\n`;
  return { html: lines, page: lines, headings: [], feed: lines, excerpt: shorten(trimmed), minutes: readingTime(text) };
}

/** Without empty lines at the start, and spaces and lines at the end. A pattern would begin anew at each of them. */
function withoutEdges(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === "\n") start++;
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\n")) end--;
  return text.slice(start, end);
}
