import { expect, test } from "bun:test";
import fc from "fast-check";
import { listWords, wordsOf } from "./words.ts";

test.each([
  ["Harbour at dusk", "harbour at dusk"],
  ["IMG_2034.jpg 2e5 -3 1.5", "img 2034 jpg 2e5 3 1 5"],
  ["Straße STRAẞE İstanbul ıstanbul", "strasse strasse istanbul istanbul"],
  ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
  ["e\u0301te\u0301 \u00e9t\u00e9", "ete ete"],
  ["København Łódź Œuvre", "kobenhavn lodz oeuvre"],
  ["ﬁne ½ Ⅳ ①", "fine 1 2 iv 1"],
  ["שָׁלוֹם مُحَمَّد", "שלום محمد"],
  ["हिन्दी", "हिन्दी"],
  ["東京タワーTokyo", "東 京 タ ワ ー tokyo"],
  ["か\u3099く が", "が く が"],
  ["서울특별시", "서 울 특 별 시"],
  ["ลำน้ำ", "ล ํา น้ ํา"],
  ["𝐁old 𐐀", "bold 𐐨"],
  ["!? … \u0301", ""],
  ["Boom💥! 👍🏽 👍", "boom 💥 👍 👍"],
  ["👩‍💻 🏃🏽‍♀️", "👩 💻 🏃 ♀"],
  ["🇩🇪🇫🇷 🇩", "🇩🇪 🇫🇷"],
  ["🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴"],
  ["❤️ ❤ 🌶️ 🌶 3️⃣", "❤ ❤ 🌶 🌶 3"],
  ["Lisbon ↔ Porto® ↔️", "lisbon porto ↔"],
])("%s gives %s", (text, words) => expect(Array.from(wordsOf(text), ({ word }) => word).join(" ")).toBe(words));

test("each word has its position in the text", () => {
  const text = "½ Ärger, 東京";
  const places = Array.from(wordsOf(text), ({ word, start, end }) => [word, text.slice(start, end)]);
  expect(places).toEqual([
    ["1", "½"],
    ["2", "½"],
    ["arger", "Ärger"],
    ["東", "東"],
    ["京", "京"],
  ]);
});

test("a very long word is truncated", () => {
  expect([...wordsOf("x".repeat(5000))]).toEqual([{ word: "x".repeat(64), start: 0, end: 5000 }]);
});

test("many combining marks cost no more than a few", () => {
  expect(listWords(`a${"\u0315\u0316".repeat(100_000)}b`)).toEqual(["a"]);
  expect(listWords(`東${"\u0315\u0316".repeat(100_000)}`)).toEqual(["東"]);
});

test("listing only the words gives the same words, for plain and other texts", () => {
  const sameWords = (text: string) => expect(listWords(text)).toEqual(Array.from(wordsOf(text), ({ word }) => word));
  fc.assert(fc.property(fc.string({ unit: "binary-ascii", maxLength: 300 }), sameWords));
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), sameWords));
});
