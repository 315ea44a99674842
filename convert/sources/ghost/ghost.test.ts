// Runs on the embedded engines only: what is read of the source does not depend on the engines.
import { expect, test } from "bun:test";
import { filesOf, itemsOf } from "../../../tests/kit/trees.ts";
import { recognise } from "../kinds.ts";
import { ghostKind } from "./ghost.ts";

const lexical = (...children: object[]) => JSON.stringify({ root: { type: "root", children } });
const text = (value: string, format = 0) => ({ type: "extended-text", text: value, format });
const post = (more: object) => ({
  id: "p",
  title: "A title",
  slug: "a-slug",
  type: "post",
  status: "published",
  visibility: "public",
  published_at: "2019-05-12T09:30:00.000Z",
  created_at: "2019-05-11 08:00:00",
  updated_at: 1_600_000_000_000,
  ...more,
});
const exported = (data: object) => JSON.stringify({ db: [{ meta: { exported_on: 1, version: "5.80.0" }, data }] });
const read = async (one: object, data: object = {}, files: Record<string, string> = {}) => {
  const found = await itemsOf(ghostKind, { "blog.json": exported({ posts: [post(one)], ...data }), ...files });
  return { ...found, post: Object.values(found.posts)[0] };
};

test("an export is recognised by its content, with its folder or without", async () => {
  const kindOf = async (content: string) => {
    const files = filesOf({ "a.json": content, "content/images/a.jpg": "x" });
    const tree = {
      name: "x",
      list: async function* () {
        yield* files;
      },
      async [Symbol.asyncDispose]() {},
    };
    return (await recognise(tree)).kind;
  };
  expect(await kindOf(exported({ posts: [] }))).toBe("ghost");
  expect(await kindOf(JSON.stringify({ data: { posts: [] }, meta: {} }))).toBe("ghost");
  expect(await kindOf(JSON.stringify({ data: { items: [] }, version: 1 }))).toBe("folder");
  expect(await kindOf('{"db": [')).toBe("folder");
});

test("the HTML of Ghost becomes Markdown, with its cards", async () => {
  const html = `
    <p>See <a href="__GHOST_URL__/other/">the other</a> and <a href="__GHOST_URL__/a-slug/#part">this one</a>.</p>
    <figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/size/w600/2019/05/pier.jpg" alt="A pier"><figcaption>The pier</figcaption></figure>
    <div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind <b>the</b> gap</div></div>
    <div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">More</h4><button><svg></svg></button></div><div class="kg-toggle-content"><p>Inside</p></div></div>
    <figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.org/x"><div class="kg-bookmark-title">A page</div><div class="kg-bookmark-description">About it</div><img class="kg-bookmark-icon" src="https://a.org/i.png"></a></figure>
    <figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/abc"></iframe></figure>
    <div class="kg-card kg-audio-card"><audio src="__GHOST_URL__/content/media/song.mp3"></audio><div class="kg-audio-title">A song</div><span>0:00</span></div>
    <div class="kg-card kg-file-card"><a class="kg-file-card-container" href="__GHOST_URL__/content/files/paper.pdf"><div class="kg-file-card-title">A paper</div><div class="kg-file-card-filesize">1 MB</div></a></div>
    <!--kg-card-begin: html--><script>alert(1)</script><p onclick="x">raw</p><!--kg-card-end: html-->
    <div class="kg-card kg-signup-card"><form><input><button>Subscribe</button></form></div>`;
  const {
    post: found,
    files,
    refused,
    notes,
  } = await read(
    { html, codeinjection_head: "<script>" },
    {},
    {
      "content/images/2019/05/pier.jpg": "small",
      "content/images/2019/05/pier_o.jpg": "original",
      "content/images/size/w600/2019/05/pier.jpg": "tiny",
      "content/media/song.mp3": "x",
      "content/files/paper.pdf": "x",
      "content/images/unused.png": "x",
    },
  );
  expect(found?.content.split("\n\n")).toEqual([
    "See [the other](/other/) and [this one](/blog/a-slug#post-part).",
    "<figure>",
    "![A pier](import:content%2Fimages%2F2019%2F05%2Fpier_o.jpg)",
    "<figcaption>",
    "The pier",
    "</figcaption>\n</figure>",
    "> 💡 Mind **the** gap",
    "<details>\n<summary>More</summary>",
    "Inside",
    "</details>",
    "[A page](https://a.org/x)",
    "About it",
    "[https://www.youtube.com/watch?v=abc](https://www.youtube.com/watch?v=abc)",
    "[A song](import:content%2Fmedia%2Fsong.mp3)",
    "[A paper](import:content%2Ffiles%2Fpaper.pdf)",
    "raw",
  ]);
  expect(Object.keys(files).toSorted()).toEqual([
    "files/paper.pdf",
    "images/2019/05/pier.jpg",
    "images/unused.png",
    "media/song.mp3",
  ]);
  expect(files["images/2019/05/pier.jpg"]).toMatchObject({
    key: "content/images/2019/05/pier_o.jpg",
    photo: { visibility: "public" },
    visibility: "public",
    oldAddresses: ["/content/images/2019/05/pier.jpg"],
  });
  expect(files["images/unused.png"]).toMatchObject({ photo: null, visibility: "private" });
  expect(refused).toEqual([]);
  expect(notes).toEqual([
    'a-slug (1): A card of the kind "signup" is not taken: it belongs to newsletters.',
    "a-slug (2): Code that it adds to its page is not taken.",
    "smaller pictures: 2 that Ghost has made of others are not taken.",
  ]);
});

