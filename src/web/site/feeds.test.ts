// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { sql } from "../../platform/database/sql.ts";
import { isoTime, uncached } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { runBeside, startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useOpened } from "../../../tests/kit/use-opened.ts";
import { openWebSite } from "../../../tests/kit/web-site.ts";
import { type Element, elementsOf, parseXML, textOf } from "../../../tests/kit/files/xml.ts";
import { testLong } from "../../../tests/kit/long.ts";

const site = useOpened(openWebSite);

describe("feeds", () => {
  test("each is valid Atom: ids, dates, links to itself and to its page", async () => {
    for (const path of site.feeds) {
      const { status, body, headers } = await site.get(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
      const feed = parseXML(body);
      expect(feed.name).toBe("feed");
      expect(feed.attributes.xmlns).toBe("http://www.w3.org/2005/Atom");
      expect(textOf(feed, "id")).toBe(site.server.url + path);
      expect(textOf(feed, "updated")).toMatch(isoTime);
      expect(linkOf(feed, "self")).toBe(site.server.url + path);
      const page = await site.get(new URL(linkOf(feed, "alternate") ?? "").pathname);
      expect([200, 404]).toContain(page.status);
      const entries = elementsOf(feed, "entry");
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries) {
        expect(textOf(entry, "id")).toMatch(/^tag:127\.0\.0\.1,\d{4}-\d\d-\d\d:(post|photo)\/\d+$/);
        expect(textOf(entry, "published")).toMatch(isoTime);
        expect((textOf(entry, "updated") ?? "") >= (textOf(entry, "published") ?? "~")).toBe(true);
        expect(elementsOf(entry, "name").map(({ text }) => text)).toEqual(["owner"]);
      }
    }
  });

  test("the site's feed has posts and photos, the others what they are named after", async () => {
    const titles = async (path: string) =>
      elementsOf(parseXML((await site.get(path)).body), "entry").map((entry) => textOf(entry, "title"));
    const [all, posts, photos, album] = await Promise.all(site.feeds.map(titles));
    expect(all).toEqual([site.shown.post.title, site.shown.photo.title]);
    expect(posts).toEqual([site.shown.post.title]);
    expect(photos).toEqual([site.shown.photo.title]);
    expect(album).toEqual([site.shown.photo.title]);
  });

  test("an entry has the whole text with absolute URLs, and what guests see of embedded records", async () => {
    const [entry] = elementsOf(parseXML((await site.get("/blog/feed.xml")).body), "entry") as [Element];
    const content = textOf(entry, "content") ?? "";
    expect(content).toContain("<strong>words</strong>");
    expect(content).toContain(`href="${site.server.url}/photos"`);
    expect(content).toContain(`href="${site.server.url}/blog/${site.shown.post.slug}#post-there"`);
    expect(content).toContain(`${site.server.url}/api/v1/photos/${site.shown.photo.id}/image?w=`);
    expect(content).not.toMatch(/(src|href|srcset)="\//);
    for (const [, set = ""] of content.matchAll(/srcset="([^"]*)"/g)) {
      for (const candidate of set.split(", ")) expect(candidate).toStartWith(`${site.server.url}/api/`);
    }
    expect(content.match(/<img/g)).toHaveLength(1);
    expect(content).toContain("\u{1F600}");
  });

  test("a picture has its size, and its URL works", async () => {
    const [entry] = elementsOf(parseXML((await site.get("/photos/feed.xml")).body), "entry") as [Element];
    const [media] = elementsOf(entry, "media:content") as [Element];
    expect(media.attributes).toMatchObject({ medium: "image", width: "1280", height: "720" });
    expect(linkOf(entry, "enclosure")).toBe(media.attributes.url as string);
    const picture = await site.get((media.attributes.url as string).slice(site.server.url.length));
    expect(picture.status).toBe(200);
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
  });

  test("the JSON feed has the same entries", async () => {
    const { body, headers } = await site.get("/feed.json");
    expect(headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    const feed = JSON.parse(body);
    expect(feed).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      home_page_url: `${site.server.url}/`,
      feed_url: `${site.server.url}/feed.json`,
    });
    const atom = elementsOf(parseXML((await site.get("/feed.xml")).body), "entry");
    expect(feed.items.map(({ id }: { id: string }) => id)).toEqual(atom.map((entry) => textOf(entry, "id")));
    for (const item of feed.items) {
      expect(item.content_html).toBeString();
      expect(item.date_published).toMatch(isoTime);
      expect(item.authors).toEqual([{ name: "owner", url: `${site.server.url}/people/owner` }]);
    }
    expect(feed.items[1].attachments[0].mime_type).toBe("image/jpeg");
  });

  test("the JSON feed has the fields of its specification, and no others", async () => {
    expect(jsonFeedSchema.safeParse(JSON.parse((await site.get("/feed.json")).body)).error).toBeUndefined();
  });

  test("the id of a post stays when its address changes", async () => {
    const { owner } = site.people;
    const { body: post } = await owner.post("/api/v1/blog", { title: "Moving", content: "x", tags: [] });
    const idOf = async () =>
      textOf(elementsOf(parseXML((await site.get("/blog/feed.xml")).body), "entry")[0] as Element, "id");
    const before = await idOf();
    await owner.put(`/api/v1/blog/${post.id}`, { slug: "moved" });
    expect(await idOf()).toBe(before);
    await owner.delete(`/api/v1/blog/${post.id}`);
  });

  test("a wrong slug in the address of an album redirects; a private album has no feed", async () => {
    const response = await fetch(`${site.server.url}/albums/${site.shown.album.id}-wrong/feed.xml`, {
      redirect: "manual",
    });
    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toBe(`/albums/${site.shown.album.id}-lisbon-2026/feed.xml`);
    const { body: albums } = await site.people.owner.get("/api/v1/albums?owner=me&cursor=");
    const hidden = albums.find(({ name }: { name: string }) => name === "tamarind");
    for (const caller of [site.people.guest, site.people.owner, site.people.admin]) {
      expect((await site.get(`/albums/${hidden.id}-tamarind/feed.xml`, caller)).status).toBe(404);
    }
    expect((await site.get("/albums/x/feed.xml")).status).toBe(404);
  });

  test("a feed is not sent again while nothing has changed, and right at once after a write", async () => {
    const read = async (etag = "") => {
      const response = await fetch(`${site.server.url}/feed.xml`, { headers: etag ? { "If-None-Match": etag } : {} });
      return { status: response.status, etag: response.headers.get("etag") ?? "", body: await response.text() };
    };
    for (let round = 0; round < 3; round++) await read();
    const { etag } = await read();
    expect((await read(etag)).status).toBe(304);
    const { body: post } = await site.people.owner.post("/api/v1/blog", { title: "Breaking", content: "x" });
    expect((await read(etag)).body).toContain("Breaking");
    await site.people.owner.delete(`/api/v1/blog/${post.id}`);
    expect((await read()).body).not.toContain("Breaking");
  });

  test("a feed has at most 30 entries, and long ones have their excerpt and a link", async () => {
    const { stranger } = site.people;
    const write = async (title: string, content: string) =>
      (await stranger.post("/api/v1/blog", { title, content })).body as { id: number; slug: string };
    const readEntries = async () => elementsOf(parseXML((await site.get("/blog/feed.xml")).body), "entry");
    const short = await Promise.all(Array.from({ length: 32 }, (_, n) => write(`Short ${n}`, "[a link](there)")));
    expect(await readEntries()).toHaveLength(30);
    const long = await Promise.all(Array.from({ length: 10 }, () => write("Long", "word ".repeat(19_000))));
    const longer = await write("Longer", "word ".repeat(21_000));
    const entries = await readEntries();
    expect(entries).toHaveLength(30);
    const texts = entries.map((entry) => textOf(entry, "content") ?? "");
    const url = `${site.server.url}/blog/${longer.slug}`;
    expect(texts[0]).toMatch(
      new RegExp(`^<p>word [^<]{200,300}…</p>\\s*<p><a href="${url}">Read the whole post</a></p>$`),
    );
    // Of the long ones, as many as one feed may have; then short ones again.
    expect(texts.filter((text) => text.length > 90_000)).toHaveLength(5);
    expect(texts.join("").length).toBeLessThan(2 ** 19 + 30 * 1000);
    expect(texts.at(-1)).toBe(`<p><a href="${site.server.url}/blog/there">a link</a></p>\n`);
    await Promise.all([...short, ...long, longer].map(({ id }) => stranger.delete(`/api/v1/blog/${id}`)));
  });
});

