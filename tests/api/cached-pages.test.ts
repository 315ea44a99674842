// Runs on other engines only with TEST_LONG: what a page in memory depends on does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { startServer } from "../kit/server.ts";
import { metricsToken } from "../kit/database-cost.ts";
import { isLong, testLong } from "../kit/long.ts";
import { api, made } from "../kit/permissions/records.ts";
import { numbersFrom } from "../kit/random-writes.ts";
import { useServer } from "../kit/use-server.ts";

let pages: string[];

const server = useServer({ TRUST_PROXY: "loopback", METRICS_TOKEN: metricsToken });
const chief = server.person("root", "admin");
beforeAll(async () => {
  const file = (await chief.upload("a.png", png(900, 600))).body;
  const photo = await made(chief, "/photos", { title: "Photo", fileID: file.id, tags: ["sea"] });
  const album = await made(chief, "/albums", { name: "Album" });
  await chief.post(`${api}/albums/${album.id}/photos/${photo.id}`);
  const content = `# One\n\n# Two\n\n# Three\n\n[a](b) ![x](http://127.0.0.1/x.png)\n\n![[photo:${photo.id}]]`;
  const posts = Array.from({ length: 14 }, (_, index) =>
    made(chief, "/blog", { title: `Post ${index}`, content, tags: ["sea"], coverID: photo.id }),
  );
  const [post] = await Promise.all(posts);
  const older = /\?cursor=[^"]+/.exec((await client(server).get("/blog")).body)?.[0];
  pages = [
    "/",
    "/blog",
    `/blog${older}`,
    "/photos",
    "/albums",
    "/browse",
    "/search?q=post",
    "/signin",
    "/signup",
    `/blog/${post.slug}`,
    `/photos/${photo.id}`,
    `/albums/${album.id}-album`,
    "/tags/sea",
    "/people/root",
    `/photos/${photo.id}?album=${album.id}`,
    "/signin?next=%2Fblog",
    "/browse/a.png",
    "/feed.xml",
    "/feed.json",
    "/blog/feed.xml",
    "/photos/feed.xml",
    `/albums/${album.id}-album/feed.xml`,
    "/sitemap.xml",
    "/robots.txt",
    "/site.webmanifest",
    "/llms.txt",
    "/custom.css",
    "/docs",
    "/openapi.json",
    `/oembed?url=${encodeURIComponent(`http://site.example/blog/${post.slug}`)}`,
    `${api}/blog/${post.id}`,
    `${api}/blog?pageSize=3`,
  ];
});

type Sent = { path: string; headers: Record<string, string> };
const read = async ({ path, headers }: Sent) => {
  const accept = { Accept: path.startsWith("/api/") ? "*/*" : "text/html" };
  const response = await fetch(server.url + path, { headers: { ...accept, ...headers }, redirect: "manual" });
  const { status } = response;
  const kept = ["content-type", "content-security-policy", "link", "location", "etag", "vary", "x-robots-tag"];
  return { status, headers: kept.map((name) => response.headers.get(name)), body: await response.text() };
};

/** A write to the table of settings, from which every page is read: none is in memory afterwards. */
const empty = () => chief.put(`${api}/settings`, { tagline: "A line" });

const plain = (path: string): Sent => ({ path, headers: { Host: "site.example" } });
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

describe("a page in memory", () => {
  test("has nothing of the query string with which somebody else asked for it", async () => {
    for (let time = 0; time < 3; time++) await read(plain("/blog?leak=alice@example.org"));
    const { body } = await read(plain("/blog"));
    expect(body).toContain("/signin?next=%2Fblog");
    expect(body).not.toContain("alice");
  });

  test("has the scheme with which its visitor reached the site", async () => {
    const canonical = async (scheme: string) => {
      const { body } = await read({ path: "/photos", headers: { Host: "a.example", "X-Forwarded-Proto": scheme } });
      return /rel="canonical" href="([^"]*)"/.exec(body)?.[1];
    };
    for (let time = 0; time < 4; time++) {
      expect([await canonical("http"), await canonical("https")]).toEqual([
        "http://a.example/photos",
        "https://a.example/photos",
      ]);
    }
  });

  testLong("has no text of a request that does not belong to its key, whatever the request has", async () => {
    const random = numbersFrom(7);
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
    const mark = "zq9marker";
    const queries = [
      `leak=${mark}`,
      `utm_source=${mark}`,
      `%22%3E%3Cscript%3E${mark}=1`,
      mark,
      `__proto__=${mark}`,
      `a[]=${mark}&a[]=2`,
      `q%00=${mark}`,
      `%ff=${mark}`,
      `constructor=${mark}&x=%F0%9F%92%A9`,
    ];
    const headers = [
      "Cookie",
      "User-Agent",
      "Referer",
      "X-Forwarded-For",
      "X-Real-IP",
      "X-Request-Id",
      "Forwarded",
      "Origin",
      "X-Forwarded-Host",
      "X-Original-URL",
      "X-Forwarded-Prefix",
      "Accept-Charset",
      "Sec-Fetch-Site",
      "Via",
    ];
    for (const path of pages) {
      await empty();
      const clean = await read(plain(path));
      expect([path, clean.status]).toEqual([path, 200]);
      for (let round = 0; round < (isLong ? 20 : 3); round++) {
        await empty();
        const others = Object.fromEntries(
          headers.filter(() => random(2) === 0).map((name) => [name, `${mark}${round}`]),
        );
        const hostile = { path: withQuery(path, pick(queries)), headers: { Host: "site.example", ...others } };
        const seen = await read(hostile);
        expect({ path, ...seen }).toEqual({ path, ...clean });
        expect({ path, ...(await read(plain(path))) }).toEqual({ path, ...clean });
      }
    }
  });

  testLong("differs for each language, scheme and host as the same page that was never in memory", async () => {
    const variants = ["en", "de", "fr, de;q=0.5", ""].flatMap((language) =>
      ["http", "https"].flatMap((scheme) =>
        ["site.example", "SITE.example:8080", "127.0.0.1:1", "[::1]:8080"].map((host) => ({
          ...(language && { "Accept-Language": language }),
          "X-Forwarded-Proto": scheme,
          Host: host,
        })),
      ),
    );
    for (const path of ["/", "/blog", "/feed.xml", "/sitemap.xml", "/robots.txt"]) {
      await empty();
      const kept = new Map<object, unknown>();
      for (let time = 0; time < 3; time++)
        for (const headers of variants) kept.set(headers, await read({ path, headers }));
      for (const headers of variants) {
        // With such a header, the response does not come from memory.
        const fresh = await read({ path, headers: { ...headers, Authorization: "none" } });
        expect({ path, sent: headers, ...(kept.get(headers) as object) }).toEqual({ path, sent: headers, ...fresh });
      }
    }
  });
});

