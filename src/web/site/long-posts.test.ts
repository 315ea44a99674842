// Runs only with TEST_LONG: it renders posts of a million characters.
// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { metricsToken } from "../../../tests/kit/database-cost.ts";
import { isScaled } from "../../../tests/kit/engine.ts";
import { person } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";

const blog = "/api/v1/blog";

const server = useServer({ METRICS_TOKEN: metricsToken });
const owner = server.person("owner");
const { guest } = server;

const write = async (title: string, content: string) =>
  (await owner.post(blog, { title, content })).body as { id: number; slug: string; html: string };
const count = (text: string, part: string) => text.split(part).length - 1;
const run = (statement: ReturnType<typeof sql>) =>
  withDatabase(server, (db) => db.transaction((tx) => tx.run(statement)));

async function hits(): Promise<number> {
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  return Number(/^vitrine_response_cache_hits_total (\d+)/m.exec(text)?.[1]);
}

describe("the page of a long post", () => {
  test("lists 200 headings in its contents, and 1,000 have a link to themselves", async () => {
    const post = await write("Headings", Array.from({ length: 5000 }, (_, n) => `## Part ${n}`).join("\n\n"));
    for (const [language, label] of [
      ["en", "Link to this section"],
      ["de", "Link zu diesem Abschnitt"],
    ] as const) {
      const { body } = await guest.get(`/blog/${post.slug}`, { "Accept-Language": language });
      expect(count(body, `<li class="level-2">`)).toBe(200);
      expect(count(body, `aria-label="${label}"`)).toBe(1000);
      expect(count(body, `<h2 id="post-`)).toBe(5000);
      expect(body).not.toContain("<!--");
    }
  });

  test("marks at most 1,000 tasks and pictures of other sites, and loads none of these", async () => {
    const tasks = await write("Tasks", "- [ ] a\n".repeat(3000));
    const { body } = await guest.get(`/blog/${tasks.slug}`);
    expect([count(body, `type="checkbox"`), count(body, `aria-label="Not done"`)]).toEqual([3000, 1000]);
    const pictures = await write("Pictures", "![x](http://other.example/y.png)\n\n".repeat(3000));
    const page = (await guest.get(`/blog/${pictures.slug}`)).body;
    expect(count(page, `<a href="http://other.example/y.png" rel="nofollow noopener">x · `)).toBe(3000);
    expect(page.slice(page.indexOf("prose"))).not.toContain("<img");
  });

  testLong.each([
    ["99,000 headings", "# a\n", 99_000],
    ["links", "[a](b)\n", 140_000],
    ["addresses", "www.a.b ", 120_000],
    ["quotes", `"&`, 500_000],
    ["paragraphs", "a\n\n", 330_000],
    ["footnotes", "[^a]", 240_000],
  ])("has a limited length: %s", async (name, unit, times) => {
    const post = await write(name, unit.repeat(times));
    expect(post.html.length).toBeGreaterThan(300_000);
    expect(post.html.length).toBeLessThan(2_000_000);
    const { status, body } = await guest.get(`/blog/${post.slug}`);
    expect(status).toBe(200);
    expect(Buffer.byteLength(body)).toBeLessThan(2 ** 21);
    const feeds = await Promise.all(["/feed.xml", "/feed.json", "/blog/feed.xml"].map((path) => guest.get(path)));
    for (const feed of feeds) {
      expect(Buffer.byteLength(JSON.stringify(feed.body))).toBeLessThan(100_000);
      expect(JSON.stringify(feed.body)).toContain(`/blog/${post.slug}`);
    }
  });

  test.if(isLong && !isScaled)("is served from memory, and does not take the place of others there", async () => {
    const [long, longest] = [await write("Long", "# a\n".repeat(60_000)), await write("Longest", "漢".repeat(900_000))];
    const read = async (path: string, times: number) => {
      const before = await hits();
      for (let time = 0; time < times; time++) expect((await guest.get(path)).status).toBe(200);
      return (await hits()) - before;
    };
    expect(await read("/albums", 3)).toBe(1);
    expect(await read(`/blog/${long.slug}`, 4)).toBe(2);
    // It would take more than an eighth of the cache.
    expect(await read(`/blog/${longest.slug}`, 20)).toBe(0);
    expect(await read("/albums", 1)).toBe(1);
    expect(await read(`/blog/${long.slug}`, 1)).toBe(1);
  });

  test.if(!isScaled)("counts as several requests if it is not in memory", async () => {
    await using limited = await startServer({ PAGE_RATE_LIMIT_BURST: "30", PAGE_RATE_LIMIT_PER_SECOND: "0.001" });
    const author = await person(limited, "author");
    const { body: post } = await author.post(blog, { title: "Longest", content: "漢".repeat(900_000) });
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) statuses.push((await author.get(`/blog/${post.slug}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe("what is shown of a post", () => {
  test("is stored when it is written, and shown from there", async () => {
    const post = await write("Stored", "Before.\n\n## One\n\n## Two\n\n## Three");
    await run(sql`UPDATE post_html SET page = '<p>stored page</p>', feed = '<p>stored feed</p>', minutes = 77,
      excerpt = 'stored excerpt' WHERE post_id = ${post.id}`);
    expect((await guest.get(`/blog/${post.slug}`)).body).toMatch(/77 min read.*#post-two.*<p>stored page<\/p>/s);
    expect((await guest.get("/blog")).body).toMatch(/stored excerpt.*77 min read/s);
    expect((await guest.get(`${blog}/${post.id}`)).body.excerpt).toBe("stored excerpt");
    expect((await guest.get(blog)).body[0].excerpt).toBe("stored excerpt");
    expect((await guest.get("/blog/feed.xml")).body).toContain("&lt;p&gt;stored feed&lt;/p&gt;");
    await owner.put(`${blog}/${post.id}`, { content: "After." });
    expect((await guest.get(`/blog/${post.slug}`)).body).toMatch(/1 min read.*<p>After\.<\/p>/s);
    expect((await guest.get("/blog")).body).toContain("After.");
  });

  test("is not stored again where it is the HTML itself", async () => {
    const post = await write("Plain", "Only *words*.");
    await run(sql`UPDATE post_html SET html = '<p>other words</p>' WHERE post_id = ${post.id}`);
    expect((await guest.get(`/blog/${post.slug}`)).body).toContain("<p>other words</p>");
    expect((await guest.get("/blog/feed.xml")).body).toContain("&lt;p&gt;other words&lt;/p&gt;");
    await owner.put(`${blog}/${post.id}`, { content: "[A link](/away)" });
    expect((await guest.get("/blog/feed.xml")).body).toContain(`&lt;a href=&quot;${server.url}/away&quot;`);
  });

  test("is shown of a post from an earlier version before it is rendered again, too", async () => {
    const [short, long] = [
      await write("Older", "*Before*\n\n- [x] done\n\n## One\n\n## Two\n\n## Three\n\n[near](there)"),
      await write("Older and long", `*Beginning* ${"word ".repeat(100_000)}*end*`),
    ];
    const ids = sql`(${short.id}, ${long.id})`;
    await run(sql`
      UPDATE post_html SET renderer = 3, page = 'outdated', feed = 'outdated', excerpt = 'outdated', minutes = 99
      WHERE post_id IN ${ids}`);
    const { body } = await guest.get(`/blog/${short.slug}`);
    expect(body).toMatch(/1 min read.*#post-two.*<em>Before<\/em>.*checked aria-label="Done".*class="anchor"/s);
    const page = (await guest.get(`/blog/${long.slug}`)).body;
    expect(page).toContain("<p>*Beginning* word");
    expect(page.length).toBeLessThan(120_000);
    const [feed, list] = [(await guest.get("/blog/feed.xml")).body, (await guest.get("/blog")).body];
    expect(feed).toContain(`href=&quot;${server.url}/blog/there&quot;`);
    expect(list).toMatch(/Beginning word.*Before/s);
    const api = JSON.stringify((await guest.get(blog)).body);
    for (const text of [body, page, feed, list, api]) expect(text).not.toContain("outdated");
  });

  test("a feed embeds at most 100 records; the next posts have their excerpt", async () => {
    const embeds = Array.from({ length: 60 }, (_, n) => `![[photo:${n + 1}]]`).join("\n\n");
    const posts = [await write("First", `one\n\n${embeds}`), await write("Second", `two\n\n${embeds}`)];
    const { body } = await guest.get("/blog/feed.xml");
    const entries = new Map(body.split("<entry>").map((text: string) => [/<title>(.*?)</.exec(text)?.[1], text]));
    expect(entries.get("Second")).not.toContain("Read the whole post");
    expect(entries.get("First")).toContain("Read the whole post");
    for (const { id } of posts) await owner.delete(`${blog}/${id}`);
  });
});
