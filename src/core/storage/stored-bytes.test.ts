import { afterAll, beforeAll, expect, test } from "bun:test";
import { readVideoFile } from "../../../tests/kit/files/videos.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { admin, person } from "../../../tests/kit/people.ts";
import { startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { sql } from "../../platform/database/sql.ts";
import { removeExpiredKeys } from "../../platform/http/idempotency-store.ts";
import { readUsage } from "./quota.ts";
import { storedBytes } from "./stored-bytes.ts";

const api = "/api/v1";
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ FFMPEG: "off", VERSIONS_KEPT: "1" });
});
afterAll(() => server.close());

const stored = ({ userID }: Client) => withDatabase(server, async (db) => (await readUsage(db, userID))?.stored);
const differences = () => withDatabase(server, storedBytes.rebuild);

test("the stored bytes are those of files, their versions and posters, until they are gone for good", async () => {
  const who = await person(server, "owner");
  const video = readVideoFile("plain.mp4");
  const [first, second] = [png(2, 2), png(4, 4)];
  const { body: file } = await who.upload("video.mp4", video, { path: "/a" });
  const { body: photo } = await who.post(`${api}/photos`, { title: "Video", fileID: file.id });
  expect(await stored(who)).toBe(video.length);

  for (const poster of [first, second]) await who.request("PUT", `${api}/photos/${photo.id}/poster`, { body: poster });
  expect(await stored(who)).toBe(video.length + second.length);
  await who.put(`${api}/photos/${photo.id}`, { title: "Another title" });
  await who.delete(`${api}/photos/${photo.id}/poster`);

  const { body: text } = await who.upload("text.txt", "12345", { path: "/a" });
  for (const body of ["1234567", "123"]) await who.request("PUT", `${api}/files/${text.id}/content`, { body });
  // One version is kept.
  expect(await stored(who)).toBe(video.length + 7 + 3);

  const [directory] = (await who.get(`${api}/files`)).body;
  await who.post(`${api}/files/${directory.id}/copy`, { path: "/b" });
  expect(await stored(who)).toBe(2 * video.length + 7 + 3 + 3);
  expect(await differences()).toBe(0);

  await who.delete(`${api}/files/${directory.id}`);
  expect(await stored(who)).toBe(2 * video.length + 7 + 3 + 3);
  await who.delete(`${api}/trash`);
  expect(await stored(who)).toBe(video.length + 3);
  expect(await differences()).toBe(0);
});

test("posts and their revisions count as stored, until they are gone for good", async () => {
  const who = await person(server, "writer");
  const { body: post } = await who.post(`${api}/blog`, { title: "Post", content: "Größe" });
  expect(await stored(who)).toBe(7);
  await who.put(`${api}/blog/${post.id}`, { content: "123" });
  await who.put(`${api}/blog/${post.id}`, { title: "Another title" });
  await who.put(`${api}/blog/${post.id}`, { visibility: "private" });
  expect(await stored(who)).toBe(7 + 3 + 3);
  const [row] = (await who.get(`${api}/storage`)).body.owners;
  expect([row.texts, row.bytes, row.savedByDeduplication]).toEqual([{ count: 1, bytes: 13 }, 13, 0]);
  expect((await who.get(`${api}/attention`)).body.storage.bytes).toBe(13);
  await who.post(`${api}/blog`, { title: "Second", content: "12345" });
  expect(await differences()).toBe(0);

  await who.delete(`${api}/blog/${post.id}`);
  expect(await stored(who)).toBe(13 + 5);
  await who.delete(`${api}/trash`);
  expect(await stored(who)).toBe(5);
  expect(await differences()).toBe(0);
});

test("stored responses count as stored, until their keys expire", async () => {
  const who = await person(server, "repeater");
  const key = { "Idempotency-Key": "a" };
  const { body } = await who.post(`${api}/albums`, { name: "Album" }, key);
  expect(await stored(who)).toBe(JSON.stringify(body).length);
  expect(await differences()).toBe(0);
  expect((await who.post(`${api}/albums`, { name: "Album" }, { "Idempotency-Key": "b" })).status).toBe(201);
  await withDatabase(server, async (db) => {
    await db.transaction((tx) => tx.run(sql`UPDATE idempotency_keys SET expires_at = 1`));
    await removeExpiredKeys(db);
  });
  expect(await stored(who)).toBe(0);
});

test("a text that would exceed the quota is refused, and what takes no more space is not", async () => {
  await using small = await startServer({ QUOTA_BYTES: "1000" });
  const who = await person(small, "owner");
  const content = "x".repeat(300);
  const { body: post } = await who.post(`${api}/blog`, { title: "Post", content });
  const put = (body: object) => who.put(`${api}/blog/${post.id}`, body);
  for (const title of ["1", "2"]) expect((await put({ title })).status).toBe(200);
  const refused = [
    await put({ title: "3" }),
    await who.post(`${api}/blog`, { title: "Another", content: "x".repeat(101) }),
    await who.post(`${api}/blog/${post.id}/revisions/1/restore`),
  ];
  for (const { status, body } of refused) {
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/^This would bring owner's storage to \d+ bytes, over/),
    ]);
  }
  expect((await who.get(`${api}/blog/${post.id}/revisions`)).body).toHaveLength(3);
  expect((await put({ visibility: "private" })).status).toBe(200);
  expect((await who.upload("a.txt", "x".repeat(101))).status).toBe(400);
  expect((await who.upload("a.txt", "x".repeat(100))).status).toBe(201);
  const chief = await admin(small);
  expect((await chief.post(`${api}/blog`, { title: "Long", content: "x".repeat(2000) })).status).toBe(201);
  // What an admin writes into it counts for its owner.
  expect((await chief.put(`${api}/blog/${post.id}`, { title: "Corrected" })).status).toBe(400);
});

test("reading what an owner has stored takes as long with many files as with few", async () => {
  const who = await person(server, "collector");
  await withDatabase(server, async (db) => {
    // The server runs in this process as well: the quickest of several rounds is that without other work.
    const measure = async () => {
      const rounds: number[] = [];
      for (let round = 0; round < 10; round++) {
        const before = process.cpuUsage();
        for (let count = 0; count < 50; count++) await readUsage(db, who.userID);
        const { user, system } = process.cpuUsage(before);
        rounds.push(user + system);
      }
      return Math.min(...rounds);
    };
    await measure();
    const few = await measure();
    await db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO files (parent_id, owner_id, name, name_key, order_key, sha256, size, content_type, created_at, updated_at)
        SELECT 0, ${who.userID}, 'many-' || n, 'many-' || n, 'many-' || n, ${"ab".repeat(32)}, 10, 'text/plain', 1, 1
        FROM (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
          SELECT n FROM numbers) AS numbers`),
    );
    expect((await readUsage(db, who.userID))?.stored).toBe(200_000);
    expect((await measure()) / few).toBeLessThan(5);
  });
});
