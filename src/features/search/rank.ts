import type { Query, Term } from "../../platform/search/query.ts";

/** How much of a text counts for its rank, and how many matches of a term in it. */
const rankedText = 10_000;
const maxMatches = 50;

/**
 * How well a document matches the query. A title that equals the query scores highest, then titles that contain it. The rest
 * is BM25 without the rarity of words, which means little where every result contains every word: a match in a title
 * counts four times as much as one in a text, a match among few words more than one among many, and each further match less.
 */
export function score({ title, text }: { title: string; text: string }, query: Query): number {
  const closeness = title === query.title ? 2 : Number(title.includes(query.title));
  const beginning = text.slice(0, rankedText);
  const strengths = query.terms.map((term) => 4 * strength(term, title, 40) + strength(term, beginning, 500));
  // Each term counts for less than 5.
  return strengths.reduce((sum, one) => sum + one, closeness * 5 * query.terms.length);
}

function strength(term: Term, words: string, usualLength: number): number {
  const matches = countMatches(term, words);
  return matches / (matches + 1 + words.length / usualLength);
}

/** A whole word counts once, the beginning of a longer one half. */
function countMatches({ words: wanted, isPrefix }: Term, words: string): number {
  const beginning = ` ${wanted.join(" ")}`;
  const whole = countOf(`${beginning} `, words);
  return isPrefix ? (whole + countOf(beginning, words)) / 2 : whole;
}

function countOf(part: string, whole: string): number {
  let count = 0;
  let at = whole.indexOf(part);
  while (at !== -1 && count < maxMatches) {
    count++;
    at = whole.indexOf(part, at + part.length - 1);
  }
  return count;
}
