/** A word as it is indexed, and the part of the text that it came from. */
export type Word = { word: string; start: number; end: number };

/** Scripts without spaces between words: each character is a word, and any part of a text is a phrase. */
const unspaced = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");
/**
 * An emoji is a word, and an emoji that joins several others, such as a woman and a laptop, is several words. Symbols that are
 * usually shown as text, such as ↔ and ©, are emoji only with a variation selector.
 */
const pictographs = String.raw`[[[\p{Emoji_Presentation}\u2600-\u27BF\u{1F000}-\u{1FAFF}]&&\p{Emoji}]--[\p{Emoji_Modifier}\p{RI}]]`;
const emoji = String.raw`\p{RI}{2}|(?:${pictographs}|[\p{Emoji}--[\p{L}\p{N}#*]](?=\uFE0F))[\p{Emoji_Modifier}\uFE0F\u{E0020}-\u{E007F}]*`;
const pieces = new RegExp(
  String.raw`${emoji}|[[\p{L}\p{N}]&&[${unspaced}]]\p{M}*|[[\p{L}\p{N}\p{M}]--[${unspaced}]]+`,
  "gv",
);

/** Pieces that folding does not change: lowercase ASCII words, and single kana, ideographs and Hangul syllables. */
const folded = /^(?:[a-z0-9]{1,64}|[\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3])$/;

/** Accents and vowel points, but not the vowel signs of Indic scripts, nor marks that change one kana into another. */
const accents = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309A]]/gv;

/** Letters whose stroke or ligature Unicode does not decompose; and the two forms of sigma. */
const plainer: Record<string, string> = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", æ: "ae", œ: "oe", þ: "th", ς: "σ" };

const longestWord = 64;
/** Only this much of a piece is normalized, because the cost is quadratic in the number of combining marks. */
const longestPiece = 256;

/** The words of a text in their order. Letters, digits and emoji form words; everything else separates them. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: piece, index: start } of text.matchAll(pieces)) {
    const end = start + piece.length;
    for (const word of fold(piece.slice(0, longestPiece))) yield { word, start, end };
  }
}

/** Only the words. Most texts are plain, and need no more than a quick check. */
export function listWords(text: string): string[] {
  if (/[\u0080-\uffff]/.test(text))
    return wordsOf(text)
      .map(({ word }) => word)
      .toArray();
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(shorten);
}

/** Without case, accents and skin tones. Most pieces are one word; a few, such as ½, are more or none. */
function fold(piece: string): string[] {
  if (folded.test(piece)) return [piece];
  if (!/^[\p{L}\p{N}\p{M}]/u.test(piece)) return [shorten(piece.replace(/[\p{Emoji_Modifier}\uFE0F]/gu, ""))];
  const plain = piece.normalize("NFKD").replace(accents, "").toLowerCase().toUpperCase().toLowerCase();
  const words = plain.replace(/[øłđðħæœþς]/g, (letter) => plainer[letter] as string).normalize("NFC");
  return words.match(/[\p{L}\p{N}\p{M}]+/gu)?.map(shorten) ?? [];
}

/** Both engines reject very long words, and users do not search for them. */
function shorten(word: string): string {
  return word.length <= longestWord ? word : word.slice(0, longestWord).toWellFormed();
}
