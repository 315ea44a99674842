// Runs on the embedded engines only: what guests see is decided by statements that other tests run on all engines.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "../../src/platform/database/sql.ts";
import { type Crawled, crawl, type Fetched, visit } from "../kit/crawler.ts";
import { isLong, testLong } from "../kit/long.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { person } from "../kit/people.ts";
import { startServer, type TestServer, withDatabase } from "../kit/server.ts";
import { api, made } from "../kit/permissions/records.ts";
import { type Choice, createWorld, recordKinds, removePrivate, type World } from "../kit/visibility.ts";

/** Two sites: one with private records everywhere, and the same site without them. */
let full: Site;
let bare: Site;
type Site = World & { server: TestServer; reader: Client; newcomer: Client };

/** Words of records that only the first site has. */
let secrets: string[];
/** Where the pages of all records are. */
let addresses: string[];
/** Everything that the owner finds on the first site, for the long run. */
let ownerPaths: string[];

/** Some of each kind; each refers to something public and to something private. More photos than one page shows. */
const choices: Choice[] = [
  ...recordKinds.flatMap((kind) =>
    Array.from({ length: 6 }, (_, number): Choice => ({
      kind,
      isPrivate: number % 2 === 1,
      one: number >> 1,
      other: number,
    })),
  ),
  ...Array.from({ length: 110 }, (_, number): Choice => ({
    kind: "photo",
    isPrivate: number % 2 === 1,
    one: number,
    other: 0,
  })),
];

beforeAll(async () => {
  [full, bare] = [await openSite(), await openSite()];
  await shareNames(full, bare);
  await removePrivate(bare);
  const unlisted = await addUnlisted(full);
  secrets = [...(await findMissing(full, bare)), ...unlisted];
  addresses = full.records.flatMap(({ kind, id, path, words }) => [
    `/search?q=${words}`,
    ...(kind === "photo"
      ? [`/photos/${id}`, `/oembed?url=${encodeURIComponent(full.owner.url(`/photos/${id}`))}`]
      : []),
    ...(kind === "album" ? [`/albums/${id}`, `/albums/${id}/feed.xml`] : []),
    ...(kind === "post" ? [`/blog/${words}`] : []),
    ...(path === "" ? [] : [`/browse${path}`]),
  ]);
  if (isLong) ownerPaths = [...(await crawl(full.owner, [...starts, ...addresses])).keys()];
});

afterAll(async () => {
  await full?.server.close();
  await bare?.server.close();
});

async function openSite(): Promise<Site> {
  const server = await startServer();
  const world = await createWorld(server, client(server), choices);
  await world.root.put(`${api}/settings`, { signupRole: "reader", approveFirstComments: true });
  const [reader, newcomer] = [await person(server, "reader"), await person(server, "newcomer")];
  return { ...world, server, reader, newcomer };
}

/** Gives both sites the same key for the names of pictures, so that these can be compared. */
async function shareNames({ server }: Site, other: Site): Promise<void> {
  const key = await withDatabase(server, (db) => db.get<{ secret: string }>(sql`SELECT secret FROM public_name_keys`));
  if (!key) throw new Error("The site has no key.");
  await withDatabase(other.server, (db) =>
    db.transaction((tx) => tx.run(sql`UPDATE public_name_keys SET secret = ${key.secret}`)),
  );
}

/** Further records that nobody but their owner may see. Returns their words. */
async function addUnlisted({ owner, guest, newcomer, records }: Site): Promise<string[]> {
  const publicID = (kind: string) => records.find((record) => record.kind === kind && !record.isPrivate)?.id;
  const { body: file } = await owner.upload("trashedfile.png", png(3, 3));
  const trashed = [
    ["photos", await made(owner, "/photos", { title: "trashedphoto", fileID: file.id, tags: ["trashedtag"] })],
    ["blog", await made(owner, "/blog", { title: "trashedpost", content: "trashedtext", tags: ["trashedtag"] })],
    ["albums", await made(owner, "/albums", { name: "trashedalbum", parentID: publicID("album") })],
    ["comments", await made(owner, "/comments", { content: "trashedcomment", blogPostID: publicID("post") })],
    ["files", file],
  ];
  for (const [path, { id }] of trashed) expect((await owner.delete(`${api}/${path}/${id}`)).status).toBeLessThan(300);
  const publishedAt = new Date(Date.now() + 86_400_000).toISOString();
  await made(owner, "/blog", { title: "scheduledpost", content: "scheduledtext", publishedAt, tags: ["scheduledtag"] });
  const tagged = { title: "privatelytagged", visibility: "private", tags: ["privatetag"] };
  await made(owner, "/photos", { ...tagged, fileID: publicID("file") });
  await made(newcomer, "/comments", { content: "waitingcomment", blogPostID: publicID("post") });
  const { token } = await made(owner, "/shares", { kind: "album", id: publicID("album"), allowUpload: true });
  const form = new FormData();
  form.set("guestName", "waitingguest");
  form.set("file", new File([png(5, 4)], "waitingupload.png"));
  const sent = await guest.request("POST", `${api}/shared/uploads`, {
    body: form,
    headers: { "X-Share-Token": token },
  });
  expect(sent.status).toBe(201);
  return ["trashed", "scheduled", "privatelytagged", "privatetag", "newcomer", "waiting", token];
}

