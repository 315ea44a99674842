// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { runBeside, startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { listPostsEmbedding } from "../../content/blog/embedded-in.ts";
import { sql } from "../../platform/database/sql.ts";
import { readingTime } from "../../platform/markdown/reading-time.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

let photo: any;
const blog = "/api/v1/blog";

const server = useServer();
const people = server.people();
beforeAll(async () => {
  const { body: file } = await people.owner.upload("a.png", png(1300, 800));
  photo = (await people.owner.post("/api/v1/photos", { title: "Harbour", altText: "A ferry", fileID: file.id })).body;
});

const write = async (title: string, content: string, more = {}) =>
  (await people.owner.post(blog, { title, content, ...more })).body;
const open = (who: Client, path: string) => who.get<string>(path, { Accept: "text/html", "Accept-Language": "en" });

describe("the list of posts", () => {
  test("says that there are none", async () => {
    await using empty = await startServer();
    const response = await fetch(`${empty.url}/blog`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("No posts have been published yet.");
  });

  test("has cards with cover, title, excerpt, date, author, tags and reading time, and leads to older and newer posts", async () => {
    const { guest, owner } = people;
    for (let day = 1; day <= 27; day++) {
      const publishedAt = `2020-01-${String(day).padStart(2, "0")}T10:00:00Z`;
      const more = day === 27 ? { coverID: photo.id, tags: ["Sea & sky"] } : {};
      await write(`Entry ${day} <b>`, `Words of day ${day}.`, { publishedAt, ...more });
    }
    const first = (await open(guest, "/blog")).body;
    expect(titlesIn(first)).toEqual(Array.from({ length: 12 }, (_, index) => `Entry ${27 - index}`));
    for (const part of [
      "Entry 27 &lt;b&gt;",
      "Words of day 27.",
      "January 27, 2020",
      `datetime="2020-01-27T10:00:00.000Z"`,
    ])
      expect(first).toContain(part);
    for (const part of ["1 min read", `href="/people/owner"`, `href="/tags/Sea%20%26%20sky"`, 'fetchpriority="high"'])
      expect(first).toContain(part);
    expect(first).toMatch(/<link rel="canonical" href="[^"]*\/blog"/);
    expect(linkTo("prev", first)).toBeNull();

    const second = (await open(guest, `/blog${linkTo("next", first)}`)).body;
    expect(titlesIn(second)).toEqual(Array.from({ length: 12 }, (_, index) => `Entry ${15 - index}`));
    const third = (await open(guest, `/blog${linkTo("next", second)}`)).body;
    expect(titlesIn(third)).toEqual(["Entry 3", "Entry 2", "Entry 1"]);
    expect(linkTo("next", third)).toBeNull();

    const back = (await open(guest, `/blog${linkTo("prev", third)}`)).body;
    expect(titlesIn(back)).toEqual(titlesIn(second));
    expect(titlesIn((await open(guest, `/blog${linkTo("prev", back)}`)).body)).toEqual(titlesIn(first));
    expect((await open(guest, "/blog?cursor=x")).status).toBe(400);
    expect((await guest.get("/blog", { "Accept-Language": "de" })).body).toContain("27. Januar 2020");
    expect((await open(owner, "/blog")).headers.get("cache-control")).toBe("private, no-store");
  });

  test("has no draft, scheduled or private post, not even for its owner", async () => {
    for (const more of [{ publishedAt: null }, { publishedAt: "2099-01-01T00:00:00Z" }, { visibility: "private" }])
      await write("Concealed", "Concealed", more);
    for (const who of Object.values(people)) expect((await open(who, "/blog")).body).not.toContain("Concealed");
  });

  const titlesIn = (html: string) => [...html.matchAll(/>(Entry \d+)[^<]*<\/a><\/h2>/g)].map((match) => match[1]);
  const linkTo = (rel: string, html: string) =>
    new RegExp(`<a class="button quiet" rel="${rel}" href="([^"]*)"`).exec(html)?.[1] ?? null;
});

describe("the page of a post", () => {
  test("shows the rendered text with a table of contents, anchors and all that Markdown has", async () => {
    const { guest } = people;
    const content = `# One & <i>only</i>\n\nText[^1] **bold**\n\n## Two\n\n- [x] done\n\n## Three\n\n|a|b|\n|-|-:|\n|1|2|\n
\`\`\`js\nconst a = "<b>";\n\`\`\`\n\n![[photo:${photo.id}]]\n\n[^1]: A note.`;
    const { slug } = await write("Everything", content, { coverID: photo.id, tags: ["Travel"] });
    const { status, body, headers } = await open(guest, `/blog/${slug}`);
    expect(status).toBe(200);
    expect(headers.get("x-robots-tag")).toBeNull();
    expect(body).toContain(`<link rel="canonical" href="${server.url}/blog/${slug}"`);
    expect(body.match(/<h1/g)).toHaveLength(1);
    expect(body).toContain(`<h2 id="post-one-only">One &amp; <i>only</i><a class="anchor" href="#post-one-only"`);
    expect(body).toContain(`<h3 id="post-two">Two<a class="anchor"`);
    const contents = /<nav class="toc column".*?<\/nav>/s.exec(body)?.[0] ?? "";
    expect(contents.match(/<li/g)).toHaveLength(3);
    expect(contents).toContain(`<a href="#post-one-only" dir="auto">One &amp; only</a>`);
    for (const part of [
      `<span class="hljs-keyword">const</span>`,
      `<pre tabindex="0"><code class="language-js">`,
      `<td class="align-right">2</td>`,
      `<input type="checkbox" disabled checked aria-label="Done">`,
      `class="footnotes"`,
      `<figure><a href="/photos/${photo.id}"><img`,
      `href="/tags/Travel"`,
      `rel="author" href="/people/owner"`,
      `1 min read`,
      `<div class="column prose e-content" dir="auto" lang="en">`,
    ])
      expect(body).toContain(part);
    const cover = /<figure class="wide post-cover">(.*?)<\/figure>/s.exec(body)?.[1] ?? "";
    expect(cover).toMatch(/width="1300" height="800" alt="A ferry" fetchpriority="high"/);
    expect(body.match(/fetchpriority="high"/g)).toHaveLength(1);
    expect((await guest.get(`/blog/${slug}`, { "Accept-Language": "de" })).body).toContain("Inhalt");
    expect(body).not.toMatch(/ style="| on[a-z]+="|<script(?! type="(module|application\/ld\+json)")/);
  });

  test("has no table of contents with two headings, and is read again after a change", async () => {
    const { guest, owner } = people;
    const post = await write("Short", "## One\n\n## Two");
    const path = `/blog/${post.slug}`;
    for (let times = 0; times < 3; times++) expect((await open(guest, path)).body).not.toContain(`class="toc column"`);
    await owner.put(`${blog}/${post.id}`, { content: "## One\n\n## Two\n\n## Three" });
    expect((await open(guest, path)).body).toContain(`class="toc column"`);
  });

  test("leads to the posts before and after it, and not to hidden ones", async () => {
    const publishedAt = (hour: number) => `2015-05-05T0${hour}:00:00Z`;
    const [before, middle, after] = [
      await write("Before it", "a", { publishedAt: publishedAt(1) }),
      await write("In between", "b", { publishedAt: publishedAt(3) }),
      await write("After it", "c", { publishedAt: publishedAt(5) }),
    ];
    for (const hour of [2, 4])
      await write("Concealed neighbour", "x", { publishedAt: publishedAt(hour), visibility: "private" });
    const { body } = await open(people.owner, `/blog/${middle.slug}`);
    expect(body).toMatch(
      new RegExp(`rel="prev" href="/blog/${before.slug}".*rel="next" href="/blog/${after.slug}"`, "s"),
    );
    expect(body).not.toContain("Concealed neighbour");
  });

  test("moves with its slug, and leads there from the earlier one", async () => {
    const { guest, owner } = people;
    const post = await write("Old address", "x");
    await owner.put(`${blog}/${post.id}`, { slug: "日本語" });
    const moved = await fetch(`${server.url}/blog/${post.slug}?comments=3`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([
      308,
      "/blog/%E6%97%A5%E6%9C%AC%E8%AA%9E?comments=3",
    ]);
    expect((await open(guest, "/blog/日本語")).body).toContain(`${server.url}/blog/%E6%97%A5%E6%9C%AC%E8%AA%9E"`);
    for (const path of ["/blog/no-such-post", "/blog/%FF", "/blog/x%00y", "/blog/~1"])
      expect((await open(guest, path)).status).toBe(404);
  });

  test("of a draft, scheduled or private post exists for its owner and admins alone, marked and not indexed", async () => {
    const { guest, owner, stranger, admin } = people;
    const rows = [
      ["Draft", { publishedAt: null }],
      ["Scheduled", { publishedAt: "2099-01-01T12:00:00Z" }],
      ["Private", { visibility: "private" }],
    ] as const;
    for (const [mark, more] of rows) {
      const post = await write(`Secret ${mark}`, "Hush", more);
      for (const who of [owner, admin]) {
        const { status, body, headers } = await open(who, `/blog/${post.slug}`);
        expect(status).toBe(200);
        expect(body).toContain(`<span class="chip">${mark}</span>`);
        expect(body).not.toMatch(/rel="canonical"|og:title|ld\+json/);
        expect([headers.get("cache-control"), headers.get("x-robots-tag")]).toEqual(["private, no-store", "noindex"]);
      }
      for (const who of [guest, stranger]) {
        const { status, body } = await open(who, `/blog/${post.slug}`);
        expect(status).toBe(404);
        expect(body).not.toContain("Secret");
        expect(body).not.toContain("Hush");
      }
    }
  });
});

describe("a picture of another site in a post", () => {
  test("is a link to it, and only pictures of this site are loaded", async () => {
    const own = `${server.url}/api/v1/photos/${photo.id}/image?w=320`;
    const content = [
      "![A cat & a dog](https://pictures.example/cat.png?a=1&b=2)",
      "![](//pictures.example/dog.png)",
      "[![Linked](https://pictures.example/x.png)](/photos)",
      `![Own](${own})`,
      "![Relative](/api/v1/photos/1/image?w=320)",
    ].join("\n\n");
    const post = await write("Pictures from elsewhere", content);
    const { body } = await open(people.guest, `/blog/${post.slug}`);
    const prose = body.slice(body.indexOf("prose"));
    expect(prose).toContain(
      `<a href="https://pictures.example/cat.png?a=1&amp;b=2" rel="nofollow noopener">A cat &amp; a dog · Image on pictures.example</a>`,
    );
    expect(prose).toContain(
      `<a href="//pictures.example/dog.png" rel="nofollow noopener">Image on pictures.example</a>`,
    );
    expect(prose).toContain(`<a href="/photos">Linked · Image on pictures.example</a>`);
    const sources = Array.from(prose.matchAll(/<img [^>]*src="([^"]*)"/g), ([, source]) => source);
    expect(sources).toEqual([own, "/api/v1/photos/1/image?w=320"]);
  });
});

describe("the posts that embed a record", () => {
  const find = (viewer: Parameters<typeof listPostsEmbedding>[1], limit = 10) =>
    withDatabase(server, (db) => listPostsEmbedding(db, viewer, { kind: "photo", id: photo.id }, limit));
  const titles = async (...given: Parameters<typeof find>) => (await find(...given)).map(({ title }) => title);

  test("are known from the moment they are written, and only to those who may see them", async () => {
    const { owner, stranger } = people;
    const before = await titles(null);
    const post = await write("Shows it", `![[photo:${photo.id}]] ![[photo:${photo.id}]] ![[album:1]]`);
    const hidden = await write("Shows it secretly", `![[photo:${photo.id}]]`, { visibility: "private" });
    for (const viewer of [null, { id: stranger.userID, role: "author" as const }])
      expect(await titles(viewer)).toEqual(["Shows it", ...before]);
    expect(await titles({ id: owner.userID, role: "author" })).toEqual(["Shows it secretly", "Shows it", ...before]);
    expect(await find(null, 1)).toEqual([{ id: post.id, kind: "post", title: "Shows it", slug: "shows-it" }]);

    await owner.put(`${blog}/${post.id}`, { content: "Not any more" });
    await owner.delete(`${blog}/${hidden.id}`);
    expect(await titles({ id: owner.userID, role: "author" })).toEqual(before);
  });

  testLong("are found again by vitrine rebuild posts", async () => {
    const before = await titles(null);
    expect(before.length).toBeGreaterThan(0);
    await withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`DELETE FROM post_embeds`)));
    expect(await titles(null)).toEqual([]);
    expect((await runBeside(server, ["rebuild", "posts"])).code).toBe(0);
    const found = await until(
      () => titles(null),
      ({ length }) => length >= before.length,
    );
    expect(found).toEqual(before);
  });
});

describe("reading time", () => {
  test.each([
    ["", 1],
    ["word ".repeat(230 * 4), 4],
    ["漢字".repeat(500), 2],
    ["It's well-known. ".repeat(230), 2],
  ])("%#", (text, minutes) => expect(readingTime(text)).toBe(minutes));
});