describe("Host headers", () => {
  const hits = async () => {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
    return Number(/^vitrine_response_cache_hits_total (\d+)/m.exec(text)?.[1]);
  };

  test.if(!isScaled)("of any number do not take the place of the usual one in memory", async () => {
    const countHits = async () => {
      for (let time = 0; time < 3; time++) await read(plain("/blog"));
      for (let number = 0; number < 300; number++) {
        const { body } = await read({ path: "/blog", headers: { Host: `h${number}.example` } });
        expect(body).toContain(`href="http://h${number}.example/blog"`);
        if (number % 5 === 0) await read(plain("/blog"));
      }
      const before = await hits();
      for (let time = 0; time < 10; time++) await read(plain("/blog"));
      return (await hits()) - before;
    };
    // A job of the server may write meanwhile, but not each time.
    let found = await countHits();
    for (let time = 0; time < 2 && found < 10; time++) found = await countHits();
    expect(found).toBe(10);
  });

  test.each(["999.999.999.999", "[::::1]", "a..b", ".a", "a:99999", "a b", "a/b", `${"a.".repeat(200)}b`, "[1.2.3.4]"])(
    "%j is refused",
    async (host) => {
      for (const path of ["/feed.xml", "/blog", `${api}/photos`]) {
        const { status } = await read({ path, headers: { Host: host } });
        expect([host, path, status]).toEqual([host, path, 400]);
      }
      expect(server.logged()).not.toContain("unexpected failure");
    },
  );

  test("do not matter if the server knows its own URL", async () => {
    await using own = await startServer({ BASE_URL: "https://own.example", METRICS_TOKEN: metricsToken });
    for (let number = 0; number < 5; number++) {
      const response = await fetch(`${own.url}/blog`, { headers: { Host: `h${number}.example` } });
      const body = await response.text();
      expect(body).toContain('rel="canonical" href="https://own.example/blog"');
      expect(body).not.toContain(`h${number}.example`);
    }
    const text = await (
      await fetch(`${own.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
    ).text();
    if (!isScaled) expect(text).toContain("vitrine_response_cache_hits_total 4");
  });
});

describe("the limit of pages", () => {
  const strict = { PAGE_RATE_LIMIT_BURST: "10", PAGE_RATE_LIMIT_PER_SECOND: "0.001" };

  test("counts pages that are not in memory: the next one is a page with the status 429 and Retry-After", async () => {
    await using limited = await startServer(strict);
    const guest = client(limited, null, 0, { Accept: "text/html" });
    const statuses: number[] = [];
    for (let number = 0; number < 12; number++) statuses.push((await guest.get(`/blog?cursor=${number}`)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const refused = await guest.get("/photos");
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, '"pages";q=10;w=10000']);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.body).toContain("Too many requests");
    // The API, assets and health checks have other limits, or none.
    const [, asset] = /href="(\/assets\/[^"]+)"/.exec(refused.body) ?? [];
    for (const path of [`${api}/photos`, "/livez", asset ?? ""]) expect((await guest.get(path)).status).toBe(200);
    for (const path of ["/feed.xml", "/sitemap.xml", "/no-such-page", "/studio/"])
      expect([path, (await guest.get(path)).status]).toEqual([path, 429]);
  });

  test.if(!isScaled)("does not count pages from memory", async () => {
    await using limited = await startServer(strict);
    const guest = client(limited, null, 0, { Accept: "text/html" });
    for (let number = 0; number < 50; number++) expect((await guest.get("/blog")).status).toBe(200);
  });
});