test("without HTML, a post is read from the documents of both editors", async () => {
  const {
    post: found,
    refused,
    notes,
  } = await read({
    lexical: lexical(
      { type: "extended-heading", tag: "h3", children: [text("One")] },
      {
        type: "paragraph",
        children: [
          text("bold", 1),
          text(" and "),
          text("code", 16),
          { type: "linebreak" },
          { type: "link", url: "/x", children: [text("link")] },
        ],
      },
      { type: "list", listType: "number", start: 2, children: [{ type: "listitem", children: [text("two")] }] },
      { type: "codeblock", code: "a < b", language: "js" },
      { type: "markdown", markdown: "**as it is** ![](__GHOST_URL__/content/images/none.jpg)" },
      { type: "horizontalrule" },
      { type: "callout", calloutEmoji: "!", calloutText: "<p><em>careful</em></p>" },
      { type: "button", buttonText: "Go", buttonUrl: "https://a.org" },
      { type: "hologram", label: "A text of the future", nested: { caption: "and its caption" }, url: "https://a.org" },
    ),
  });
  expect(found?.content.split("\n\n")).toEqual([
    "### One",
    "**bold** and `code`\\\n[link](/x)",
    "2. two",
    "```js\na < b\n```",
    "**as it is** ![](/content/images/none.jpg)",
    "***",
    "> ! *careful*",
    "[Go](https://a.org)",
    "A text of the future",
    "and its caption",
  ]);
  expect(refused).toEqual([
    "a-slug (2): Some of its pictures or files are not in the source: add the content folder of Ghost.",
  ]);
  expect(notes).toEqual(['a-slug (1): A card of the unknown kind "hologram" has left only its text.']);
  const mobiledoc = {
    version: "0.3.1",
    markups: [["strong"], ["a", ["href", "/x"]]],
    atoms: [["soft-return", "", {}]],
    cards: [
      ["image", { src: "https://a.org/b.jpg", alt: "b", caption: "c" }],
      ["hr", {}],
    ],
    sections: [
      [
        1,
        "p",
        [
          [0, [0], 1, "a"],
          [1, [], 0, 0],
          [0, [1], 1, "b"],
        ],
      ],
      [3, "ul", [[[0, [], 0, "c"]]]],
      [10, 0],
      [10, 1],
      [10, 9],
      "broken",
    ],
  };
  const old = await read({ mobiledoc: JSON.stringify(mobiledoc) });
  expect(old.post?.content).toStartWith(
    "**a**\\\n[b](/x)\n\n- c\n\n<figure>\n\n![b](https://a.org/b.jpg)\n\n<figcaption>\n\nc",
  );
  const deep = `${'{"type":"paragraph","children":['.repeat(5000)}${"]}".repeat(5000)}`;
  expect((await read({ lexical: `{"root":{"children":[${deep}]}}` })).post?.content).toBe("");
  expect((await read({ lexical: "{" })).refused).toEqual(["a-slug (1): Its text cannot be read."]);
});

