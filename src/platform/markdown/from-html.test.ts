// Runs on the embedded engines only: it needs neither a database nor a blob store.
import { describe, expect, test } from "bun:test";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { attacks } from "../../../tests/kit/markdown-texts.ts";
import { numbersFrom } from "../../../tests/kit/random-writes.ts";
import { htmlToMarkdown } from "./from-html.ts";
import { renderMarkdown } from "./render-text.ts";
import { testLong } from "../../../tests/kit/long.ts";

describe("HTML becomes Markdown", () => {
  test.each([
    ["<h2>One <em>two</em></h2><p>three</p>", "## One *two*\n\nthree"],
    ["<p><b>a </b>b<strong>c</strong>, <i>d:</i>e</p>", "**a** b<strong>c</strong>, <em>d:</em>e"],
    ["<p><b><i>a</i></b> <del>b</del> H<sub>2</sub>O</p>", "**<em>a</em>** ~~b~~ H<sub>2</sub>O"],
    ["<p>a<br>b<br><br>c</p>", "a\\\nb\n\nc"],
    ['<a href="/a b(c)" title="d &quot;e&quot;">f</a>', '[f](/a%20b\\(c\\) "d \\"e\\"")'],
    ['<p>Look!<a href="x">y</a></p>', "Look\\![y](x)"],
    ['<p><img src="a.jpg" alt="b [c]"> d</p>', "![b \\[c\\]](a.jpg) d"],
    [
      '<figure><a href="b"><img src="a" alt="x"></a><figcaption>By <i>me</i></figcaption></figure>',
      "<figure>\n\n[![x](a)](b)\n\n<figcaption>\n\nBy *me*\n\n</figcaption>\n</figure>",
    ],
    ["<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"],
    ["<ol start=3><li><p>a</p><p>b</p></li><li>c</li></ol>", "3. a\n\n   b\n\n4. c"],
    ["<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n+ b"],
    ["<ul><li>a<ol start=2><li>b</li></ol></li></ul>", "- a\n\n  2. b"],
    ['<ul><li><input type="checkbox" checked> a</li></ul>', "- [x] a"],
    ["<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"],
    ['<pre><code class="language-js">a ``` b\n\n  c\n</code></pre>', "````js\na ``` b\n\n  c\n````"],
    ["<p><code>a`b</code><code>c</code></p>", "``a`b``<code>c</code>"],
    [
      '<table><tr><th>a</th><th align="right">b</th></tr><tr><td>c|d</td><td>e<br>f</td></tr></table>',
      "| a | b |\n| --- | ---: |\n| c\\|d | e<br>f |",
    ],
    ["<p>1. a</p><p>- b</p><p># c</p><p>=&gt; d</p>", "1\\. a\n\n\\- b\n\n\\# c\n\n\\=> d"],
    ["<p>*a* _b_ c_d [e](f) &amp;lt; &lt;b&gt;</p>", "\\*a\\* \\_b\\_ c_d \\[e\\](f) \\&lt; \\<b>"],
    [
      "<hr><details><summary>a &lt;b</summary><p>c</p></details>",
      "***\n\n<details>\n<summary>a &lt;b</summary>\n\nc\n\n</details>",
    ],
    [
      '<iframe src="//www.youtube.com/embed/aB-1?x=y" title="Our film"></iframe><iframe src="https://player.vimeo.com/video/12"></iframe>',
      "[Our film](https://www.youtube.com/watch?v=aB-1)\n\n[https://vimeo.com/12](https://vimeo.com/12)",
    ],
    [
      '<p>a<sup><a href="#n1" id="r1">1</a></sup></p><ol><li id="n1"><p>note <a href="#r1">↩</a></p></li></ol>',
      "a[^1]\n\n[^1]: note",
    ],
    ['<pre class="wp-block-verse">a\n  b</pre>', "a\\\nb"],
    ["<div><b><p>a</p><p>b</p></b></div>", "**a**\n\n**b**"],
    ["<p>a<p>b<li>c", "a\n\nb\n\nc"],
  ])("%j", (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  test("addresses are rewritten, and those of pictures are told from others", () => {
    const rewrite = (url: string, use: string) => `import:${use}/${url}`;
    expect(htmlToMarkdown('<a href="a"><img src="b"></a><video src="c.mp4"></video>', { rewrite })).toBe(
      "[![](import:picture/b)](import:link/a)\n\n![](import:picture/c.mp4)",
    );
  });
});

const textOf = (node: DefaultTreeAdapterTypes.Node): string => {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
};
/** The text that people read, without white space. */
const read = (html: string) => textOf(parseFragment(html)).replace(/\s/g, "");

/** HTML that browsers read as it is written, with texts that mean something in Markdown. */
function randomHTML(seed: number): string {
  const random = numbersFrom(seed);
  const pick = <One>(all: readonly One[]) => all[random(all.length)] as One;
  const several = (most: number, write: () => string) => Array.from({ length: 1 + random(most) }, write).join("");
  const signs = [
    "*",
    "_",
    "**",
    "`",
    "```",
    "~",
    "~~~",
    "[",
    "]",
    "(",
    ")",
    "!",
    "#",
    "> ",
    "- ",
    "+ ",
    "1. ",
    "=",
    "---",
  ];
  const others = [
    "|",
    ":",
    "\\",
    "&lt;b&gt;",
    "&amp;amp;",
    "^",
    "[^1]",
    "[a](b)",
    "![[photo:1]]",
    "\n",
    "a",
    "b c",
    "é",
    "👩‍👩‍👧",
    "漢",
    ". ",
    "$",
    "www.a.org",
    "https://a.org/b_c*d",
  ];
  const text = () => several(4, () => pick([" ", ...signs, ...others, "word ", "Word"]));
  const inline = (depth: number): string =>
    several(4, () => {
      if (depth === 0 || random(3) === 0) return text();
      const tag = pick(["b", "i", "em", "strong", "s", "code", "sub", "u", "span", "mark"]);
      if (random(8) === 0) return "<br>";
      if (random(8) === 0) return `<a href="${pick(["/a_b", "https://a.org/(x)", "#y"])}">${text()}</a>`;
      return `<${tag}>${inline(depth - 1)}</${tag}>`;
    });
  const block = (depth: number): string => {
    const inner = () => (depth > 0 && random(2) ? several(3, () => block(depth - 1)) : inline(2));
    const items = () => several(3, () => `<li>${inner()}</li>`);
    return pick<() => string>([
      () => `<p>${inline(3)}</p>`,
      () => `<h${1 + random(6)}>${inline(2)}</h1>`.replace(/<h(\d)>(.*)<\/h1>$/s, "<h$1>$2</h$1>"),
      () => `<ul>${items()}</ul>`,
      () => `<ol start="${random(3)}">${items()}</ol>`,
      () => `<blockquote>${inner()}</blockquote>`,
      () => `<div>${inner()}</div>`,
      () => `<pre><code>x${text()}</code></pre>`,
      () =>
        `<table><thead><tr><th>${inline(1)}</th><th>${inline(1)}</th></tr></thead><tr><td>${inline(2)}</td></tr></table>`,
      () => `<table><tr><td colspan="2">${inner()}</td><td>${inline(1)}</td></tr></table>`,
      () => `<figure><img src="/a.jpg" alt="x"><figcaption>${inline(1)}</figcaption></figure>`,
      () => "<hr>",
    ])();
  };
  return several(4, () => block(3));
}

testLong("the text survives on its way to Markdown and back to HTML", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const html = randomHTML(seed);
    const markdown = htmlToMarkdown(html);
    expect({ seed, html, markdown, text: read(renderMarkdown(markdown)) }).toEqual({
      seed,
      html,
      markdown,
      text: read(html),
    });
  }
});

