// Runs on the embedded engines only: what is read of the source does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { filesOf, itemsOf } from "../../../tests/kit/trees.ts";
import { findLayout } from "./layouts.ts";
import { markdownKind } from "./markdown.ts";

const read = (files: Record<string, string>) => itemsOf(markdownKind, files);
const dated = "---\ntitle: A\ndate: 2019-05-12\n---\n";

test("folders are recognised by the files of their program, or by titles in most of their texts", async () => {
  const programOf = async (files: Record<string, string>) => (await findLayout(filesOf(files)))?.program ?? null;
  expect(await programOf({ "site/hugo.toml": "", "site/content/a.md": "a" })).toBe("hugo");
  expect(await programOf({ "_config.yml": "", "_posts/2019-05-12-a.md": "a" })).toBe("jekyll");
  expect(await programOf({ "vault/.obsidian/app.json": "{}", "vault/a.md": "a" })).toBe("obsidian");
  expect(await programOf({ "a.md": dated, "b.md": dated, "README.md": "# Read me" })).toBe("plain");
  expect(await programOf({ "vault/.obsidian/app.json": "{}", "vault/a.md": "a", "letters/b.odt": "x" })).toBeNull();
  const linked = {
    "vault/Home.md": "See [[Boats#Sails|boats]].",
    "vault/on/Boats.md": "![[pier.jpg\\|100]]",
    "vault/pier.jpg": "x",
  };
  expect(await programOf(linked)).toBe("obsidian");
  expect(await programOf({ ...linked, "vault/Home.md": dated + linked["vault/Home.md"] })).toBe("obsidian");
  expect(
    await programOf({ "a.md": "[[nodiscard]] and [[b]]", "src/b.md": "x", "src/c.cpp": "x", "src/d.h": "x" }),
  ).toBeNull();
  expect(await programOf({ "a.md": "`[[b]]`\n\n```\n[[b]]\n```", "b.md": "[[gone]]" })).toBeNull();
  const photos = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${index}.jpg`, "x"]));
  expect(await programOf({ ...photos, "README.md": "# Photos" })).toBeNull();
  expect(await programOf({ ...photos, "README.md": "---\ntitle: Photos\n---\n" })).toBeNull();
  expect(await programOf({ "content/a.md": "a", "package.json": "{}" })).toBeNull();
});

describe("Hugo", () => {
  const settings = 'baseURL = "https://old.example/"\n[permalinks]\nposts = "/:year/:month/:slug/"\n';
  const site = (files: Record<string, string>) =>
    read({ "hugo.toml": settings, "content/other.md": dated.replace("title", "type: post\ntitle") + "x", ...files });

  test("front matter of three kinds says what a post is", async () => {
    const { posts, refused } = await site({
      "content/posts/yaml.md":
        "\ufeff---\r\ntitle: 'One: two'\r\ndate: 2019-05-12T10:00:00+02:00\r\nlastmod: 2020-01-01\r\ntags: [Sea, 2019, true]\r\ncategories: Air\r\naliases: [/old/, other]\r\ndescription: Short\r\n---\r\n\r\nText\r\n",
      "content/posts/toml.md":
        '+++\ntitle = "Two"\ndate = 2019-05-12T23:30:00-02:00\ndraft = true\nslug = "zwei"\n+++\nText',
      "content/posts/json.md":
        '{\n  "title": "Three",\n  "date": "2019-05-12 10:00:00",\n  "url": "/exactly/here.html"\n}\n\nText',
      "content/posts/broken.md": "---\ntitle: [a\n---\nText",
      "content/about.md": "---\ntitle: About\n---\nText",
      "content/posts/_index.md": "---\ntitle: All\n---\n",
    });
    expect(posts["yaml"]).toMatchObject({
      title: "One: two",
      content: "Text",
      excerpt: "Short",
      tags: ["Sea", "2019", "true", "Air"],
      publishedAt: Date.UTC(2019, 4, 12, 8),
      updatedAt: Date.UTC(2020, 0, 1),
      oldAddresses: ["/2019/05/yaml/", "/old/", "/other"],
      isPage: false,
    });
    expect(posts["zwei"]).toMatchObject({ title: "Two", publishedAt: null, oldAddresses: ["/2019/05/zwei/"] });
    expect(posts["json"]).toMatchObject({
      publishedAt: Date.UTC(2019, 4, 12, 10),
      oldAddresses: ["/exactly/here.html"],
    });
    expect(posts["broken"]).toMatchObject({ title: "Broken", publishedAt: null });
    expect(posts["about"]).toMatchObject({ isPage: true, oldAddresses: ["/about/"] });
    expect(refused).toEqual([
      expect.stringMatching(/^content\/posts\/broken\.md: Its front matter cannot be read: .* It becomes a draft\.$/),
    ]);
  });

  test("bundles, links, pictures and shortcodes become Markdown", async () => {
    const body = [
      "![A pier](pier.jpg) and ![far](/img/far%20away.png 'x') and ![gone](gone.png)",
      '[the other]({{< ref "other.md" >}}) [again](../../other.md#Some-Part) [by address](https://old.example/other/)',
      '{{< figure src="pier.jpg" alt="A [pier]" caption="The *pier*" >}}',
      '{{< youtube id="abc-1" >}}',
      '{{< gallery match="shots/*" />}}',
      '{{< highlight go "linenos=table" >}}\nfmt.Println("![x](pier.jpg)")\n{{< /highlight >}}',
      "{{<unknown>}} and `{{< code >}}` and {{</* example */>}}",
      '<p align="center"><img src="pier.jpg" alt="in HTML"></p>',
      "[by name][1] and ![shown][2]",
      "[1]: ../../other.md\n[2]: pier.jpg",
    ].join("\n\n");
    const { posts, files, refused, notes } = await site({
      "content/posts/trip/index.md": `---\ntitle: Trip\ndate: 2019-05-12\ncover: {image: pier.jpg, alt: A cover}\n---\n${body}`,
      "content/posts/trip/pier.jpg": "x",
      "content/posts/trip/shots/1.jpg": "x",
      "static/img/far away.png": "x",
      "content/posts/draft.md": "---\ntitle: D\ndraft: true\n---\n![](/img/secret.png)",
      "static/img/secret.png": "x",
      "themes/a/b.css": "x",
      "static/unused.pdf": "x",
    });
    const pier = "import:content%2Fposts%2Ftrip%2Fpier.jpg";
    expect(posts["trip"]).toMatchObject({ cover: "content/posts/trip/pier.jpg", oldAddresses: ["/2019/05/trip/"] });
    expect(posts["trip"]?.content.split("\n\n")).toEqual([
      `![A pier](${pier}) and ![far](import:static%2Fimg%2Ffar%20away.png 'x') and ![gone](gone.png)`,
      "[the other](/blog/other) [again](/blog/other#post-some-part) [by address](/blog/other)",
      "<figure>",
      `![A \\[pier\\]](${pier})`,
      "<figcaption>",
      "The *pier*",
      "</figcaption>\n</figure>",
      "<https://www.youtube.com/watch?v=abc-1>",
      "![](import:content%2Fposts%2Ftrip%2Fshots%2F1.jpg)",
      '```go\nfmt.Println("![x](pier.jpg)")\n```',
      "{{\\<unknown>}} and `{{< code >}}` and \\{{\\< example >}}",
      `![in HTML](${pier})`,
      `[by name](/blog/other) and ![shown](${pier})`,
    ]);
    expect(Object.keys(files)).toHaveLength(4);
    expect(files["static/img/far away.png"]).toMatchObject({
      oldAddresses: ["/img/far%20away.png"],
      visibility: "public",
    });
    expect(files["static/img/secret.png"]).toMatchObject({ visibility: "private", photo: { visibility: "private" } });
    expect(files["content/posts/trip/pier.jpg"]?.photo).toEqual({ altText: "A cover", visibility: "public" });
    expect(refused).toEqual(["content/posts/trip/index.md (2): gone.png is not in the source."]);
    expect(notes).toEqual([
      'content/posts/trip/index.md (1): The shortcode "unknown" stays as it is.',
      "other files: 1 pictures and files are not taken: no text uses them.",
      "files of the program: 1 are not taken, such as themes/a/b.css: layouts, settings and scripts.",
    ]);
  });
});

test("Hugo: a dated text is a page if its section, its layout or the menu says so, and otherwise a post", async () => {
  const text = (fields = "") => `---\ntitle: A\ndate: 2019-05-12\n${fields}---\nx`;
  const pagesOf = async (files: Record<string, string>) => {
    const { all } = await read({ "hugo.toml": "[languages.de]\nweight = 2\n", ...files });
    const posts = all.filter((item) => item.kind === "post");
    return posts.filter(({ isPage }) => isPage).map(({ key }) => key.replace("content/", ""));
  };
  const pages = {
    "content/about.md": text(),
    "content/contact/index.md": text(),
    "content/de/about.md": text(),
    "content/pages/imprint.md": text(),
    "content/notes/uses.md": text("layout: page\n"),
  };
  const posts = {
    "content/top.md": text("type: post\n"),
    "content/posts/one.md": text(),
    "content/posts/two/index.md": text(),
  };
  expect(await pagesOf({ ...pages, ...posts })).toEqual(Object.keys(pages).map((key) => key.replace("content/", "")));
  // A blog without sections.
  const flat = { "content/one.md": text(), "content/two.md": text("layout: post\n"), "content/three/index.md": text() };
  const told = { "content/about.md": text("menu: main\n"), "content/now.md": text("layout: about\n") };
  expect(await pagesOf({ ...flat, ...told })).toEqual(["about.md", "now.md"]);
});

test("dates in names count, translations follow what they translate, and pages are told by their folder", async () => {
  const plain = await read({
    "2021-9-1-short.md": "---\ntitle: Short\n---\nx",
    "2021-09-02.md": "---\ntitle: Day\n---\nx",
  });
  expect(plain.posts["short"]?.publishedAt).toBe(Date.UTC(2021, 8, 1));
  expect(plain.posts["2021-09-02"]?.publishedAt).toBe(Date.UTC(2021, 8, 2));
  const { all, notes } = await read({
    "hugo.toml": "",
    "content/page/about/index.de.md": "---\ntitle: Über\ndate: 2020-01-01\n---\nx",
    "content/page/about/index.md": "---\ntitle: About\ndate: 2020-01-01\n---\nx",
    "content/page/about/index.zh-hant-tw.md": "---\ntitle: 關於\ndate: 2020-01-01\n---\nx",
    "content/page/search/index.md": "---\ntitle: Search\nlayout: search\n---\n",
  });
  const posts = all.filter((item) => item.kind === "post");
  expect(posts.map(({ title, slug, isPage, oldAddresses }) => [title, slug, isPage, oldAddresses[0]])).toEqual([
    ["About", "about", true, "/page/about/"],
    ["Über", "about", true, "/de/page/about/"],
    ["關於", "about", true, "/zh-hant-tw/page/about/"],
  ]);
  expect(notes).toEqual(["content/page/search/index.md: It has no text: its layout makes the page."]);
});

test("Jekyll: names, drafts, permalinks and Liquid are read", async () => {
  const { posts, files, redirects, notes } = await read({
    "_config.yml": "permalink: /:categories/:year/:title/\nbaseurl: /blog\nrepository: https://code.example\n",
    "_posts/2019-5-2-first-one.md":
      "---\nlayout: post\ntitle: First\ntags: sea air\ncategories: [Trips]\nredirect_from: /very/old\n---\n" +
      '![]({{ site.baseurl }}/assets/a.png){: .wide } ![b]({{ "/assets/a.png" | relative_url }}) [next]({% post_url 2019-06-01-second %})\n\n{% highlight rb %}\nputs 1\n{% endhighlight %}\n\n{% include player.html id="1" %}\n',
    "_posts/2019-06-01-second.html":
      "---\ndate: 2019-06-02 10:00:00 +0200\n---\n<h2>In HTML</h2><p><a href='{{ site.repository }}/1'>x</a></p>",
    "_drafts/later.md": "---\ntitle: Later\n---\nx",
    "_posts/2019-07-01-hidden.md": "---\npublished: false\n---\nx",
    "about.md": "---\ntitle: About\npermalink: /about-me/\n---\nx",
    "README.md": "no page",
    "_layouts/post.html": "---\n---\n{{ content }}",
    "assets/a.png": "x",
  });
  expect(posts["first-one"]).toMatchObject({
    publishedAt: Date.UTC(2019, 4, 2),
    tags: ["sea", "air", "Trips"],
    oldAddresses: ["/blog/trips/2019/first-one/", "/trips/2019/first-one/", "/blog/very/old", "/very/old"],
    content:
      '![](import:assets%2Fa.png) ![b](import:assets%2Fa.png) [next](/blog/second)\n\n```rb\nputs 1\n```\n\n{% include player.html id="1" %}',
  });
  expect(posts["second"]).toMatchObject({
    title: "Second",
    publishedAt: Date.UTC(2019, 5, 2, 8),
    content: "## In HTML\n\n[x](https://code.example/1)",
  });
  expect(posts["later"]?.publishedAt).toBeNull();
  expect(posts["hidden"]?.publishedAt).toBeNull();
  expect(posts["about"]).toMatchObject({ isPage: true, oldAddresses: ["/blog/about-me/", "/about-me/"] });
  expect(Object.keys(posts)).toHaveLength(5);
  expect(Object.keys(files)).toEqual(["assets/a.png"]);
  expect(redirects).toMatchObject({ "/tags/sea/": { tag: "sea" }, "/categories/trips/": { tag: "Trips" } });
  expect(notes).toEqual([
    '_posts/2019-5-2-first-one.md (1): Liquid stays as it is: "include".',
    "files of the program: 2 are not taken, such as README.md: layouts, settings and scripts.",
  ]);
});

test("Obsidian: a vault is private, its links and embeds are found by name, and its lines stay lines", async () => {
  const note = [
    "one\ntwo",
    "- a\n- b\n  c",
    "![[pic.png|300]] ![[deep/other.PNG|A picture]] ![[Second]] [[Second#Part One|there]] [[#Here]] [[missing]]",
    "> [!warning] Careful\n> one\n> two",
    "==marked== %%secret%% #sea/tide #1 done ^block",
    "```\n[[Second]]\ntwo\n```",
  ].join("\n\n");
  const vault = {
    ".obsidian/app.json": "{}",
    "First.md": `---\ntags: [boats]\n---\n# First\n${note}`,
    "notes/Second.md": "---\npublish: true\ndate: 2019-05-12\n---\n![](../files/pic.png)",
    "files/pic.png": "x",
    "files/deep/other.png": "x",
  };
  const { posts, files, notes } = await read(vault);
  expect(posts["First"]).toMatchObject({ title: "First", visibility: "public", tags: ["boats", "sea/tide"] });
  expect(posts["Second"]).toMatchObject({ visibility: "public", publishedAt: Date.UTC(2019, 4, 12) });
  expect(posts["First"]?.content.split("\n\n")).toEqual([
    "one\\\ntwo",
    "- a\n- b\\\n  c",
    "![](import:files%2Fpic.png) ![A picture](import:files%2Fdeep%2Fother.png) [Second](/blog/second) [there](/blog/second#post-part-one) [Here](#here) missing",
    "> **Careful**\n>\n> one\\\n> two",
    "<mark>marked</mark>  #sea/tide #1 done",
    "```\n[[Second]]\ntwo\n```",
  ]);
  expect(files["files/pic.png"]?.visibility).toBe("public");
  expect(notes).toEqual(['First.md (1): "missing" is not in the vault: its link is a text now.']);
});

