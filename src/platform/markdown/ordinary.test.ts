import { describe, expect, test } from "bun:test";
import { isLong, testLong } from "../../../tests/kit/long.ts";
import { attacks, costlyTexts, markdownTexts } from "../../../tests/kit/markdown-texts.ts";
import { watchRenderProcesses } from "../../../tests/kit/render-processes.ts";
import { renderOrdinary } from "./ordinary.ts";
import { renderText } from "./render-text.ts";
import { startRenderer } from "./renderer.ts";
import { countTurns } from "../../../tests/kit/event-loop.ts";

describe("a text without the sanitizer", () => {
  testLong("is what the sanitizer makes of it, for thousands of texts", () => {
    const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));
    const count = isLong ? 60_000 : 3000;
    let ordinary = 0;
    for (const text of markdownTexts(seed, count)) {
      const rendered = renderOrdinary(text);
      if (!rendered) continue;
      ordinary++;
      expect({ seed, text, ...rendered }).toEqual({ seed, text, ...renderText(text) });
    }
    expect(ordinary).toBeGreaterThan(count / 2);
  });

  test.each(attacks)("is what the sanitizer makes of it, or left to it: %j", (attack) => {
    for (const text of [
      attack,
      `before\n\n${attack}\n\n${attack} after`,
      `- ${attack}`,
      `> # ${attack}`,
      `|${attack}|\n|-|`,
    ])
      expect([null, renderText(text)]).toContainEqual(renderOrdinary(text));
  });

  test.each([
    "We arrived *late*, at **night**.\n\n## On ~~foot~~\n\n> It was `dark`.  \nVery.\n\n---",
    "[a](https://a.org 't') [b](/c) [d](#e) <https://f.org> www.g.org h@i.org ![j](/k.png) ![](https://l.org/m.png)",
    "- a\n- b\n\n  c\n\n3. d\n   - [x] e\n   - [ ] f",
    "|a|b|\n|-|-:|\n|*c*|[d](e)|\n\n    code\n\n```\ncode\n```",
    "# One\n\n# One\n\n# One 2\n\n![[photo:1]]\n\nSee ![[file:7]].",
    "![[photo:1]]\n".repeat(150),
    "“日本語” &amp; 1 < 2 & 'x' \u202e\ud800",
  ])("is possible for what most posts have: %j", (text) => {
    const rendered = renderOrdinary(text);
    expect(rendered).toEqual(renderText(text));
    expect(rendered?.html).toContain("<");
  });

  test.each([
    "<b>a</b>",
    "<div>\n\na",
    "a[^1]\n\n[^1]: b",
    "a^[b]",
    "```js\na\n```",
    "[a](ftp://b.org)",
    "[a](FTP://b.org)",
    "[a](HTTPS://b.org)",
    "![a](mailto:b@c.org)",
    "![a](data:image/png;base64,AAAA)",
    "[a <https://b.org> c](/d)",
    "a&#13;b",
    "[a](/b '&#13;')",
    "<https://a.org/%00>",
  ])("is not made of what has to be removed or corrected: %j", (text) => {
    expect(renderOrdinary(text)).toBeNull();
  });

  test.each(Object.entries(costlyTexts))("is not made if that takes too long: %s", (_, text) => {
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(renderOrdinary(text)).toBeNull();
  });

  test("is not made of a long word that may be a link", () => {
    const word = "word".repeat(150);
    expect(renderOrdinary(word)).toEqual(renderText(word));
    for (const link of [`https://a.org/${word}`, `www.a.org/${word}`, `${word}@a.org`, `[a](/${word})`])
      expect(renderOrdinary(`a ${link} b`)).toBeNull();
  });
});

describe("the renderer", () => {
  test("renders many texts in several turns of the event loop", async () => {
    const renderer = startRenderer();
    await renderer.render("a", 1);
    const text = costlyTexts.emphasis.slice(0, 2500);
    const turns = await countTurns(async () => {
      const rendered = await Promise.all(Array.from({ length: 60 }, () => renderer.render(text, 1)));
      expect(rendered).toEqual(Array.from({ length: 60 }, () => renderText(text)));
    });
    expect(turns).toBeGreaterThan(5);
    renderer.close();
  });

  test("renders those first that have waited longest, even if others come in every turn", async () => {
    const renderer = startRenderer();
    await renderer.render("a", 1);
    const text = costlyTexts.emphasis.slice(0, 2500);
    const rendered: number[] = [];
    const renderAndAskAgain = async (number: number): Promise<void> => {
      await renderer.render(text, 1);
      rendered.push(number);
      if (number < 100) await renderAndAskAgain(number + 50);
    };
    await Promise.all(Array.from({ length: 50 }, (_, number) => renderAndAskAgain(number)));
    expect(rendered).toEqual(Array.from({ length: 150 }, (_, number) => number));
    renderer.close();
  });

  test("renders texts of both kinds, and none after it was closed", async () => {
    const renderer = startRenderer();
    const texts = ["Hello *you*", "<b>a</b>", "a[^1]\n\n[^1]: b", "word ".repeat(2100)];
    const rendered = await Promise.all(texts.map((text) => renderer.render(text, 1)));
    expect(rendered).toEqual(texts.map((text) => renderText(text)));
    expect((await renderer.render("```js\nlet a\n```", 1))?.html).toContain("hljs-keyword");
    renderer.close();
    expect(await renderer.render("a", 1)).toBeNull();
  });

  test.if(process.platform === "linux")("starts a process only for texts that are not ordinary", async () => {
    const listStarted = watchRenderProcesses();
    const renderer = startRenderer();
    const texts = ["Hello *you*", `[a](https://a.org) ${"word ".repeat(1900)}`, "1 < 2", "```\na\n```"];
    const rendered = await Promise.all(texts.map((text) => renderer.render(text, 1)));
    expect(rendered).toEqual(texts.map((text) => renderText(text)));
    expect(listStarted()).toEqual([]);
    await renderer.render("<b>a</b>", 1);
    expect(listStarted()).toHaveLength(1);
    renderer.close();
  });
});
