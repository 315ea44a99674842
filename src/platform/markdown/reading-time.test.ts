import { expect, test } from "bun:test";
import { markdownTexts } from "../../../tests/kit/markdown-texts.ts";
import { readingTime } from "./reading-time.ts";

/** The same by patterns. */
function countByPatterns(content: string): number {
  const separate = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}/u;
  const found = content.match(new RegExp(`${separate.source}|[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}'’-]*`, "gu")) ?? [];
  const characters = found.filter((part) => separate.test(part)).length;
  return Math.max(1, Math.round((found.length - characters) / 230 + characters / 500));
}

test.each([
  "a漢字 ",
  "漢a ",
  "don't ",
  "a-b’c ",
  "é\u0301 ",
  "ลำ ",
  "カタカナ",
  "𠀀𝒜 ",
  "👩‍👩‍👧a",
  "\ud800a\udc00",
  "1.5 ",
  "_a_ ",
])("words and characters are counted as the patterns count them: %j", (part) => {
  for (const times of [1, 500, 3000]) expect(readingTime(part.repeat(times))).toBe(countByPatterns(part.repeat(times)));
});

test("and so are those of generated texts", () => {
  for (const text of markdownTexts(1, 300)) expect(readingTime(text.repeat(20))).toBe(countByPatterns(text.repeat(20)));
});