test("nothing that could run survives", () => {
  for (const attack of attacks) {
    const markdown = htmlToMarkdown(`<p>before</p>${attack}`);
    expect(markdown).toContain("before");
    expect(markdown).not.toMatch(/(?<!\\)<(script|style|iframe|svg|img)|(?<!\\)\]\(\s*(javascript|data):/i);
  }
});

testLong("the work grows with the length of hostile HTML, not faster", () => {
  const hostile: Record<string, (length: number) => string> = {
    "deep elements": (length) => "<div>".repeat(length / 5),
    "deep lists": (length) => "<ul><li>a".repeat(length / 10),
    "open elements": (length) => "<b><p>x".repeat(length / 7),
    attributes: (length) => `<a ${Array.from({ length: length / 8 }, (_, index) => `b${index}=1`).join(" ")}>`,
    "a link around many blocks": (length) => `<a href="/${"x".repeat(1900)}"><div>${"<p>x".repeat(length / 4)}`,
    "a wide table": (length) => `<table><tr>${"<th>x".repeat(length / 10)}</tr>${"<tr><td>x".repeat(length / 20)}`,
    "quotes without an end": (length) => "<a b='".repeat(length / 6),
    notes: (length) =>
      `${'<a href="#x">1</a>'.repeat(length / 40)}<ol><li id=x>${"<a href=#y>y</a>".repeat(length / 40)}`,
  };
  const measure = (html: string) => {
    const before = process.cpuUsage();
    const { length } = htmlToMarkdown(html);
    return { length, ms: process.cpuUsage(before).user / 1000 };
  };
  for (const [name, write] of Object.entries(hostile)) {
    const [small, large] = [measure(write(40_000)), measure(write(400_000))];
    expect({ name, isLinear: large.ms < Math.max(1500, 40 * small.ms) }).toEqual({ name, isLinear: true });
    expect(large.length).toBeLessThan(400_000 * 5);
  }
});
