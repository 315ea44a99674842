import { describe, expect, test } from "bun:test";
import { sql } from "../../platform/database/sql.ts";
import { isScaled } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { visitPages } from "../../../tests/kit/cursors.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

const scratch = useScratch();
const blog = "/api/v1/blog";

const server = useServer();
const people = server.people();
const { owner, guest } = people;

const write = async (fields: object = {}) =>
  (await owner.post(blog, { title: "Lighthouse", content: "Windy.", ...fields })).body;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const total = async (who: Client) => Number((await who.get(blog)).headers.get("x-total-count"));
const ids = async (who: Client, query: string) => (await who.get(`${blog}?${query}`)).body.map((post: any) => post.id);

/** What everyone can learn about a post, on which its owner has commented. */
async function everywhere(post: any): Promise<unknown> {
  const { stranger } = people;
  expect((await owner.post("/api/v1/comments", { content: "Mine", blogPostID: post.id })).status).toBe(201);
  return {
    read: (await stranger.get(`${blog}/${post.id}`)).status,
    bySlug: (await guest.get(`${blog}/by-slug?slug=${post.slug}`)).status,
    listed: (await ids(stranger, "pageSize=1000")).includes(post.id),
    byTag: (await ids(guest, "tag=sea")).includes(post.id),
    byTime: (await ids(guest, "sort=publishedAt&pageSize=1000")).includes(post.id),
    ofOwner: (await ids(stranger, `owner=${owner.userID}&pageSize=1000`)).includes(post.id),
    found: (await stranger.get("/api/v1/search?q=xylophone&limit=100")).body.some(({ id }: any) => id === post.id),
    comments: (await stranger.get(`/api/v1/comments?blogPostID=${post.id}`)).body.length > 0,
    comment: (await stranger.post("/api/v1/comments", { content: "?", blogPostID: post.id })).status,
    change: (await stranger.put(`${blog}/${post.id}`, { title: "?" })).status,
    revisions: (await stranger.get(`${blog}/${post.id}/revisions`)).status,
  };
}

const unseen = {
  read: 404,
  bySlug: 404,
  listed: false,
  byTag: false,
  byTime: false,
  ofOwner: false,
  found: false,
  comments: false,
  comment: 404,
  change: 404,
  revisions: 404,
};
const seen = {
  read: 200,
  bySlug: 200,
  listed: true,
  byTag: true,
  byTime: true,
  ofOwner: true,
  found: true,
  comments: true,
  comment: 201,
  change: 403,
  revisions: 403,
};
const marked = { title: "Xylophone", tags: ["sea"] };

describe("drafts and scheduled posts", () => {
  test("a draft exists only for its owner and admins, until it is published", async () => {
    const before = await total(guest);
    const draft = await write({ ...marked, publishedAt: null });
    expect(draft).toMatchObject({ publishedAt: null, visibility: "public" });
    expect(await everywhere(draft)).toEqual(unseen);
    expect(await total(owner)).toBe(before);
    for (const who of [owner, people.admin]) expect((await who.get(`${blog}/${draft.id}`)).body).toEqual(draft);
    expect(await ids(owner, "owner=me")).toContain(draft.id);
    expect(await ids(people.admin, "visibility=all")).toContain(draft.id);
    expect((await owner.get("/api/v1/search?q=xylophone")).body.map(({ id }: any) => id)).toContain(draft.id);

    const published = (await owner.put(`${blog}/${draft.id}`, { publishedAt: inSeconds(0) })).body;
    expect(published).toMatchObject({ id: draft.id, title: "Xylophone", slug: draft.slug });
    expect(await everywhere(draft)).toEqual(seen);
    expect(await total(guest)).toBe(before + 1);

    await owner.put(`${blog}/${draft.id}`, { publishedAt: null });
    expect(await everywhere(draft)).toEqual(unseen);
    expect(await total(guest)).toBe(before);
  });

  test("a scheduled post appears at its time", async () => {
    const before = await total(guest);
    const post = await write({ ...marked, publishedAt: inSeconds(3) });
    expect(await everywhere(post)).toEqual(unseen);
    await published(post);
    expect(await everywhere(post)).toEqual(seen);
    expect(await total(guest)).toBe(before + 1);
    expect((await guest.get(`${blog}/${post.id}`)).body).toEqual({ ...post, updatedAt: expect.any(String) });
  });

  test("a private post stays private when its time comes, and is public as soon as its owner says so", async () => {
    const post = await write({ ...marked, visibility: "private", publishedAt: inSeconds(1) });
    // Another one that is due after it shows that its time has come.
    await published(await write({ title: "Later", content: "…", publishedAt: inSeconds(1.1) }));
    const before = await total(guest);
    expect(await everywhere(post)).toEqual(unseen);
    expect((await owner.put(`${blog}/${post.id}`, { visibility: "public" })).body.visibility).toBe("public");
    expect(await everywhere(post)).toEqual(seen);
    expect(await total(guest)).toBe(before + 1);
    await owner.put(`${blog}/${post.id}`, { visibility: "private" });
    expect(await everywhere(post)).toEqual(unseen);
    expect(await total(guest)).toBe(before);
  });

  test("a post whose time came while the program did not run is published once when it runs again", async () => {
    const dataDir = newDirectory(scratch);
    const first = await startServer({ DATA_DIR: dataDir });
    const writer = await person(first, "writer");
    const later = { title: "Later", content: "…", publishedAt: inSeconds(3600) };
    const { id } = (await writer.post(blog, later)).body;
    const soon = Date.now() + 100;
    await withDatabase(first, (db) => db.transaction((tx) => tx.run(sql`UPDATE posts SET published_at = ${soon}`)));
    await first.close();
    await until(() => Date.now() > soon);

    // Copies share a database, except on SQLite.
    const copies = await Promise.all([1, ...(isScaled ? [2, 3] : [])].map(() => startServer({ DATA_DIR: dataDir })));
    const visitor = client(copies[0] as TestServer);
    await until(
      () => visitor.get(`${blog}/${id}`),
      ({ status }) => status === 200,
    );
    const list = await visitor.get(blog);
    expect([list.body.map((post: any) => post.id), list.headers.get("x-total-count")]).toEqual([[id], "1"]);
    for (const copy of copies) await copy.close();
  });

  test("a post can be dated back, and lists by publication follow", async () => {
    const [old, older] = [
      await write({ publishedAt: "2001-02-03T04:05:06.789Z" }),
      await write({ publishedAt: "2001-02-03T04:05:06+02:00" }),
    ];
    expect(old.publishedAt).toBe("2001-02-03T04:05:06.789Z");
    expect(older.publishedAt).toBe("2001-02-03T02:05:06.000Z");
    expect(await ids(guest, "sort=publishedAt&order=asc&pageSize=2")).toEqual([older.id, old.id]);
    expect((await ids(guest, "sort=publishedAt&pageSize=1000")).slice(-2)).toEqual([old.id, older.id]);
    expect(await ids(guest, "pageSize=2")).toEqual([older.id, old.id]);
  });

  test.each([[5], [""], ["yesterday"], ["2026-01-01"], ["0000-01-01T00:00:00Z"], ["2026-13-01T00:00:00Z"], [true]])(
    "publishedAt: %j is refused",
    async (publishedAt) => {
      const { status, body } = await owner.post(blog, { title: "x", content: "y", publishedAt });
      expect([status, body.field]).toEqual([400, "publishedAt"]);
    },
  );
});

