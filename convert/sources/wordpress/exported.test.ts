// Runs on the embedded engines only: it reads texts, and no database.
import { describe, expect, test } from "bun:test";
import { htmlToMarkdown } from "../../../src/platform/markdown/from-html.ts";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { commenterKey } from "../../../src/features/imports/import-people.ts";
import { readBody } from "./body.ts";
import { readWXR } from "./read-wxr.ts";

/** As WordPress has stored it, and as it is here. */
const markdownOf = (content: string) => htmlToMarkdown(readBody(content, () => undefined).html);

describe("texts as they are in exports of WordPress", () => {
  test.each([
    [
      "A list:\n<ul>\n\t<li>one\n<ol>\n\t<li>deep</li>\n</ol>\n</li>\n\t<li>two</li>\n</ul>",
      "A list:\n\n- one\n  1. deep\n- two",
    ],
    ["<h3>Title</h3>\nOne\ntwo\n\nthree", "### Title\n\nOne\\\ntwo\n\nthree"],
    ["<address>1 Quay\nLisbon</address>", "1 Quay\\\nLisbon"],
    ["<blockquote>Words.\n<cite>Ada</cite></blockquote>", "> Words.\\\n> <cite>Ada</cite>"],
    [
      'a <img\nsrc="https://a.example/x.jpg"\nalt="b"> c<br />\nd<br><br>e',
      "a ![b](https://a.example/x.jpg) c\\\nd\n\ne",
    ],
    ["<pre>a\n\nb <i>c</i></pre>\n1 < 2\n3", "```\na\n\nb c\n```\n\n1 < 2\\\n3"],
    ["Listen: [audio https://a.example/x.mp3|width=1]", "Listen:\n\n[x.mp3](https://a.example/x.mp3)"],
    [
      "https://a.example/p/b_c_/?d=1&amp;e=2",
      "[https\\://a.example/p/b_c\\_/?d=1&e=2](https://a.example/p/b_c_/?d=1&e=2)",
    ],
    [
      "<!-- wp:paragraph --><p>a\nb</p><!-- /wp:paragraph -->\nOne\ntwo\n<!-- wp:freeform -->\nthree\n\nfour\n<!-- /wp:freeform -->",
      "a b\n\nOne\\\ntwo\n\nthree\n\nfour",
    ],
    [
      '<!-- wp:file --><div><a href="https://a.example/x.pdf">X</a><a href="https://a.example/x.pdf" class="wp-block-file__button" download>Download</a></div><!-- /wp:file -->',
      "[X](https://a.example/x.pdf)",
    ],
    [
      '<!-- wp:cover --><div class="wp-block-cover" style="background-image:url(https://a.example/x.jpg)"><p>Over</p></div><!-- /wp:cover -->',
      "![](https://a.example/x.jpg)\n\nOver",
    ],
    ["<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>", "- a\n\n+ b\n\n- c"],
  ])("%j", (content, markdown) => expect(markdownOf(content)).toBe(markdown));

  test("the work grows with the length of a hostile text, not faster", () => {
    for (const part of ["<a", "<!--", "<pre>", "\n<br>", "[audio ", "<!-- wp:x ", "https://a_\n", "< ", "\n \n"])
      expect(readBody(part.repeat(200_000 / part.length), () => undefined).galleries).toEqual([]);
  });
});

async function read(text: string, chunk: number) {
  const bytes = new TextEncoder().encode(text);
  const file: TreeFile = {
    path: ["a.xml"],
    size: bytes.length,
    modifiedAt: null,
    async *open() {
      for (let start = 0; start < bytes.length; start += chunk) yield bytes.subarray(start, start + chunk);
    },
  };
  return Array.fromAsync(readWXR(file));
}

test("ampersands that are none, and texts in texts, damage nothing, wherever the parts of the file end", async () => {
  const item = (id: number, url: string, content: string) =>
    `<item><wp:post_id>${id}</wp:post_id><wp:attachment_url>${url}</wp:attachment_url><content:encoded>${content}</content:encoded></item>`;
  const items = [
    item(1, "https://a.example/x?a=1&b=2&amp;c=3&lt;", "<![CDATA[Tom & Jerry &amp; co]]>"),
    item(2, "https://a.example/y", "<![CDATA[one <![CDATA[two]]> three]]>"),
  ];
  const text = `<rss><channel><link>https://blog.example</link><wp:base_site_url>https://host.example</wp:base_site_url>${items.join("")}</channel></rss>`;
  for (const chunk of [1, 7, 1000]) {
    const entries = await read(text, chunk);
    expect(entries).toMatchObject([
      { kind: "base", name: "link" },
      { kind: "base", name: "base_site_url" },
      { item: { attachmentURL: "https://a.example/x?a=1&b=2&c=3<", content: "Tom & Jerry &amp; co" } },
      { item: { id: "2", content: "one <![CDATA[two three]]>" } },
    ]);
  }
});

test("nobody seems to have said what somebody else has said with the same e-mail address", () => {
  const [one, same, other] = ["Ada", " ada", "Bob"].map((name) => commenterKey({ name, email: "us@old.example" }));
  expect(same).toBe(one as string);
  expect(other).not.toBe(one as string);
});
