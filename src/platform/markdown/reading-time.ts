const wordsPerMinute = 230;
const charactersPerMinute = 500;

/** What a character is: it can begin a word, or continue one, belongs to a script that does not separate words, or is a pair. */
const [begins, continues, isSeparate, isPair, isUnknown] = [1, 2, 4, 8, 16];
const patterns: [number, RegExp][] = [
  [begins, /[\p{L}\p{N}]/u],
  [continues, /[\p{L}\p{N}\p{M}'’-]/u],
  [isSeparate, /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}/u],
];
/** For most characters, because testing patterns takes much longer. */
const kinds = new Uint8Array(0x1_00_00).fill(isUnknown);

/** Minutes, at least 1. Of a script that does not separate words, characters are counted. */
export function readingTime(content: string): number {
  let [words, characters] = [0, 0];
  for (let index = 0; index < content.length;) {
    let kind = kindAt(content, index);
    index += kind & isPair ? 2 : 1;
    let isWord = (kind & isSeparate) === 0;
    if (isWord && kind & begins) {
      while (index < content.length && (kind = kindAt(content, index)) & continues) {
        if (kind & isSeparate) isWord = false;
        index += kind & isPair ? 2 : 1;
      }
      if (isWord) words++;
    }
    if (!isWord) characters++;
  }
  return Math.max(1, Math.round(words / wordsPerMinute + characters / charactersPerMinute));
}

function kindAt(content: string, index: number): number {
  const kind = kinds[content.charCodeAt(index)] as number;
  return kind === isUnknown ? findKind(content, index) : kind;
}

function findKind(content: string, index: number): number {
  const code = content.codePointAt(index) as number;
  const character = String.fromCodePoint(code);
  // Half of a pair is nothing, but the same half may be a part of another pair.
  if (!character.isWellFormed()) return 0;
  const kind = patterns.reduce((sum, [bit, pattern]) => (pattern.test(character) ? sum + bit : sum), 0);
  if (character.length === 2) return kind + isPair;
  kinds[code] = kind;
  return kind;
}
