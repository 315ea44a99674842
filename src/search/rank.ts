import type { Term } from "../platform/search/query.ts";

/** The words of a document, between spaces; `text` may be only their beginning. */
export type Ranked = { id: number; title: string; text: string };

/** Best first; among equals, newest first. */
export function rank<Document extends Ranked>(documents: Document[], terms: Term[]): Document[] {
  const scores = new Map(documents.map((document) => [document, score(document, terms)]));
  const scoreOf = (document: Document) => scores.get(document) as number;
  return documents.toSorted((a, b) => scoreOf(b) - scoreOf(a) || b.id - a.id);
}

/**
 * What BM25 counts, save how rare a word is, which says little where every result has every word: a match in a title weighs
 * four times one in a text, one among few words more than one among many, and each further one less.
 */
function score({ title, text }: Ranked, terms: Term[]): number {
  return terms.reduce((sum, term) => sum + 4 * strength(term, title, 40) + strength(term, text, 500), 0);
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
  for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + part.length - 1)) count++;
  return count;
}