const jsonAuthors = z
  .array(z.strictObject({ name: z.string().min(1), url: z.url().optional(), avatar: z.url().optional() }))
  .min(1);

/** JSON Feed 1.1. It allows more, which we do not use. */
const jsonFeedSchema = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: z.url(),
  feed_url: z.url(),
  description: z.string().min(1).optional(),
  icon: z.url().optional(),
  favicon: z.url().optional(),
  language: z.string().regex(/^[a-zA-Z]{2,8}(-\w{1,8})*$/),
  authors: jsonAuthors,
  items: z.array(
    z.strictObject({
      id: z.string().min(1),
      url: z.url(),
      title: z.string().min(1),
      content_html: z.string(),
      summary: z.string().min(1).optional(),
      image: z.url().optional(),
      date_published: z.iso.datetime({ offset: true }),
      date_modified: z.iso.datetime({ offset: true }),
      authors: jsonAuthors.optional(),
      tags: z.array(z.string().min(1)),
      attachments: z
        .array(
          z.strictObject({
            url: z.url(),
            mime_type: z.string().regex(/^\w+\/[\w.+-]+$/),
            title: z.string().min(1).optional(),
            size_in_bytes: z.int().positive().optional(),
            duration_in_seconds: z.number().positive().optional(),
          }),
        )
        .min(1)
        .optional(),
    }),
  ),
});