test("who may read a post, its date, tags, author, cover and old addresses are kept", async () => {
  const data = {
    users: [
      { id: "1", name: "Ada L.", slug: "ada" },
      { id: 2, name: "Nobody", slug: "nobody" },
    ],
    posts_authors: [
      { post_id: "p", author_id: "2", sort_order: 1 },
      { post_id: "p", author_id: "1", sort_order: 0 },
    ],
    tags: [
      { id: "a", name: "Sea", slug: "sea" },
      { id: "b", name: "Air", slug: "air" },
      { id: "c", name: "#secret", slug: "hash-secret", visibility: "internal" },
    ],
    posts_tags: [
      { post_id: "p", tag_id: "c", sort_order: 0 },
      { post_id: "p", tag_id: "b", sort_order: 2 },
      { post_id: "p", tag_id: "a", sort_order: 1 },
    ],
    posts_meta: [{ post_id: "p", feature_image_alt: "A cover" }],
    newsletters: [{}],
    settings: [{ key: "codeinjection_foot", value: "<script>" }],
  };
  const files = { "content/images/c.png": "x", "members.csv": "id,email,name,note,labels\n1,a@b.org,A,,\n" };
  const all = await read({ html: "<p>x</p>", feature_image: "__GHOST_URL__/content/images/c.png" }, data, files);
  expect(all.post).toMatchObject({
    isPage: false,
    tags: ["Sea", "Air"],
    author: "1",
    cover: "content/images/c.png",
    visibility: "public",
    publishedAt: Date.UTC(2019, 4, 12, 9, 30),
    createdAt: Date.UTC(2019, 4, 11, 8),
    updatedAt: 1_600_000_000_000,
    oldAddresses: ["/a-slug/"],
  });
  expect(all.people).toEqual([{ kind: "person", key: "1", username: "ada", displayName: "Ada L." }]);
  expect(all.files["images/c.png"]?.photo).toEqual({ altText: "A cover", visibility: "public" });
  expect(all.files["members.csv"]).toMatchObject({ visibility: "private", photo: null });
  expect(all.redirects).toEqual({
    "/author/ada/": { path: "/people/ada" },
    "/tag/sea/": { tag: "Sea" },
    "/tag/air/": { tag: "Air" },
    "/rss/": { path: "/feed.xml" },
  });
  expect(all.refused).toEqual([]);
  expect(all.notes).toEqual([
    "newsletters: 1 are in the export: this site has none.",
    "code injection: Code that the blog adds to all pages is not taken.",
  ]);
  for (const [more, expected] of [
    [{ visibility: "paid" }, { visibility: "private" }],
    [{ status: "sent" }, { visibility: "private" }],
    [{ status: "draft" }, { publishedAt: null }],
    [{ page: 1, type: null }, { isPage: true }],
  ] as const) {
    const found = await read({ html: "<p>x</p>", feature_image: "/content/images/c.png", ...more }, data, files);
    expect(found.post).toMatchObject(expected);
    expect(found.files["images/c.png"]?.visibility).toBe("page" in more ? "public" : "private");
  }
});
