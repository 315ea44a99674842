// Runs only with TEST_LONG: it copies and crawls a whole site.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectS3 } from "../../src/platform/blobs/s3-calls.ts";
import { listObjects } from "../../src/platform/blobs/s3-list.ts";
import { realS3 } from "../../src/platform/blobs/s3-servers.test.ts";
import { hashOfText } from "../../src/platform/hash.ts";
import { desktop, findBarriers, openTab, phone, sharedBrowser, testInBrowser, whenTrue } from "../kit/browser.ts";
import { crawl } from "../kit/crawler.ts";
import { isScaled, testScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { person } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { runBeside, startServer, type TestServer } from "../kit/server.ts";
import { api, made } from "../kit/permissions/records.ts";
import { freePort } from "../kit/process.ts";
import { serveCopy } from "../kit/servers/static-server.ts";
import { type Choice, createWorld, recordKinds, type World } from "../kit/visibility.ts";
import { isLong, testLong } from "../kit/long.ts";

let server: TestServer;
let world: World;
/** Words of records that no guest may see. */
let secrets: string[];
let copy: Awaited<ReturnType<typeof serveCopy>>;
const scratch = useScratch();
const folder = join(scratch, "site");

/** Some of each kind, public and private, and more photos than one page shows. */
const choices: Choice[] = [
  ...recordKinds.flatMap((kind) =>
    Array.from({ length: 4 }, (_, number): Choice => ({
      kind,
      isPrivate: number % 2 === 1,
      one: number >> 1,
      other: number,
    })),
  ),
  ...Array.from({ length: 50 }, (_, number): Choice => ({ kind: "photo", isPrivate: false, one: number, other: 0 })),
];

beforeAll(async () => {
  server = await startServer();
  world = await createWorld(server, client(server), choices);
  const { owner, root, guest, records } = world;
  await root.put(`${api}/settings`, { siteName: "Lighthouse", hearts: true, photoComments: true });
  const postID = records.find(({ kind, isPrivate }) => kind === "post" && !isPrivate)?.id ?? 0;
  for (let number = 0; number < 13; number++) {
    await made(owner, "/blog", { title: `Walk ${number}`, content: `Steps through the heather, part ${number}.` });
  }
  const moved = await made(owner, "/blog", { title: "Old name", content: "東京の夜景を見に行きました。 Größe." });
  await owner.put(`${api}/blog/${moved.id}`, { slug: "new-name" });
  await made(root, "/redirects", { from: "/2019/05/old photo.jpg", to: "/blog/new-name" });
  await made(root, "/blog", {
    title: "About us",
    content: "We like [the walk](blog/walk-1), and [the other](../blog/walk-2).",
    kind: "page",
  });
  const reader = await person(server, "visitor");
  await made(reader, "/comments", { content: "What a fine lantern.", blogPostID: postID });
  await guest.request("PUT", `${api}/blog/${postID}/heart`);
  const place = { latitude: 38.7, longitude: -9.1, name: "Lisboa" };
  const { body: page } = await owner.upload("page.html", "<script>alert(1)</script>");
  const { body: file } = await owner.upload("quay.png", png(40, 30));
  await made(owner, "/photos", { title: "Quay", fileID: file.id, place, showLocation: true, tags: ["Straße & Meer"] });
  expect(page.id).toBeGreaterThan(0);
  const hidden = records.filter(({ isPrivate, path }) => isPrivate || path.split("/").some(isSecret));
  secrets = hidden.map(({ words }) => words);
  expect(secrets.length).toBeGreaterThan(10);

  function isSecret(name: string): boolean {
    return records.some(({ isPrivate, words }) => isPrivate && words === name);
  }
  const port = await freePort();
  const first = await exportSite(`http://127.0.0.1:${port}`);
  expect(first).toContain(" 0 unchanged, 0 removed.");
  copy = await serveCopy(folder, port);
});

afterAll(async () => {
  await copy?.[Symbol.asyncDispose]();
  await server?.close();
});

async function exportSite(url = copy.url, to = folder): Promise<string> {
  const { code, stdout, stderr } = await runBeside(server, ["export", "--site", to, "--url", url]);
  expect([stderr, code === 0 ? "" : stdout]).toEqual(["", ""]);
  return stdout;
}

const listFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();

/** When each file was written. */
const readTimes = () => new Map(listFiles().map((file) => [file, statSync(join(folder, file)).mtimeMs]));

test("a copy has every page without a broken link, and no trace of what is private", async () => {
  for (const file of listFiles()) {
    const text = file + readFileSync(join(folder, file), "latin1");
    expect([file, secrets.filter((word) => text.includes(word))]).toEqual([file, []]);
  }
  const site = { url: (path: string) => copy.url + path, token: null };
  const crawled = await crawl(site, ["/", "/sitemap.xml", "/feed.xml", "/feed.json", "/robots.txt", "/llms.txt"]);
  expect(crawled.size).toBeGreaterThan(200);
  const broken = [...crawled].filter(([path, { status }]) => status !== 200 && !(status === 301 && path === ""));
  expect(broken.map(([path, { status, from }]) => `${from} leads to ${path}: ${status}`)).toEqual([]);
  for (const [path, { type, text }] of crawled) {
    if (type !== "text/html") continue;
    expect([path, /\/(api|signin|signup|studio|docs)\b|<form[^>]*method="post"/.exec(text)?.[0]]).toEqual([
      path,
      undefined,
    ]);
  }
  for (const { kind, id, isPrivate, words } of world.records) {
    if (isPrivate || (kind !== "photo" && kind !== "post")) continue;
    expect(crawled.get(kind === "photo" ? `/photos/${id}/` : `/blog/${words}/`)?.text).toContain(words);
  }
  expect(crawled.get("/about-us/")?.text).toMatch(/href="\/blog\/walk-1\/".*href="\/blog\/walk-2\/"/);
  expect(crawled.get("/blog/~page-2/")?.text).toContain('href="/blog/"');
  expect(crawled.get("/photos/~page-2/")?.type).toBe("text/html");
});

test("web servers and hosts find what they need", async () => {
  const missing = await fetch(`${copy.url}/nothing`);
  expect([missing.status, (await missing.text()).includes("Lighthouse")]).toEqual([404, true]);
  const old = await fetch(`${copy.url}/blog/old-name`);
  expect(await old.text()).toContain("/blog/new-name/");
  expect(readFileSync(join(folder, "blog/old-name/index.html"), "utf8")).toContain("This page has moved:");
  const redirects = readFileSync(join(folder, "_redirects"), "utf8").split("\n");
  expect(redirects).toContain("/blog/old-name /blog/new-name/ 301");
  expect(redirects).toContain("/2019/05/old%20photo.jpg /blog/new-name/ 301");
  expect((await fetch(`${copy.url}/2019/05/old%20photo.jpg`)).url).not.toContain("photo.jpg");
  expect(readFileSync(join(folder, "_headers"), "utf8")).toContain("Content-Security-Policy: default-src 'none'");
  const index = readFileSync(join(folder, "search-index-1.json"), "utf8");
  expect([index.includes('"heather"'), index.includes('"download"')]).toEqual([true, false]);
  // What a browser could run as a page of the site is only downloaded.
  expect(listFiles().filter((file) => /page\.html/.test(file) && file.startsWith("media/"))).toEqual([
    expect.stringMatching(/^media\/files\/\d+\/page\.html\.bin$/),
  ]);
});

// What pages show does not depend on the engines.
(isScaled || !isLong ? test.skip : testInBrowser)(
  "a visitor reads, searches and looks at photos in the copy",
  async () => {
    for (const viewport of [desktop, phone]) {
      await using tab = await openTab(await sharedBrowser(), copy.url, { viewport });
      const page = await tab.open("/");
      await page.getByRole("link", { name: "Search" }).click();
      for (const [query, title] of [
        ["heather 12", "Walk 12"],
        ["京の夜", "Old name"],
        ["grosse", "Old name"],
        ["qua", "Quay"],
      ] as const) {
        await page.getByRole("searchbox").fill(query);
        await page.locator(".hits").getByRole("link", { name: title, exact: true }).waitFor();
      }
      expect(await findBarriers(page)).toEqual([]);
      await page.locator(".hits").getByRole("link", { name: "Quay", exact: true }).click();
      await page.getByRole("heading", { name: "Quay" }).waitFor();
      await whenTrue(page, "[...document.images].every(({ naturalWidth }) => naturalWidth > 0)");
      await page.goto(`/blog/${world.records.find(({ kind, isPrivate }) => kind === "post" && !isPrivate)?.words}/`);
      await page.getByText("What a fine lantern.").waitFor();
      expect(await page.locator("main form, main textarea").count()).toBe(0);
      await page.goto("/photos/");
      await page.locator(".photos > a").first().click();
      await page.locator(".pswp__img").first().waitFor();
      await page.goto("/map/");
      await page.getByRole("link", { name: "Lisboa" }).waitFor();
      expect(tab.complaints).toEqual([]);
    }
  },
);

test.skipIf(!isLong)("another run writes only what has changed, and removes what is no longer public", async () => {
  // The server still compares new photos with each other: that is a change, but none of the files.
  let [before, said] = [readTimes(), ""];
  for (let tries = 0; tries < 10 && !said.includes("The site has not changed"); tries++) {
    before = readTimes();
    said = await exportSite();
    expect(said).toContain("0 files written");
  }
  expect(readTimes()).toEqual(before);
  rmSync(join(folder, "robots.txt"));
  expect(await exportSite()).toContain("1 files written (0.0 MB)");

  const { owner } = world;
  const post = await made(owner, "/blog", { title: "Brand new", content: "zebrafinch" });
  await exportSite();
  const after = readTimes();
  const written = [...after.keys()].filter((file) => after.get(file) !== before.get(file));
  const lists = ["index.html", "blog/index.html", "people/owner/index.html", "sitemap.xml", "search-index-1.json"];
  const news = ["blog/brand-new/index.html", "feed.xml", "feed.json", "blog/feed.xml"];
  expect(written).toEqual(expect.arrayContaining([...lists, ...news]));
  expect(written.filter((file) => /^(photos|albums|browse|tags|media|assets)\//.test(file))).toEqual([]);

  await owner.put(`${api}/blog/${post.id}`, { visibility: "private" });
  expect(await exportSite()).toMatch(/, [1-9]\d* removed\./);

  // What a run has written that was killed is not in the list of files, but in that of what it was going to write.
  const orphan = { file: "blog/orphan/index.html", sha256: "", size: 0, etag: "" };
  mkdirSync(join(folder, "blog/orphan"));
  writeFileSync(join(folder, orphan.file), "zebrafinch");
  writeFileSync(join(folder, ".vitrine-copy-unfinished"), `${JSON.stringify(orphan)}\n`);
  expect(await exportSite()).toMatch(/, [1-9]\d* removed\./);
  for (const file of listFiles()) {
    const text = file + readFileSync(join(folder, file), "latin1");
    expect([file, /zebrafinch|brand-new/.exec(text)?.[0]]).toEqual([file, undefined]);
  }
});

testLong("a copy for a folder of a host has all of its links in that folder", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await exportSite(`${origin}/garden`, join(scratch, "garden"));
  await using served = await serveCopy(scratch, port, "/garden");
  const site = { url: (path: string) => served.url + path, token: null };
  const starts = ["/", "/sitemap.xml", "/feed.xml", "/feed.json", "/llms.txt"].map((path) => `/garden${path}`);
  const crawled = await crawl(site, starts);
  expect(crawled.size).toBeGreaterThan(200);
  // The ids of feeds never change.
  const others = [...crawled].filter(([path, { from }]) => from !== `/garden${path}`);
  const wrong = others.filter(([path, { status }]) => !path.startsWith("/garden/") || status !== 200);
  expect(wrong.map(([path, { status, from }]) => `${from} leads to ${path}: ${status}`)).toEqual([]);
  const read = async (path: string) => (await fetch(`${origin}/garden${path}`)).text();
  expect(JSON.parse(await read("/site.webmanifest"))).toMatchObject({ start_url: "/garden/", scope: "/garden/" });
  expect(await read("/search/")).toContain('data-index="/garden/search-index.json"');
  expect(await read("/search-index-1.json")).toContain('"/garden/blog/walk-1/"');
  expect(await read("/blog/old-name")).toContain("/garden/blog/new-name/");
  expect(await read("/nothing")).toContain("Lighthouse");
});

test("a folder with other files is left alone", async () => {
  const { code, stderr } = await runBeside(server, ["export", "--site", tmpdir(), "--url", copy.url]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("has other files")]);
});

testScaled(
  "a copy in a bucket has types and caching; what is no longer public is removed, and other objects stay",
  async () => {
    const options = await realS3()?.freshBucket();
    if (!options) throw new Error("TEST_S3_URL is not set.");
    const s3 = connectS3(options);
    const to = `s3://${options.bucket}/copy?endpoint=${options.endpoint}&region=${options.region}`;
    await s3.call({ method: "PUT", key: "other.txt", body: { bytes: "other", sha256: hashOfText("other") } });
    expect(await exportSite(copy.url, to)).toContain(" 0 unchanged, 0 removed.");
    expect(await exportSite(copy.url, to)).toContain("0 files written");
    const headersOf = async (key: string) => {
      const { status, headers } = await s3.call({ method: "HEAD", key });
      return [status, headers.get("content-type"), headers.get("cache-control")];
    };
    const short = "public, max-age=300";
    const page = "copy/blog/walk-1/index.html";
    expect(await headersOf(page)).toEqual([200, "text/html; charset=utf-8", short]);
    expect(await headersOf("copy/feed.xml")).toEqual([200, "application/xml", short]);
    const { body: walk } = await world.guest.get(`${api}/blog/by-slug?slug=walk-1`);
    await world.owner.put(`${api}/blog/${walk.id}`, { visibility: "private" });
    expect(await exportSite(copy.url, to)).toMatch(/, [1-9]\d* removed\./);
    expect((await headersOf(page))[0]).toBe(404);
    const keys = (await Array.fromAsync(listObjects(s3, ""))).flat().map(({ key }) => key);
    expect(keys.filter((key) => !key.startsWith("copy/"))).toEqual(["other.txt"]);
  },
);