const linkOf = (element: Element, rel: string) =>
  element.children.find(({ name, attributes }) => name === "link" && attributes.rel === rel)?.attributes.href;

describe("the sitemap", () => {
  test("lists sections, posts, photos, albums and people with their pictures, and nothing twice", async () => {
    const { body, headers } = await site.get("/sitemap.xml");
    expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const map = parseXML(body);
    expect(map.name).toBe("urlset");
    expect(map.attributes.xmlns).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
    const places = map.children.map((url) => textOf(url, "loc")?.slice(site.server.url.length));
    expect(new Set(places).size).toBe(places.length);
    expect(places).toEqual([
      "/",
      "/blog",
      "/photos",
      "/albums",
      "/browse",
      `/blog/${site.shown.post.slug}`,
      `/photos/${site.shown.photo.id}`,
      `/albums/${site.shown.album.id}-lisbon-2026`,
      "/people/owner",
    ]);
    for (const url of map.children) {
      expect(
        url.children.map(({ name }) => name).filter((name) => !["loc", "lastmod", "image:image"].includes(name)),
      ).toEqual([]);
      const lastmod = textOf(url, "lastmod");
      if (lastmod !== undefined) expect(lastmod).toMatch(isoTime);
    }
    const photo = map.children[6] as Element;
    expect(elementsOf(photo, "image:loc").map(({ text }) => text)).toEqual([site.server.url + site.imagePath]);
  });

  test("a part that does not exist is not found", async () => {
    expect((await site.get("/sitemap-1.xml")).status).toBe(200);
    for (const name of ["sitemap-0", "sitemap-6", "sitemap-99999999999", "sitemap-x"]) {
      expect((await site.get(`/${name}.xml`)).status).toBe(404);
    }
  });

  test("the parts have together what the whole has", async () => {
    const whole = parseXML((await site.get("/sitemap.xml")).body).children.map((url) => textOf(url, "loc"));
    const parts = await Promise.all([1, 2, 3, 4].map((n) => site.get(`/sitemap-${n}.xml`)));
    const places = parts.flatMap(({ body }) => parseXML(body).children.map((url) => textOf(url, "loc")));
    expect(places).toEqual(whole);
  });
});

testLong("a site with more than 50,000 pages has an index of sitemaps, each within the limits", async () => {
  await using server = await startServer();
  const author = await person(server, "author");
  const [albums, time] = [50_001, Date.now()];
  await withDatabase(server, (db) =>
    db.transaction(async (tx) => {
      await tx.run(sql`
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${albums})
        INSERT INTO albums (owner_id, name, description, is_private, created_at, updated_at)
        SELECT ${author.userID}, 'Album', '', 0, CAST(${time} AS BIGINT), CAST(${time} AS BIGINT) FROM numbers`);
      await tx.run(sql`ANALYZE albums`);
    }),
  );
  expect((await runBeside(server, ["rebuild", "counts"])).code).toBe(0);
  // As if each had a photo: empty albums are not listed.
  await withDatabase(server, (db) =>
    db.transaction((tx) =>
      tx.run(sql`INSERT INTO album_counts (album_id, seen_by, photos) SELECT id, 0, 1 FROM albums`),
    ),
  );
  const get = async (path: string) => parseXML(await (await fetch(server.url + path, { headers: uncached })).text());
  const index = await get("/sitemap.xml");
  expect(index.name).toBe("sitemapindex");
  const parts = index.children.map((part) => textOf(part, "loc")?.slice(server.url.length));
  // There are no photos: a sitemap must not be empty.
  expect(parts).toEqual([1, 3, 4, 5].map((n) => `/sitemap-${n}.xml`));
  const counts = [];
  for (const part of parts) counts.push((await get(part ?? "")).children.length);
  expect(counts).toEqual([4, 40_000, 10_001, 1]);
});
