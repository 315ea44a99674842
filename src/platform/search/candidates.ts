import type { Query, Term } from "./query.ts";

/** What to search for, and for whom. An admin also searches the private documents of others. */
export type Wanted = { query: Query; kind: string | undefined; viewerID: number | null; isAdmin: boolean };

/** The field that must contain all terms. The `whole title` contains no other words. */
export type Field = "whole title" | "title" | "everything";

/** Words of a query that are looked up in the index. The others are looked for in the documents that contain these. */
const maxIndexedWords = 12;

export type IndexedWord = { word: string; isPrefix: boolean };

/** The words of the terms, longest first, because long words are rarer. */
export function indexedWords(terms: Term[]): IndexedWord[] {
  const words = terms.flatMap((term) =>
    term.words.map((word, index) => ({ word, isPrefix: term.isPrefix && index === term.words.length - 1 })),
  );
  const different = new Map(words.map((one) => [`${one.word} ${one.isPrefix}`, one]));
  return [...different.values()]
    .toSorted((one, other) => other.word.length - one.word.length)
    .slice(0, maxIndexedWords);
}
