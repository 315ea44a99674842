import type { Options } from "minisearch";
import { wordsOf } from "../../../platform/search/words.ts";

/** A page as the search of a static copy finds it. */
export type CopiedPage = { id: number; title: string; text: string; link: string; kind: string; excerpt: string };

/** For the index, which is built with the copy, and for the browser, which reads it. */
export const copiedIndex: Options<CopiedPage> = {
  fields: ["title", "text"],
  storeFields: ["title", "link", "kind", "excerpt"],
  tokenize: termsOf,
  processTerm: (term) => term,
  searchOptions: { prefix: true, combineWith: "AND", boost: { title: 3 } },
};

/** Single characters of scripts without spaces. Pairs of them find far less that is not meant. */
const isUnspaced = (word: string) =>
  /^[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\uffdc\u{20000}-\u{3ffff}]/u.test(word);

function termsOf(text: string): string[] {
  const terms: string[] = [];
  let before = { word: "", end: -1, isPaired: true };
  for (const { word, start, end } of wordsOf(text)) {
    if (!isUnspaced(word)) terms.push(word);
    const follows = isUnspaced(word) && before.end === start && isUnspaced(before.word);
    if (follows) terms.push(before.word + word);
    else if (!before.isPaired) terms.push(before.word);
    before = { word, end, isPaired: follows || !isUnspaced(word) };
  }
  if (!before.isPaired) terms.push(before.word);
  return terms;
}
