const wordsPerMinute = 230;
const charactersPerMinute = 500;

/** Scripts that do not separate words: their characters are counted. */
const character = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}/u;
const wordsAndCharacters = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;

/** Minutes, at least 1. */
export function readingTime(content: string): number {
  let [words, characters] = [0, 0];
  for (const [found] of content.matchAll(wordsAndCharacters)) {
    if (character.test(found)) characters++;
    else words++;
  }
  return Math.max(1, Math.round(words / wordsPerMinute + characters / charactersPerMinute));
}
