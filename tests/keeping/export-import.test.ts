// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { catchUp } from "../../src/features/search/index-records.ts";
import { kindsOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { visit } from "../kit/crawler.ts";
import { openBeside } from "../kit/every-kind.ts";
import { client } from "../kit/client.ts";
import { addMembers, password, signedIn } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { runBeside, startServer, type TestServer } from "../kit/server.ts";
import { fillSite, type siteRoles } from "../kit/whole-site.ts";
import { until } from "../kit/until.ts";

const scratch = useScratch();

/** One of each role; the guests are compared, too. */
const names = ["chief", "ada", "rita"] satisfies (keyof typeof siteRoles)[];

test("an import of an export gives the same site, for every role, byte for byte", async () => {
  await using site = await startServer();
  const { link } = await fillSite(site);
  const hook = { url: "https://1.1.1.1/tide", events: ["nothing.happened"] };
  expect((await (await signedIn(site, "chief")).post("/api/v1/webhooks", hook)).status).toBe(201);
  await settle(site);
  const before = await readSite(site, link);
  expect(Object.keys(before.guest ?? {}).length).toBeGreaterThan(300);
  const to = join(scratch, "site.zip");
  const exported = await runBeside(site, ["export", to]);
  expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining("were exported")]);

  await using copy = await startServer();
  // Somebody has set up the new site already, with a password of their own.
  await addMembers(copy, [{ username: "chief", role: "admin" }]);
  const imported = await runBeside(copy, ["import", to]);
  expect([imported.code, imported.stderr, imported.stdout]).toEqual([
    0,
    "",
    expect.stringMatching(
      /^Taken for the export of a whole site .* everyone will see what everyone saw there.*\nThe site of .* is imported: 6 photos, 5 posts and pages, 4 albums, 22 files, 4 people\.\n/,
    ),
  ]);
  expect((await runBeside(copy, ["rebuild", "counts"])).stdout).toBe("All counts are correct.\n");
  expect((await runBeside(copy, ["doctor", "--hash"])).stdout).toStartWith("The database is consistent.");
  // Accounts come without a password.
  expect((await client(copy).post("/signin", { username: "ada", password })).status).toBe(401);
  for (const name of names.slice(1)) await runBeside(copy, ["user", "password", name], `${password}\n`);
  await settle(copy);
  const after = await readSite(copy, link);
  for (const who of Object.keys(before)) {
    const [was, is] = [before[who] ?? {}, after[who] ?? {}];
    const different = Object.keys(was).filter((path) => was[path] !== is[path]);
    expect([who, different.map((path) => [path, ...firstDifference(was[path] ?? "", is[path] ?? "")])]).toEqual([
      who,
      [],
    ]);
    expect([who, Object.keys(is).toSorted()]).toEqual([who, Object.keys(was).toSorted()]);
  }

  // Its secret is not exported.
  const { body: hooks } = await (await signedIn(copy, "chief")).get("/api/v1/webhooks");
  expect(hooks).toMatchObject([{ ...hook, isActive: false, inactiveReason: expect.stringContaining("no secrets") }]);

  const again = await runBeside(copy, ["import", to]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is one of this site")]);
  truncateSync(to, 20_000);
  const broken = await runBeside(copy, ["import", to]);
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("not a whole zip archive")]);
});

function firstDifference(one: string, other: string): [string, string] {
  const start = Array.from(one).findIndex((_, index) => one[index] !== other[index]);
  const around = (text: string) => text.slice(Math.max(0, start - 80), start + 80);
  return [around(one), around(other)];
}

/** What is made in the background is there: texts of posts, and the index for search. */
async function settle(server: TestServer): Promise<void> {
  const db = await openBeside(server);
  await catchUp(db, kindsOf(modules), 30_000);
  await db.close();
  const guest = client(server);
  const readTexts = async () => {
    const posts = (await guest.get("/api/v1/blog")).body as { id: number }[];
    return Promise.all(posts.map(async ({ id }) => (await guest.get(`/api/v1/blog/${id}`)).body.html));
  };
  await until(readTexts, (texts) => texts.every((html) => html.includes("<")));
}

/** What differs by its nature: sessions, the machine, and what was done to each site after the export. */
const ofThisServer = /^\/api\/v1\/(me\/sessions|storage|backups|activity|attention|imports|webhooks|events)/;

const pages =
  "/ /blog /blog/tide /blog/tide-at-nine /blog/draft /imprint /photos /albums /browse /browse/2026/Lisboa /tags/sea /people/ada /search?q=tide /2019/old-tide /sitemap.xml /robots.txt /feed.xml /feed.json /blog/feed.xml /photos/feed.xml /albums/1-ete-a-lisboa /albums/1-ete-a-lisboa/feed.xml /api/v1/search?q=tide /api/v1/photos?owner=me /api/v1/albums/1/photos /api/v1/comments?blogPostID=1 /api/v1/comments?photoID=1 /api/v1/files?path=/2026/Lisboa /api/v1/blog?kind=page /api/v1/blog/by-slug?slug=tide /api/v1/photos/zip?ids=1,2 /api/v1/files/zip?ids=3,4 /api/v1/files/dir/2026".split(
    " ",
  );

/** Every address of the API with each id, and pages, as each role gets them. */
async function readSite(server: TestServer, link: string): Promise<Record<string, Record<string, string>>> {
  const tokens = new Map<string, string | null>([["guest", null]]);
  for (const name of names) tokens.set(name, (await signedIn(server, name)).token);
  const document = (await client(server).get("/openapi.json")).body as { paths: Record<string, { get?: object }> };
  const reads = Object.keys(document.paths).filter((path) => document.paths[path]?.get && path.startsWith("/api/"));
  const paths = [...pages, `/s/${link}`, ...ids.map((id) => `/photos/${id}`), ...reads.flatMap(fillIDs)];
  const read: Record<string, Record<string, string>> = {};
  for (const [who, token] of tokens) {
    read[who] = {};
    for (const path of paths.filter((one) => !ofThisServer.test(one) && !one.includes("{"))) {
      const { status, type, text } = await visit({ url: (one) => server.url + one, token }, path);
      // Directories in an archive have the time of the download.
      read[who][path] = `${status} ${type} ${type.includes("zip") ? text.length : normalise(text, server.url)}`;
    }
  }
  return read;
}

/** The ids that are tried of every kind. */
const ids = [1, 2, 3, 4, 5, 6, 18];
const fillIDs = (path: string): string[] =>
  /\{\w*(id|ID|number)\}/.test(path)
    ? ids.flatMap((id) => fillIDs(path.replace(/\{\w*(id|ID|number)\}/, String(id))))
    : [path];

const normalise = (text: string, url: string): string =>
  text
    .replaceAll(url, "http://site")
    .replaceAll(encodeURIComponent(url), "http://site")
    .replaceAll(url.replace("http://", ""), "site")
    .replace(/"requestID":"[^"]*"/g, "")
    // This test opens the link, too.
    .replace(/"uses":\d+,"lastUsedAt":(?:null|"[^"]*")/g, "");
