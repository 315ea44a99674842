import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { append, begin, create } from "../../features/uploads/tus.test.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople, member } from "../../../tests/kit/people.ts";
import { startServer, type TestServer } from "../../../tests/kit/server.ts";
import { kindsOf, tablesOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import { storageSchemaOf } from "./storage.ts";

let server: TestServer;
let people: Awaited<ReturnType<typeof createPeople>>;
let reader: Client;

beforeAll(async () => {
  server = await startServer();
  people = await createPeople(server);
  reader = await member(server, "reader", "reader");
});
afterAll(() => server.close());

const files = "/api/v1/files";
const thisMonth = new Date().toISOString().slice(0, 7);
const read = async (who: Client) => (await who.get("/api/v1/storage")).body;
const none = { count: 0, bytes: 0 };
/** The report of a site without the variants, which a sweep counts at some time: report.test.ts has them. */
const unswept = (site: Record<string, unknown>): Record<string, unknown> => ({ ...site, variants: null });
/** What the modules declare of the report. */
const fields = <Value>(declared: { field: string }[], value: Value): Record<string, Value> =>
  Object.fromEntries(declared.map(({ field }) => [field, value]));
const parts = tablesOf(modules).flatMap(({ blobs = [], bytes = [] }) =>
  [...blobs, ...bytes].flatMap((stored) => ("part" in stored && stored.part) || []),
);
const nothing = {
  files: none,
  images: none,
  videos: none,
  otherFiles: none,
  trash: none,
  ...fields(parts, none),
  bytes: 0,
  unfinishedUploads: none,
  savedByDeduplication: 0,
};
const noRecords = {
  directories: 0,
  ...fields(
    kindsOf(modules).flatMap(({ counted = [] }) => counted),
    0,
  ),
};

describe("the storage report", () => {
  test("is for whoever has an account", async () => {
    expect((await people.guest.get("/api/v1/storage")).status).toBe(401);
    const own = { ownerID: reader.userID, username: "reader", ...nothing, ...noRecords, quota: null };
    expect(await read(reader)).toEqual({ countedAt: expect.any(String), owners: [own], months: [], site: null });
  });

  test("of an empty site adds up to nothing", async () => {
    const { owners, site } = await read(people.admin);
    expect(owners.map(({ username }: any) => username).toSorted()).toEqual(["owner", "reader", "root", "stranger"]);
    expect(unswept(site)).toEqual({ ...nothing, ...noRecords, stored: none, variants: null });
  });

  test("tells what everybody holds, and what the same bytes save", async () => {
    const { owner, stranger, admin } = people;
    // Nine bytes in a directory with a version of four; twice the same five; one more by the stranger.
    const file = (await owner.upload("a.txt", "four", { path: "/dir/inner" })).body;
    await owner.request("PUT", `${files}/${file.id}/content`, { body: "nine byte" });
    await owner.upload("twin.txt", "twins");
    await owner.upload("twin.txt", "twins");
    await stranger.upload("twin.txt", "twins");
    await stranger.upload("other.txt", "1");
    // In the trash: a file by itself, and two below a directory, of which one was there before.
    const alone = (await owner.upload("alone.txt", "alone!")).body;
    await owner.delete(`${files}/${alone.id}`);
    const before = (await owner.upload("before.txt", "before it", { path: "/gone/deep" })).body;
    await owner.upload("with.txt", "with", { path: "/gone/deep" });
    await owner.delete(`${files}/${before.id}`);
    const gone = (await owner.get(files)).body.find(({ name }: any) => name === "gone");
    await owner.delete(`${files}/${gone.id}`);
    // Records, each once alive and once in the trash.
    const image = (await owner.upload("image.png", png(1, 1))).body;
    const kinds = {
      photos: { title: "x", fileID: image.id },
      blog: { title: "x", content: "x" },
      albums: { name: "x" },
    };
    for (const [kind, body] of Object.entries(kinds)) {
      await owner.post(`/api/v1/${kind}`, body);
      const { id } = (await owner.post(`/api/v1/${kind}`, body)).body;
      if (kind === "blog") await stranger.post("/api/v1/comments", { content: "below", blogPostID: id });
      await owner.delete(`/api/v1/${kind}/${id}`);
    }
    const post = (await owner.get("/api/v1/blog")).body[0];
    await stranger.post("/api/v1/comments", { content: "shown", blogPostID: post.id });

    const path = await begin(owner, 1000);
    await append(owner, path, 0, "of these, ten bytes".slice(0, 10));
    await begin(owner, 500);
    await create(stranger, 7, { filename: "finished.txt" }, {}, "1234567");

    const records = { ...noRecords, directories: 2, photos: 1, posts: 1, comments: 0, albums: 1 };
    const held = {
      ...nothing,
      files: { count: 4, bytes: 9 + 5 + 5 + image.size },
      images: { count: 1, bytes: image.size },
      videos: none,
      otherFiles: { count: 3, bytes: 9 + 5 + 5 },
      trash: { count: 3, bytes: 6 + 9 + 4 },
      versions: { count: 1, bytes: 4 },
      texts: { count: 2, bytes: 2 },
      bytes: 9 + 10 + image.size + 19 + 4 + 2,
      unfinishedUploads: { count: 2, bytes: 1500 },
    };
    const ownersRow = {
      ownerID: owner.userID,
      username: "owner",
      ...held,
      ...records,
      savedByDeduplication: 5,
      quota: null,
    };
    const months = [{ month: thisMonth, ...held.files }];
    expect(await read(owner)).toEqual({ countedAt: expect.any(String), owners: [ownersRow], months, site: null });

    const report = await read(admin);
    expect(report.owners).toContainEqual(ownersRow);
    expect(report.owners.find(({ username }: any) => username === "stranger")).toMatchObject({
      files: { count: 3, bytes: 13 },
      unfinishedUploads: none,
      comments: 1,
      bytes: 13,
    });
    expect(report.owners).toHaveLength(4);
    expect(unswept(report.site)).toEqual({
      ...held,
      files: { count: 7, bytes: held.files.bytes + 13 },
      otherFiles: { count: 6, bytes: held.otherFiles.bytes + 13 },
      bytes: held.bytes + 13,
      ...records,
      comments: 1,
      stored: { count: 9, bytes: held.bytes - held.texts.bytes + 13 - 10 },
      savedByDeduplication: 10,
      variants: null,
    });
    expect(report.months).toEqual([{ month: thisMonth, count: 7, bytes: held.files.bytes + 13 }]);
    const counts = ["photos", "posts", "comments", "albums"];
    const parts = ["versions", "posters", "texts"].map((field) => ({ field, description: "" }));
    expect(z.strictObject(storageSchemaOf({ counts, parts }).shape).safeParse(report).error?.message).toBeUndefined();
    expect((await read(stranger)).owners.map(({ ownerID }: any) => ownerID)).toEqual([stranger.userID]);
  });

  test("has pages of users for admins, those who store the most first, and all of them by default", async () => {
    const { admin } = people;
    const readPage = (who: Client, query: string) => who.get(`/api/v1/storage?${query}`);
    const whole = await read(admin);
    expect(whole.owners.map(({ ownerID }: any) => ownerID)).toEqual(
      whole.owners.map(({ ownerID }: any) => ownerID).toSorted((one: number, other: number) => one - other),
    );
    const seen: any[] = [];
    for (const page of [1, 2]) {
      const { body, headers } = await readPage(admin, `page=${page}&pageSize=3`);
      expect([unswept(body.site), body.months]).toEqual([unswept(whole.site), whole.months]);
      expect([headers.get("x-total-count"), headers.get("link")?.includes('rel="next"')]).toEqual(["4", page === 1]);
      seen.push(...body.owners);
    }
    expect(seen.map(({ username }: any) => username).slice(0, 2)).toEqual(["owner", "stranger"]);
    expect(seen.toSorted((one, other) => one.ownerID - other.ownerID)).toEqual(whole.owners);
    expect((await readPage(admin, "page=9")).body.owners).toEqual([]);
    expect((await readPage(reader, "page=1")).body.owners).toMatchObject([{ username: "reader" }]);
    expect((await readPage(reader, "page=2")).body.owners).toEqual([]);
    expect((await readPage(admin, "page=0")).status).toBe(400);
    expect((await readPage(people.guest, "page=1")).status).toBe(401);
  });

  test("forgets what is gone for good, and not before", async () => {
    const { owner, admin } = people;
    const before = (await read(owner)).owners[0];
    const stored = (await read(admin)).site.stored;
    await owner.delete("/api/v1/trash");
    const after = (await read(owner)).owners[0];
    const texts = { count: 1, bytes: 1 };
    expect(after).toEqual({ ...before, trash: none, texts, bytes: before.bytes - before.trash.bytes - 1 });
    const now = (await read(admin)).site;
    expect(now.stored).toEqual({ count: stored.count - 3, bytes: stored.bytes - before.trash.bytes });
  });
});
