// Runs on the embedded engines only: what is read of the source does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { wpComment, wpPost, wxr as oddWXR } from "../../../tests/bad-sources/odd-blogs.ts";
import { itemsOf, treeOf } from "../../../tests/kit/trees.ts";
import { wordpressKind } from "./wordpress.ts";

const post = (id: number, content: string, title = `Post ${id}`) =>
  `<item><title>${title}</title><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>
  <wp:post_name>post-${id}</wp:post_name><wp:post_date_gmt>2019-05-12 09:30:00</wp:post_date_gmt>
  <content:encoded><![CDATA[${content}]]></content:encoded>
  <wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>Zoë</wp:comment_author><wp:comment_approved>1</wp:comment_approved>
  <wp:comment_content>Words on ${title}</wp:comment_content></wp:comment>
  <wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta></item>`;
const attachment = (url: string, title: string, id = 9) =>
  `<item><title>${title}</title><wp:post_id>${id}</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status>
  <wp:attachment_url>${url}</wp:attachment_url></item>`;
const wxr = (base: string, ...items: string[]) =>
  `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>${base}</link><wp:base_site_url>${base}</wp:base_site_url>
  <wp:base_blog_url>${base}</wp:base_blog_url>${items.join("")}</channel></rss>`;
const blog = (base: string, uploads: string, name: string) => {
  const url = `${base}/wp-content/uploads/${uploads}2019/05/harbour.jpg`;
  return wxr(base, post(1, `<img src="${url}"> [gallery ids="9"]`, name), attachment(url, name));
};