describe("lists with private posts", () => {
  test("have public and private posts in one order, page by page", async () => {
    const author = await person(server, "author");
    const time = (day: number) => `2020-01-0${day}T00:00:00.000Z`;
    const fields = [
      { publishedAt: time(3) },
      { publishedAt: time(1), visibility: "private" },
      { publishedAt: null },
      { publishedAt: time(4), visibility: "private" },
      { publishedAt: time(2) },
      { publishedAt: null },
    ];
    const posts: number[] = [];
    for (const one of fields) posts.push((await author.post(blog, { title: "x", content: "y", ...one })).body.id);
    const walk = async (who: Client, query: string) =>
      (await visitPages(who, `${blog}?${query}`, 2)).flat().map((post) => posts.indexOf(post.id));
    const mine = `owner=${author.userID}&visibility=all`;
    for (const [who, query] of [[author, "owner=me"] as const, [people.admin, mine] as const]) {
      expect(await walk(who, query)).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await walk(who, `${query}&order=asc`)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await walk(who, `${query}&sort=publishedAt`)).toEqual([3, 0, 4, 1, 5, 2]);
      expect(await walk(who, `${query}&sort=publishedAt&order=asc`)).toEqual([1, 4, 0, 3, 2, 5]);
      expect(await walk(who, `${query}&status=published&sort=publishedAt`)).toEqual([3, 0, 4, 1]);
      expect(await walk(who, `${query}&status=published`)).toEqual([4, 3, 1, 0]);
      expect(await walk(who, `${query}&status=draft`)).toEqual([5, 2]);
    }
    expect(await walk(guest, `owner=${author.userID}&sort=publishedAt`)).toEqual([0, 4]);
  });
});

describe("lists by status", () => {
  test("show one’s own posts, and to admins those of everyone", async () => {
    const { stranger, admin } = people;
    const draft = await write({ publishedAt: null });
    const later = await write({ publishedAt: inSeconds(3600) });
    const other = (await stranger.post(blog, { title: "Other", content: "…", publishedAt: null })).body;
    expect(await ids(owner, "status=draft&pageSize=1000")).toContain(draft.id);
    expect(await ids(owner, "status=draft&pageSize=1000")).not.toContain(other.id);
    expect(await ids(owner, "status=scheduled&sort=publishedAt")).toContain(later.id);
    expect(await ids(owner, "status=published&pageSize=1000")).not.toContain(later.id);
    expect(await ids(stranger, "status=draft&owner=me")).toEqual([other.id]);
    const all = await ids(admin, "status=draft&visibility=all&pageSize=1000");
    expect(all).toEqual(expect.arrayContaining([draft.id, other.id]));
    expect(await ids(admin, `status=draft&owner=${stranger.userID}&visibility=all`)).toEqual([other.id]);
    expect(await ids(admin, `status=draft&owner=${stranger.userID}`)).toEqual([]);
    expect((await guest.get(`${blog}?status=draft`)).status).toBe(401);
    expect((await stranger.get(`${blog}?status=draft&owner=${owner.userID}`)).status).toBe(403);
    expect((await stranger.get(`${blog}?status=draft&visibility=all`)).status).toBe(403);
    expect((await owner.get(`${blog}?status=none`)).status).toBe(400);
  });
});

async function published({ id }: { id: number }): Promise<void> {
  await until(
    () => guest.get(`${blog}/${id}?${Math.random()}`),
    ({ status }) => status === 200,
  );
}
