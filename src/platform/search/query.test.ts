import { expect, test } from "bun:test";
import { maxWords, parseQuery } from "./query.ts";

test("a query of many words is truncated", () => {
  const words = Array.from({ length: 100 }, (_, index) => `w${index}`);
  for (const text of [words.join(" "), words.join("-"), `"${words.join(" ")}"`]) {
    expect(parseQuery(text).terms.flatMap((term) => term.words)).toEqual(words.slice(0, maxWords));
    expect(parseQuery(text).title).toBe(` ${words.join(" ")} `);
  }
});

test("the last word of a truncated phrase is not a prefix", () => {
  const words = Array.from({ length: maxWords }, (_, index) => `w${index}`);
  expect(parseQuery(words.join("-")).terms).toEqual([{ words, isPrefix: true }]);
  expect(parseQuery(`${words.join("-")}-end`).terms).toEqual([{ words, isPrefix: false }]);
});

test("a repeated term counts once", () => {
  expect(parseQuery(`sea "sea" sea SEA "sea`).terms).toEqual([
    { words: ["sea"], isPrefix: true },
    { words: ["sea"], isPrefix: false },
  ]);
  expect(parseQuery(`${"a ".repeat(95)} b`).terms).toHaveLength(2);
});
