import { listWords, type Word } from "./words.ts";

/** Adjacent words, in this order. The last one may be the prefix of a longer word. */
export type Term = { words: string[]; isPrefix: boolean };

/**
 * The user's input: terms that must all match, and all its words as the `title_words` of a document with this title.
 */
export type Query = { terms: Term[]; title: string };

/** Further words are ignored, which bounds the cost of a query. */
export const maxWords = 32;

/** Spaces separate terms, except between quotes. A file name is one term of several words. There are no operators. */
export function parseQuery(text: string): Query {
  const terms = new Map<string, Term>();
  let left = maxWords;
  for (const [whole, quoted, closing] of text.matchAll(/["“”„]([^"“”„]*)(["“”„]?)|[^\s"“”„]+/g)) {
    const all = listWords(quoted ?? whole);
    const words = all.slice(0, left);
    // Too many words start with any given letter.
    const isPrefix = !closing && words.length === all.length && /../u.test(words.at(-1) ?? "");
    const key = `${words.join(" ")}${isPrefix ? "" : " "}`;
    if (words.length === 0 || terms.has(key)) continue;
    terms.set(key, { words, isPrefix });
    left -= words.length;
  }
  return { terms: [...terms.values()], title: joinWords(listWords(text)) };
}

/** Words as a document stores them, with a space before and after each. */
export function joinWords(words: string[]): string {
  return words.length === 0 ? " " : ` ${words.join(" ")} `;
}

/** Whether these words, joined by `joinWords`, contain the term. */
export function isTermIn({ words: wanted, isPrefix }: Term, words: string): boolean {
  return words.includes(` ${wanted.join(" ")}${isPrefix ? "" : " "}`);
}

/** Where the term ends if it occurs at this position of a text, otherwise 0. */
export function endOfMatch({ words: wanted, isPrefix }: Term, words: Word[], index: number): number {
  const last = wanted.length - 1;
  for (let step = 0; step <= last; step++) {
    const word = words[index + step]?.word;
    if (word !== wanted[step] && !(step === last && isPrefix && word?.startsWith(wanted[step] as string))) return 0;
  }
  return words[index + last]?.end ?? 0;
}