test.each([
  [
    "hugo.toml",
    {
      "content/posts/a.md": dated,
      "content/posts/_index.md": "---\ntitle: All\n---\n",
      "content/b.md": "---\nheadless: true\n---\nx",
    },
    { "static/unused.pdf": "x", "layouts/x.html": "x", "themes/y.css": "x", ".git/config": "x" },
    {
      posts: 1,
      lines: ["content/posts/_index.md: It has no text.", "content/b.md: Hugo makes no page of it."],
      people: 1,
      program: 2,
      hidden: 1,
    },
  ],
  [
    "_config.yml",
    { "_posts/2019-05-02-a.md": dated, "docs/plain.md": "x", "list.html": "---\n---\n{% for a in b %}{% endfor %}" },
    { "_layouts/post.html": "x", "README.md": "x", "assets/unused.png": "x", ".gitignore": "x" },
    { posts: 1, lines: ["list.html: It is a template."], people: 1, program: 3, hidden: 1 },
  ],
  [
    ".obsidian/app.json",
    { "a.md": "x", "b.md": "[[a]]" },
    { "board.canvas": "x", "unused.png": "x", ".trash/old.md": "x" },
    { posts: 2, lines: [], people: 1, program: 1, hidden: 1 },
  ],
])("every file of a folder with %s is a text, is used, or is counted", async (marker, texts, others, counts) => {
  const files = { [marker]: "", ...texts, ...others };
  const { posts, files: used, notes } = await read(files);
  const { people, program, hidden, lines } = counts;
  expect(Object.keys(used)).toEqual([]);
  expect(Object.keys(posts)).toHaveLength(counts.posts);
  expect(notes).toEqual([
    ...lines,
    `other files: ${people} pictures and files are not taken: no text uses them.`,
    expect.stringMatching(
      new RegExp(`^files of the program: ${program} are not taken, such as .+: layouts, settings and scripts`),
    ),
    `hidden files: ${hidden} are not taken.`,
  ]);
  expect(counts.posts + lines.length + people + program + hidden).toBe(Object.keys(files).length - 1);
});

