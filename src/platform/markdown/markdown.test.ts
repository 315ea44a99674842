import { afterAll, describe, expect, test } from "bun:test";
import { parseFragment, serialize } from "parse5";
import { attacks } from "../../../tests/kit/markdown-texts.ts";
import { listRenderProcesses } from "../../../tests/kit/render-processes.ts";
import { slugOf } from "../slug.ts";
import { createHighlight } from "./highlight.ts";
import { renderMarkdown } from "./render-text.ts";
import { startProcessRenderer } from "./process-renderer.ts";
import type { Renderer } from "./renderer.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";

describe("Markdown", () => {
  test.each([
    ["*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>"],
    ["# One\n\n# One", '<h1 id="post-one">One</h1>\n<h1 id="post-one-2">One</h1>'],
    ["# One\n\n<b id=one>x</b>", '<h1 id="post-one">One</h1>\n<p><b>x</b></p>'],
    ["## [A](/b) <i>c</i> `d`", '<h2 id="post-a-c-d"><a href="/b">A</a> <i>c</i> <code>d</code></h2>'],
    ["[there](#one)", '<p><a href="#post-one">there</a></p>'],
    ["[near](/photos/1)", '<p><a href="/photos/1">near</a></p>'],
    ["https://a.org", '<p><a href="https://a.org" rel="nofollow noopener">https://a.org</a></p>'],
    ["www.a.org, readme.md", '<p><a href="https://www.a.org" rel="nofollow noopener">www.a.org</a>, readme.md</p>'],
    ["- [x] a", '<ul>\n<li><input type="checkbox" disabled="" checked=""> a</li>\n</ul>'],
    ["```js\n<b>\n```", '<pre><code class="language-js">&lt;b&gt;\n</code></pre>'],
    ["H<sub>2</sub>O <kbd>x</kbd>", "<p>H<sub>2</sub>O <kbd>x</kbd></p>"],
    ["![a](/b.png)", '<p><img src="/b.png" alt="a" loading="lazy"></p>'],
    ["![[photo:12]]", "<!--block photo:12-->"],
    ["See ![[file:7]].", "<p>See <!--inline file:7-->.</p>"],
    ["`![[photo:12]]`", "<p><code>![[photo:12]]</code></p>"],
    ["![[photo:0]] ![[photo:x]]", "<p>![[photo:0]] ![[photo:x]]</p>"],
  ])("%j", (text, html) => {
    expect(renderMarkdown(text).trim()).toBe(html);
  });

  test("tables are aligned without styles, and footnotes are linked in both directions", () => {
    expect(renderMarkdown("|a|\n|-:|\n|1|")).toContain('<td align="right">1</td>');
    const html = renderMarkdown("a[^1]\n\n[^1]: note");
    for (const part of ['id="post-fnref1"', 'href="#post-fn1"', 'id="post-fn1"', 'href="#post-fnref1"'])
      expect(html).toContain(part);
  });

  test("code is highlighted by the language of its fence, and no language is guessed", () => {
    const render = (text: string) => renderMarkdown(text, createHighlight()).trim();
    expect(render("```js\nlet a = '<b>';\n```")).toBe(
      `<pre><code class="language-js"><span class="hljs-keyword">let</span> a = <span class="hljs-string">&#x27;&lt;b&gt;&#x27;</span>;\n</code></pre>`,
    );
    for (const fence of ["```", "```unknown", "```constructor"]) {
      expect(render(`${fence}\nlet a = 1\n\`\`\``)).not.toContain("hljs-");
    }
    const long = `\`\`\`js\n${"let a = 1;\n".repeat(1900)}\`\`\`\n`;
    expect(render(long.replaceAll("let", "let x;let"))).not.toContain("hljs-");
    expect(render(long.slice(0, 15_000)).match(/hljs-keyword/g)?.length).toBeGreaterThan(1000);
  });

  test("at most 100 records are embedded", () => {
    expect(renderMarkdown("![[photo:1]]\n".repeat(150)).match(/<!--/g)).toHaveLength(100);
  });
});

