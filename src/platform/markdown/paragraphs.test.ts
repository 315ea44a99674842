import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isLong } from "../../../tests/kit/long.ts";
import { attacks, markdownTexts } from "../../../tests/kit/markdown-texts.ts";
import { renderParagraphs } from "./paragraphs.ts";
import { renderText } from "./render-text.ts";

const runs = isLong ? 100_000 : 4000;

/** Mostly what may stand in a paragraph, and what may end one or begin something else. */
const plain = [
  "a",
  "Wort",
  "è",
  "日本",
  "привет",
  "12",
  " ",
  " ",
  "  ",
  "\n",
  "\n\n",
  "\n\n\n",
  ", ",
  ". ",
  "“",
  "don't",
  '"',
  "(",
];
const marks = [
  ...Array.from("*_~`[]()<>!#>+-=|:\\\"'&;.^/@{}$%?,"),
  "\t",
  "\r",
  "\u00a0",
  "\u2028",
  "\ud800",
  "\u3000",
  "\u200f",
  "  \n",
];
const starts = [
  "- a",
  "1. a",
  "23) a",
  "# a",
  "> a",
  "===",
  "---",
  "a\n=",
  "a\n-|-",
  "a|b\n:-|-:",
  "    a",
  ": a",
  "+ a",
  "www.a.org",
];
const addresses = [
  "http://a.org",
  "//a.org",
  "mailto:a@b.org",
  "a@b.org",
  "WWW.A.ORG",
  "ftp:a",
  "&amp;",
  "<b>",
  "[a](b)",
  "![[photo:1]]",
];

const of = (...words: string[]) => fc.constantFrom(...words);
const texts = fc
  .array(
    fc.oneof(
      { weight: 60, arbitrary: of(...plain) },
      { weight: 3, arbitrary: of(...marks) },
      { weight: 1, arbitrary: of(...starts, ...addresses) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 2 }) },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

describe("a text of paragraphs alone", () => {
  test("is what the parser and the sanitizer make of it, for thousands of texts", () => {
    let count = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const rendered = renderParagraphs(text);
        if (!rendered) return;
        count++;
        expect(rendered).toEqual(renderText(text));
      }),
      { numRuns: runs },
    );
    expect(count).toBeGreaterThan(runs / 10);
  });

  test("is left to the parser, or the same, for texts with anything else", () => {
    for (const text of [...markdownTexts(7, 1000), ...attacks, ...attacks.map((attack) => `a\n\n${attack} b`)]) {
      const rendered = renderParagraphs(text);
      if (rendered) expect(rendered).toEqual(renderText(text));
    }
  });

  test.each([
    "We arrived by train, late in the evening. ",
    "One\ntwo\n\n\n\"Three\": 'four' (five) - six + seven = 13; 8/9 $ 10% \n\n",
    "Über allen Gipfeln\nIst Ruh’ …\n\n“日本語”, привет",
    "2025 was warm.\n(It was.)",
    `${"ab c ".repeat(1999)}end`,
  ])("is rendered without the parser: %j", (text) => {
    expect(renderParagraphs(text)).toEqual(renderText(text));
  });

  test("is found in a time that grows as the text", () => {
    for (const part of [" ", "\n", "a \n", "a\n", "1", "1.", "w", "\n ", "/ "]) {
      const text = `a${part.repeat(10_000 / part.length)}`;
      const rendered = renderParagraphs(text);
      if (rendered) expect(rendered).toEqual(renderText(text));
    }
  });
});