test("Obsidian: links and pictures in tables and around code are kept, and the rows of tables stay rows", async () => {
  const body = [
    "| a | b |\n| --- | --- |\n| [[Second\\|the other]] | ![[pic.png\\|100]] |\n| [[Second]] | ![[pic.png\\|A pier\\|100x50]] |",
    "name | link\n:-- | --:\none | [[Second#Part One\\|there]]\ntwo | `a \\| b`\n\nlines\nstay",
    "> a | b\n> -- | --\n> [[Second\\|x]] | y",
    "[[Second|the `code` there]] [[Second#A `b`|c]] `[[Second]]` ![far|100](https://a.example/x.png) ![a\\|20x30](pic.png)",
  ].join("\n\n");
  const files = { ".obsidian/app.json": "{}", "First.md": body, "Second.md": "x", "files/pic.png": "x" };
  const { posts, notes } = await read(files);
  expect(posts["First"]?.content.split("\n")).toEqual([
    "| a | b |",
    "| --- | --- |",
    "| [the other](/blog/second) | ![](import:files%2Fpic.png) |",
    "| [Second](/blog/second) | ![A pier](import:files%2Fpic.png) |",
    "",
    "name | link",
    ":-- | --:",
    "one | [there](/blog/second#post-part-one)",
    "two | `a \\| b`",
    "",
    "lines\\",
    "stay",
    "",
    "> a | b",
    "> -- | --",
    "> [x](/blog/second) | y",
    "",
    "[the `code` there](/blog/second) [c](/blog/second#post-a-b) `[[Second]]` ![far](https://a.example/x.png) ![a](import:files%2Fpic.png)",
  ]);
  expect(notes).toEqual([]);
});
