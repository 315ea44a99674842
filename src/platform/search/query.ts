import { listWords, type Word } from "./words.ts";

/** Words that stand next to each other, in this order. The last may be the beginning of a longer one. */
export type Term = { words: string[]; isPrefix: boolean };

/** What the index is asked for: every term, in any of the ways in which the one who asks may find it. */
export type Wanted = { terms: Term[][]; kind: string | undefined; passed: number; size: number };

/**
 * What somebody typed, as terms that must all match. Blanks separate terms, save between quotes; what is written without
 * a blank, such as a file name, is one term of many words. Nothing in it is an operator.
 */
export function parseQuery(text: string): Term[] {
  const terms = [...text.matchAll(/["“”„]([^"“”„]*)(["“”„]?)|[^\s"“”„]+/g)].map(([whole, quoted, closing]) => {
    const words = listWords(quoted ?? whole);
    // One letter is the beginning of too much.
    return { words, isPrefix: !closing && /../u.test(words.at(-1) ?? "") };
  });
  return terms.filter(({ words }) => words.length > 0);
}

/** Where the term ends if it stands at this place of a text, else 0. */
export function endOfMatch({ words: wanted, isPrefix }: Term, words: Word[], index: number): number {
  const last = wanted.length - 1;
  for (let step = 0; step <= last; step++) {
    const word = words[index + step]?.word;
    if (word !== wanted[step] && !(step === last && isPrefix && word?.startsWith(wanted[step] as string))) return 0;
  }
  return words[index + last]?.end ?? 0;
}