/** The words of records that only the first site has. */
async function findMissing(full: Site, bare: Site): Promise<string[]> {
  const paths = {
    directory: "files",
    file: "files",
    photo: "photos",
    album: "albums",
    post: "blog",
    comment: "comments",
  };
  const words: string[] = [];
  for (const { kind, id, words: word } of full.records) {
    if (kind === "entry") continue;
    if ((await bare.owner.get(`${api}/${paths[kind]}/${id}`)).status === 404) words.push(word);
  }
  return words;
}

const starts = [
  "/",
  "/sitemap.xml",
  "/feed.xml",
  "/feed.json",
  "/llms.txt",
  "/robots.txt",
  "/tags/sea",
  "/people/owner",
];
const visitors = isLong ? (["guest", "reader", "stranger"] as const) : (["guest"] as const);

test.each(visitors)("a %s finds no trace of a private record, and the same site as without them", async (who) => {
  const [whole, without] = await Promise.all([full, bare].map((site) => crawl(site[who], starts)));
  expectSound(whole as Crawled);
  expect(secrets.length).toBeGreaterThan(60);
  for (const [path, { text }] of whole as Crawled) {
    const found = secrets.filter((word) => text.includes(word) || path.includes(word));
    expect([path, found]).toEqual([path, []]);
  }
  expectSame(whole as Crawled, without as Crawled);
});

testLong.each(visitors)("a %s who knows the address of a private record learns nothing from it", async (who) => {
  for (const path of ownerPaths) {
    const [answer, other] = await Promise.all([visit(full[who], path), visit(bare[who], atBare(path))]);
    expect([path, describe(answer, full.server.url)]).toEqual([path, describe(other, bare.server.url)]);
  }
});

testLong.each(["owner", "root"] as const)(
  "%s sees private records, which no cache keeps and no search engine lists",
  async (who) => {
    const crawled = await crawl(full[who], [...starts, ...addresses]);
    expectSound(crawled);
    for (const { kind, id, path, words, isPrivate } of full.records) {
      const address = {
        photo: `/photos/${id}`,
        post: `/blog/${words}`,
        directory: `/browse${path}`,
        file: `/browse${path}`,
      }[kind as "photo"];
      if (!isPrivate || address === undefined) continue;
      const page = crawled.get(address) as Fetched;
      expect([address, page.status, page.text.includes(words)]).toEqual([address, 200, true]);
      expect([address, page.headers.get("x-robots-tag")]).toEqual([address, "noindex"]);
      expect(page.text).not.toContain('rel="canonical"');
    }
    for (const [path, { text, status, headers }] of crawled) {
      if (status !== 200 || !secrets.some((word) => text.includes(word))) continue;
      expect([path, headers.get("cache-control")]).toEqual([path, "private, no-store"]);
    }
  },
);

/** No failure, and no link that leads nowhere. */
function expectSound(crawled: Crawled): void {
  const broken = [...crawled].filter(([, { status, from }]) => status >= 500 || (status >= 400 && from !== ""));
  expect(broken.map(([path, { status, from }]) => `${from} leads to ${path}: ${status}`)).toEqual([]);
}

function expectSame(whole: Crawled, without: Crawled): void {
  const described = (crawled: Crawled, url: string) =>
    new Map([...crawled].map(([path, fetched]) => [comparable(path, url), describe(fetched, url)]));
  const [some, others] = [described(whole, full.server.url), described(without, bare.server.url)];
  expect([...some.keys()].toSorted()).toEqual([...others.keys()].toSorted());
  for (const [path, answer] of some) expect([path, answer]).toEqual([path, others.get(path) ?? ""]);
}

const describe = ({ status, type, headers, text }: Fetched, url: string): string =>
  [status, type, headers.get("cache-control"), type === "application/zip" ? text.length : comparable(text, url)].join(
    "\n",
  );

/** A path of one site may contain a URL of that site. */
const atBare = (path: string) => path.replaceAll(new URL(full.server.url).port, new URL(bare.server.url).port);

/** Without what differs between two sites: ports, times, requests, and places in lists, which contain times. */
const comparable = (text: string, url: string): string =>
  text
    .replaceAll(new RegExp(`(:|%(25)*3A)${new URL(url).port}`, "g"), "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+:\d\d\s[AP]M|"requestID":"[^"]*"/g, "")
    .replaceAll(/cursor(=|%(25)*3D)[\w.-]+/g, "cursor=");
