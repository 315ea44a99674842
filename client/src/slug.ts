// Copied from src/platform/slug.ts by `npm run client`: do not edit.
const longest = 80;

/** Letters that do not decompose into a letter and an accent. */
const plainLetters: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/**
 * A text as a part of a URL: letters and digits of any script, in lower case and without accents, joined by hyphens. ""
 * if the text has none.
 */
export function slugOf(text: string): string {
  const letters = text
    .slice(0, 4 * longest)
    .toWellFormed()
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Script=Latin}\p{Mn}+/gu, (accented) => accented.charAt(0))
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/['’]/g, "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^[-\p{M}]+|(?<!-)-+$/gu, "");
  return letters
    .slice(0, longest)
    .toWellFormed()
    .replace(/\uFFFD/g, "")
    .replace(/(?<!-)-+$/, "");
}