describe("hostile Markdown", () => {
  const allowedAttributes = /^(href|rel|title|id|lang|dir|class|src|alt|width|height|loading|type|disabled|checked)$/;

  test.each(attacks)("%j: nothing is left that could run", (text) => {
    const html = renderMarkdown(`before\n\n${text}\n\n${text} after`, createHighlight());
    const elements = listElements(parseFragment(html));
    for (const { tagName, attrs } of elements) {
      expect(tagName).toMatch(/^(p|a|b|img|div|pre|code|span|em|strong)$/);
      for (const { name, value } of attrs) {
        expect(name).toMatch(allowedAttributes);
        if (name === "href" || name === "src") expect(value.trim()).not.toMatch(/^[\w\s]*script:|^data:/i);
        if (name === "id") expect(value).toStartWith("post-");
        if (name === "class") expect(value).toMatch(/^(|language-[a-z]+|hljs-[a-z_-]+)$/);
      }
    }
    expect(html).not.toContain("<!--");
    expect(html).toContain("before");
  });

  test("the HTML does not change when it is parsed and printed again", () => {
    for (const text of attacks) {
      const parsed = serialize(parseFragment(renderMarkdown(text)));
      expect(serialize(parseFragment(parsed))).toBe(parsed);
    }
  });

  const renderer = startProcessRenderer({
    processorMilliseconds: isLong ? 1000 : 500,
    memoryBytes: 2 ** 28,
    waitingMilliseconds: 60_000,
  });
  afterAll(() => renderer.close());

  testLong(
    "code that takes too much time to highlight is not highlighted, and the rest of the text is rendered",
    async () => {
      const html = await renderHTML(renderer, `*before*\n\n${"```csharp\n" + "a\n".repeat(9_900) + "```\n"}`.repeat(3));
      expect(html).toStartWith('<p><em>before</em></p>\n<pre><code class="language-csharp">a\n');
      expect(html).not.toContain("hljs-");
    },
  );

  test("a text that takes too much time or memory becomes plain text, and the next one is rendered", async () => {
    const costly = `${"[^a]".repeat(125_000)}\n\n[^a]: <b>x</b>`;
    const [plain, deep, next] = await Promise.all([
      renderHTML(renderer, costly),
      renderHTML(renderer, `<p>${"<b><i>".repeat(20_000)}`),
      renderHTML(renderer, "*next*"),
    ]);
    expect(plain).toStartWith("<p>[^a][^a]");
    expect(plain).toContain("&lt;b&gt;x&lt;/b&gt;");
    expect(deep).toBeString();
    expect(next).toBe("<p><em>next</em></p>\n");
  });
});

describe("texts that wait for the renderer", () => {
  test("are rendered together, and each gets its own HTML", async () => {
    const renderer = startProcessRenderer();
    const texts = Array.from({ length: 90 }, (_, index) => `*${index}*`);
    const rendered = await Promise.all(texts.map((text) => renderHTML(renderer, text)));
    expect(rendered).toEqual(texts.map((_, index) => `<p><em>${index}</em></p>\n`));
    renderer.close();
  });

  test("wait for none of other people: each person has one process, and those whose turn is longer ago come first", async () => {
    const renderer = startProcessRenderer({ ...wide, waitingMilliseconds: 60_000 });
    // Too long to be sent with others, and slow beside the text that must not wait.
    const long = `${"[^a]".repeat(3000)}\n\n[^a]: x`;
    const ended: number[] = [];
    const render = async (ownerID: number, text: string) => {
      const rendered = await renderer.render(text, ownerID);
      ended.push(ownerID);
      return rendered?.html;
    };
    const first = Array.from({ length: 6 }, () => render(1, long));
    const second = Array.from({ length: 2 }, () => render(2, long));
    expect(await render(3, "*a*")).toBe("<p><em>a</em></p>\n");
    // One that was begun, and one or two that were begun meanwhile.
    expect(ended.filter((id) => id < 3).length).toBeLessThanOrEqual(3);
    await Promise.all(second);
    expect(ended.filter((id) => id === 1).length).toBeLessThan(6);
    await Promise.all(first);
    renderer.close();
  });

  test("are given up when a person has too many, and those of another person are not", async () => {
    const renderer = startProcessRenderer({ ...wide, waitingMilliseconds: 60_000 });
    const own = Array.from({ length: 150 }, () => renderer.render(`<b>${"word ".repeat(3000)}`, 1));
    expect(await renderHTML(renderer, "*a*", 2)).toBe("<p><em>a</em></p>\n");
    renderer.close();
    const refused = await Promise.all(own);
    expect(refused.filter((rendered) => rendered === null).length).toBeGreaterThanOrEqual(50);
  });

  test.if(process.platform === "linux")("are rendered again, each alone, if their process ends", async () => {
    const renderer = startProcessRenderer();
    await renderHTML(renderer, "started");
    const [first] = listRenderProcesses();
    // Rendering this takes long enough to end the process meanwhile.
    const costly = `${"[^a]".repeat(4500)}\n\n[^a]: x`;
    const texts = ["*before*", costly, "*after*"].map((text) => renderHTML(renderer, text));
    // The first one was sent alone; the others were sent together as soon as it was rendered.
    expect(await texts[0]).toBe("<p><em>before</em></p>\n");
    process.kill(Number(first), "SIGKILL");
    const [, html, after] = await Promise.all(texts);
    expect(after).toBe("<p><em>after</em></p>\n");
    expect(html).toContain("footnote");
    expect(listRenderProcesses()).not.toContain(first);
    renderer.close();
  });
});

describe("slugs", () => {
  test.each([
    ["A week in Lisbon", "a-week-in-lisbon"],
    ["  Straße, Łódź & Ærø!  ", "strasse-lodz-aero"],
    ["It’s 5½ o'clock", "its-51-2-oclock"],
    ["日本語 テスト", "日本語-テスト"],
    ["…", ""],
    ["word ".repeat(100), "word-".repeat(16).slice(0, -1)],
  ])("%j", (text, slug) => {
    expect(slugOf(text)).toBe(slug);
    expect(slugOf(slug)).toBe(slug);
  });
});

const wide = { processorMilliseconds: 10_000, memoryBytes: 2 ** 30 };
const renderHTML = async (renderer: Pick<Renderer, "render">, text: string, ownerID = 1) =>
  (await renderer.render(text, ownerID))?.html ?? null;

function listElements(node: any): any[] {
  return (node.childNodes ?? []).flatMap((child: any) => [...(child.tagName ? [child] : []), ...listElements(child)]);
}