/** Which picture each post shows as its cover and in its text, by the content of the file, with its own comment. */
async function shownBy(files: Record<string, string>) {
  const { all } = await itemsOf(wordpressKind, files);
  const pictures = new Map(all.flatMap((item) => (item.kind === "file" ? [[item.key, item] as const] : [])));
  const comments = all.filter((item) => item.kind === "comment");
  const albums = new Map(all.flatMap((item) => (item.kind === "album" ? [[item.key, item.name] as const] : [])));
  const shown: Record<string, unknown> = {};
  for (const item of all) {
    if (item.kind !== "post") continue;
    const keys = [...item.content.matchAll(/import:([^)#]+)/g)].map(([, key = ""]) => decodeURIComponent(key));
    const cover = pictures.get(item.cover ?? "");
    shown[item.title] = [
      cover && Buffer.concat(await Array.fromAsync(cover.open())).toString(),
      cover?.path.join("/"),
      keys.map((key) => (key === cover?.key ? "cover" : albums.get(key))),
      comments.filter(({ on }) => on.key === item.key).map(({ content }) => content),
    ];
  }
  expect(new Set(all.map(({ kind, key }) => `${kind} ${key}`)).size).toBe(all.length);
  return shown;
}
const shows = (picture: string, path: string, title: string) => [
  picture,
  path,
  ["cover", title],
  [`Words on ${title}`],
];

describe("several blogs in one import keep their posts, comments, galleries and pictures, although they share ids and names", () => {
  const [a, b] = [blog("https://a.example", "", "A"), blog("https://b.example/blog", "", "B")];
  const expected = {
    A: shows("of A", "a.example/2019/05/harbour.jpg", "A"),
    B: shows("of B", "b.example-blog/2019/05/harbour.jpg", "B"),
  };

  test("two blogs with a folder of uploads each, in one tree", async () => {
    const files = {
      "one/a.xml": a,
      "one/wp-content/uploads/2019/05/harbour.jpg": "of A",
      "two/b.xml": b,
      "two/wp-content/uploads/2019/05/harbour.jpg": "of B",
    };
    expect(await shownBy(files)).toEqual(expected);
    expect(await shownBy(Object.fromEntries(Object.entries(files).toReversed()))).toEqual(expected);
  });

  test("one after another: nothing of the second is taken for something of the first", async () => {
    const keysOf = async (text: string) =>
      (await itemsOf(wordpressKind, { "x.xml": text, "uploads/2019/05/harbour.jpg": "x" })).all
        .filter(({ kind }) => kind !== "redirect")
        .map(({ kind, key }) => `${kind} ${key}`);
    const first = new Set(await keysOf(a));
    expect([first.size, (await keysOf(b)).filter((key) => first.has(key))]).toEqual([4, []]);
  });

  test("a network, whose blogs have their uploads in folders with numbers, with its first blog", async () => {
    const files = {
      "main.xml": blog("https://net.example", "", "Main"),
      "three.xml": blog("https://net.example/three", "sites/3/", "Three"),
      "two.xml": blog("https://net.example/two", "sites/2/", "Two"),
      "uploads/2019/05/harbour.jpg": "of Main",
      "uploads/sites/2/2019/05/harbour.jpg": "of Two",
      "uploads/sites/3/2019/05/harbour.jpg": "of Three",
    };
    expect(await shownBy(files)).toEqual({
      Main: shows("of Main", "net.example/2019/05/harbour.jpg", "Main"),
      Two: shows("of Two", "net.example-two/2019/05/harbour.jpg", "Two"),
      Three: shows("of Three", "net.example-three/2019/05/harbour.jpg", "Three"),
    });
  });
});

test("one blog of a network finds its uploads with the folder of its number, and without; and never those of another blog", async () => {
  const two = { "two.xml": blog("https://net.example/two", "sites/2/", "Two") };
  const found = { Two: shows("of Two", "2019/05/harbour.jpg", "Two") };
  const other = { "uploads/sites/3/2019/05/harbour.jpg": "of Three", "uploads/2019/05/harbour.jpg": "of Main" };
  expect(await shownBy({ ...two, ...other, "uploads/sites/2/2019/05/harbour.jpg": "of Two" })).toEqual(found);
  expect(await shownBy({ ...two, "2019/05/harbour.jpg": "of Two" })).toEqual(found);
  expect(await shownBy({ ...two, "blogs.dir/2/files/2019/05/harbour.jpg": "of Two" })).toEqual(found);
  const main = {
    "main.xml": blog("https://net.example", "", "Main"),
    "uploads/2019/05/other.jpg": "x",
    "uploads/sites/3/2019/05/harbour.jpg": "of Three",
  };
  const { posts, files } = await itemsOf(wordpressKind, main);
  expect([posts["post-1"]?.cover, Object.keys(files)]).toEqual([null, []]);
  const { files: ofTwo } = await itemsOf(wordpressKind, { ...two, "uploads/sites/2/2019/05/harbour.jpg": "of Two" });
  expect(ofTwo["2019/05/harbour.jpg"]?.oldAddresses).toContain("/wp-content/uploads/sites/2/2019/05/harbour.jpg");
});

test("a post that is in two parts of an export is taken once; another one with its number has a line", async () => {
  const base = "https://a.example";
  const parts = {
    "1.xml": wxr(base, post(1, "x"), post(2, "y")),
    "2.xml": wxr(base, post(2, "y"), post(1, "x", "Another")),
  };
  const { posts, refused, notes } = await itemsOf(wordpressKind, parts);
  expect(notes).toEqual(["repeated: 1 are in the export more than once, and taken once."]);
  expect(Object.keys(posts)).toEqual(["post-1", "post-2"]);
  expect(refused).toEqual([
    "2.xml: Another has the number 1, like something else of this blog that came before, and is left out.",
  ]);
});

test("posts without a number, as some programs write them, are told apart by their addresses or titles", async () => {
  const bare = (title: string, link = "") =>
    post(1, "x", title)
      .replace("<wp:post_id>1</wp:post_id>", `<link>${link}</link>`)
      .replace("post-1", title.toLowerCase());
  const items = [
    bare("One"),
    bare("Two"),
    bare("Three", "https://a.example/one/"),
    bare("Three", "https://a.example/two/"),
  ];
  const { all, refused } = await itemsOf(wordpressKind, { "a.xml": wxr("https://a.example", ...items) });
  const posts = all.filter((item) => item.kind === "post");
  expect(posts.map(({ title, oldAddresses }) => [title, oldAddresses.filter(Boolean)])).toEqual([
    ["One", []],
    ["Two", []],
    ["Three", ["https://a.example/one/"]],
    ["Three", ["https://a.example/two/"]],
  ]);
  expect([new Set(posts.map(({ key }) => key)).size, refused]).toEqual([4, []]);
});

test("every item and every file of an export is taken, or named with its number", async () => {
  const up = "https://a.example/wp-content/uploads";
  const files = {
    "a.xml": wxr(
      "https://a.example",
      post(1, "x"),
      post(2, "x").replace("publish", "trash"),
      post(3, "x").replace(">post<", ">product<"),
      post(4, "x").replace(">post<", ">wp_block<"),
      attachment(`${up}/2019/harbour.jpg`, "Harbour"),
      attachment(`${up}/2019/gone.jpg`, "Gone", 10),
    ),
    "uploads/2019/harbour.jpg": "x",
    "uploads/2019/harbour-300x200.jpg": "x",
    "uploads/2019/harbour-scaled.jpg": "x",
    "uploads/2019/unused.jpg": "x",
    "uploads/sites/7/2019/far.jpg": "x",
    "again/uploads/2019/harbour.jpg": "y",
  };
  const { posts, files: taken, refused, notes } = await itemsOf(wordpressKind, files);
  expect([Object.keys(posts), Object.keys(taken)]).toEqual([["post-1"], ["2019/harbour.jpg"]]);
  expect(refused).toEqual([`${up}/2019/gone.jpg: Its file is not in the folder of uploads.`]);
  expect(notes).toEqual([
    "post (trash): 1 of this kind: there is nothing like it here.",
    "comments on post: 1 of this kind: there is nothing like it here.",
    "product: 1 of this kind: there is nothing like it here.",
    "comments on product: 1 of this kind: there is nothing like it here.",
    "comments on wp_block: 1 of this kind: there is nothing like it here.",
    "wp_block: 1 of this kind: their texts are in the posts that show them.",
    "uploads/2019/unused.jpg: It, and 0 other files, are neither listed by WordPress nor shown by a post.",
    "smaller pictures: 2 that WordPress has made of others: texts show the originals.",
    "again/uploads/2019/harbour.jpg: It, and 0 other files, are called like others in the folders of uploads, which are taken.",
    "uploads/sites/7: 1 file belongs to none of these blogs.",
  ]);
});

test("a blog says how many items it has before the first of them", async () => {
  const blog = treeOf({
    "x.xml": oddWXR([
      wpPost({ more: wpComment(1, 0) + wpComment(2, 0) }),
      wpPost({ id: "2", content: '<img src="/wp-content/uploads/2019/a.jpg">' }),
    ]),
    "wp-content/uploads/2019/a.jpg": "12345",
  });
  const wish = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "public" as const };
  const totals: object[] = [];
  for await (const _item of wordpressKind.list(blog, wish, (total) => totals.push(total))) break;
  expect(totals).toEqual([{ items: 5, bytes: 5 }]);
});
