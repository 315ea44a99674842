import { type Html, html } from "../../platform/markup.ts";
import { endOfMatch, maxWords, type Term } from "../../platform/search/query.ts";
import { type Word, wordsOf } from "../../platform/search/words.ts";

type Stretch = { start: number; end: number };

const excerptLength = 160;
const before = 50;
/** How far into a text a match is looked for. */
const reach = 10_000;

/** The whole text with its matches marked. */
export function highlight(text: string, terms: Term[]): string {
  return mark(text, { start: 0, end: text.length }, matchesIn([...wordsOf(text)], terms));
}

/** An excerpt around the first match, or the beginning of the text if there is no match near it. */
export function excerpt(text: string, terms: Term[]): string {
  const words = [...wordsOf(text.slice(0, reach))];
  const first = words.find((_, index) => terms.some((term) => endOfMatch(term, words, index) > 0));
  const stretch = around(text, words, first?.start ?? 0);
  const shown = words.filter(({ start }) => start >= stretch.start).slice(0, excerptLength + maxWords);
  const marked = mark(text, stretch, matchesIn(shown, terms));
  return `${stretch.start > 0 ? "…" : ""}${marked}${stretch.end < text.length ? "…" : ""}`;
}

/** In order, without overlaps. */
function matchesIn(words: Word[], terms: Term[]): Stretch[] {
  const matches: Stretch[] = [];
  for (const [index, { start }] of words.entries()) {
    let end = 0;
    for (const term of terms) end = Math.max(end, endOfMatch(term, words, index));
    const last = matches.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else if (end > 0) matches.push({ start, end });
  }
  return matches;
}

/** Begins and ends with whole words, where words are not longer than it is. */
function around(text: string, words: Word[], match: number): Stretch {
  const start = match <= before ? 0 : (words.find((word) => word.start >= match - before)?.start ?? match);
  const limit = start + excerptLength;
  if (text.length <= limit) return { start, end: text.length };
  const end = words.findLast((word) => word.end <= limit && word.start >= match)?.end;
  return { start, end: end ?? limit };
}

function mark(text: string, { start, end }: Stretch, matches: Stretch[]): string {
  const parts: (string | Html)[] = [];
  const plain = (from: number, to: number) => text.slice(from, to).toWellFormed().replace(/\s+/g, " ");
  let done = start;
  for (const match of matches) {
    if (match.end <= start || match.start >= end) continue;
    parts.push(plain(done, match.start), html`<mark>${plain(match.start, Math.min(match.end, end))}</mark>`);
    done = Math.min(match.end, end);
  }
  parts.push(plain(done, end));
  return html`${parts}`.toString();
}
