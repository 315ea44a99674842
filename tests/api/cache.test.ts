// Runs on other engines only with TEST_LONG: cached-pages.test.ts reads and writes through the cache on them.
import { describe, expect, test } from "bun:test";
import { isScaled } from "../kit/engine.ts";
import { type Client, client, uncached } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { person } from "../kit/people.ts";
import { startServer, type TestServer, withDatabase } from "../kit/server.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { metricsToken } from "../kit/database-cost.ts";
import { api, made } from "../kit/permissions/records.ts";
import { changeSomething, numbersFrom } from "../kit/random-writes.ts";
import { type Choice, createWorld, listRequests, recordKinds } from "../kit/visibility.ts";
import { isLong } from "../kit/long.ts";
import { until } from "../kit/until.ts";

const manyWords = Array.from({ length: 2200 }, (_, number) => `word${number}`).join(" ");

const start = (dataDir = {}) => startServer({ METRICS_TOKEN: metricsToken, ...dataDir });

async function countHits(server: { url: string }): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return Number(/^vitrine_response_cache_hits_total (\d+)/m.exec(await response.text())?.[1]);
}

/** How many of the requests are served from memory. */
async function hitsOf(server: TestServer, work: () => Promise<unknown>): Promise<number> {
  const before = await countHits(server);
  await work();
  return (await countHits(server)) - before;
}

/**
 * On PostgreSQL, a transaction of another program, such as another test, counts as a write to every table: then the
 * attempt is repeated.
 */
async function expectHits(attempt: () => Promise<number>, expected: number): Promise<void> {
  let hits = await attempt();
  for (let left = isScaled ? 100 : 0; hits !== expected && left > 0; left--) hits = await attempt();
  expect(hits).toBe(expected);
}

describe("responses from memory", () => {
  test("begin with the second request for an address, and with the third if they are long", async () => {
    await using server = await start();
    const read = () => client(server).get(`${api}/photos`);
    expect(await hitsOf(server, read)).toBe(0);
    await expectHits(() => hitsOf(server, read), 1);
    const owner = await person(server, "owner");
    const long = await made(owner, "/blog", { title: "Long", content: "word ".repeat(50_000) });
    const readLong = () => client(server).get(`${api}/blog/${long.id}`);
    expect(await hitsOf(server, readLong)).toBe(0);
    if (!isScaled) expect(await hitsOf(server, readLong)).toBe(0);
    await expectHits(() => hitsOf(server, readLong), 1);
  });

  test("are kept at the second request where many others were requested since the first", async () => {
    await using server = await start();
    const owner = await person(server, "owner");
    const [guest, posts] = [client(server), [] as string[]];
    // Together longer than the share of what was requested once.
    for (let number = 0; number < 60; number++)
      posts.push(`${api}/blog/${(await made(owner, "/blog", { title: `${number}`, content: manyWords })).id}`);
    const read = async () => {
      for (const path of posts) await guest.get(path);
    };
    expect(await hitsOf(server, read)).toBe(0);
    await read();
    await expectHits(() => hitsOf(server, read), posts.length);
  });

  test("do not depend on parameters that the route does not have, or on the order of those that it has", async () => {
    await using server = await start();
    const guest = client(server);
    const same = ["?pageSize=5&page=2", "?x=1&page=2&pageSize=5", "?page=1&page=2&pageSize=5&constructor=1"];
    await expectHits(async () => {
      for (let time = 0; time < 2; time++) await guest.get(`${api}/photos?page=2&pageSize=5`);
      return hitsOf(server, () => Promise.all(same.map((query) => guest.get(`${api}/photos${query}`))));
    }, same.length);
    expect(await hitsOf(server, () => guest.get(`${api}/photos?page=1&pageSize=5`))).toBe(0);
    expect((await guest.get(`${api}/photos?pageSize=5&page=0`)).status).toBe(400);
  });

  // On PostgreSQL, src/platform/database/generations.test.ts shows the same for a few statements, between other writes.
  test.if(!isScaled)("stay valid while tables are written that they were not read from", async () => {
    await using server = await start();
    const [owner, guest] = [await person(server, "owner"), client(server)];
    const file = (await owner.upload("a.png", png(2, 2))).body;
    const photo = await made(owner, "/photos", { title: "Photo", fileID: file.id });
    const post = await made(owner, "/blog", { title: "Post", content: "x" });
    const paths = [`${api}/photos`, `${api}/photos/${photo.id}`, `${api}/files`, `${api}/albums?cursor=`];
    const read = () => Promise.all(paths.map((path) => guest.get(path)));
    const write = () => [
      made(owner, "/comments", { blogPostID: post.id, content: "x" }),
      made(owner, "/blog", { title: "Another", content: "x", tags: ["sea"] }),
      person(server, `person${Math.random()}`),
    ];
    for (let time = 0; time < 3; time++) await read();
    for (let time = 0; time < 5; time++) {
      await Promise.all(write());
      expect(await hitsOf(server, read)).toBe(paths.length);
    }
  });

  // On PostgreSQL, src/platform/database/generations.test.ts shows the same for rows that another copy has written.
  test.if(!isScaled)("of a photo stay valid while another photo is changed, and end with what they show", async () => {
    await using server = await start();
    const [owner, guest] = [await person(server, "owner"), client(server)];
    const directory = await made(owner, "/directories", { name: "trip" });
    const upload = async (name: string) => (await owner.upload(name, png(4, 2), { path: "/trip" })).body;
    const [file, otherFile, next] = [await upload("a.png"), await upload("b.png"), await upload("c.png")];
    const photo = await made(owner, "/photos", { title: "Photo", fileID: file.id });
    const other = await made(owner, "/photos", { title: "Other", fileID: otherFile.id });
    const album = await made(owner, "/albums", { name: "Album" });
    const read = (headers = {}) => send(guest, `${api}/photos/${photo.id}`, headers);
    const isKept = async (write: () => Promise<unknown>) => {
      for (let time = 0; time < 3; time++) await read();
      await write();
      const hits = await hitsOf(server, read);
      expect(await read()).toEqual(await read(uncached));
      return hits === 1;
    };
    const put = (path: string, body: object) => async () => {
      const { status } = await owner.put(`${api}${path}`, body);
      expect([path, status]).toEqual([path, 200]);
    };
    const post = (path: string, body: object) => async () => {
      const { status } = await owner.post(`${api}${path}`, body);
      expect([path, status]).toEqual([path, status < 300 ? status : 200]);
    };
    const kept = {
      title: put(`/photos/${other.id}`, { title: "New" }),
      tags: put(`/photos/${other.id}`, { tags: ["sea"], isFavourite: true, takenAt: "2020-01-01T00:00:00Z" }),
      size: put(`/photos/${other.id}`, {
        width: 7,
        height: 8,
        showLocation: true,
        place: { latitude: 1, longitude: 2 },
      }),
      batch: post("/photos/batch", { ids: [other.id], addTags: ["sky"], retitle: { title: "Gull" } }),
      album: post(`/albums/${album.id}/photos`, { photoID: other.id }),
      own: post(`/albums/${album.id}/photos`, { photoID: photo.id }),
      "a new photo": () => made(owner, "/photos", { title: "New", fileID: file.id }),
      deletion: () => owner.delete(`${api}/photos/${other.id}`),
    };
    for (const [name, write] of Object.entries(kept)) expect([name, await isKept(write)]).toEqual([name, true]);
    const ended = {
      title: put(`/photos/${photo.id}`, { title: "New" }),
      batch: post("/photos/batch", { ids: [photo.id], addTags: ["sky"] }),
      tags: put(`/photos/${photo.id}`, { tags: ["sea"] }),
      "another file": put(`/photos/${photo.id}`, { fileID: next.id }),
      "the file's name": put(`/files/${next.id}`, { name: "d.png" }),
      "the directory's name": put(`/files/${directory.id}`, { name: "walk" }),
      "the file's visibility": put(`/files/${next.id}`, { visibility: "private" }),
      visibility: put(`/photos/${photo.id}`, { visibility: "private" }),
      "public again": put(`/photos/${photo.id}`, { visibility: "public" }),
      deletion: () => owner.delete(`${api}/photos/${photo.id}`),
    };
    for (const [name, write] of Object.entries(ended)) expect([name, await isKept(write)]).toEqual([name, false]);
  });

  test("end soon when another process has written", async () => {
    await using server = await start();
    const [owner, guest] = [await person(server, "owner"), client(server)];
    const { id } = await made(owner, "/albums", { name: "Before" });
    const read = async () => (await guest.get(`${api}/albums/${id}`)).body.name;
    for (let time = 0; time < 3; time++) await read();
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE albums SET name = 'After' WHERE id = ${id}`)),
    );
    await until(read, (name) => name === "After");
  });
});

/** Some public and some private records of each kind, which refer to each other. */
const choices = recordKinds.flatMap((kind): Choice[] =>
  [0, 1, 2, 3].map((number) => ({ kind, isPrivate: number === 2, one: number, other: number >> 1 })),
);
const steps = isLong ? 30 : 2;

test("random writes and reads give the same responses as without a cache", async () => {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));
  const next = numbersFrom(seed);
  await using first = await start();
  // Copies share the engines of a data directory; SQLite allows one server.
  const second = isScaled ? await start({ DATA_DIR: first.dataDir }) : first;
  const servers = [...new Set([first, second])];
  const world = await createWorld(first, client(first), choices);
  const writers = servers.map((server) => client(server, world.owner.token, world.owner.userID));
  const reads = listRequests(world).filter(({ method, path }) => method === "GET" && !isMedia.test(path));
  const guests = servers.map((server) => client(server));
  const readAll = () => Promise.all(guests.map((guest) => Promise.all(reads.map(({ path }) => send(guest, path, {})))));
  for (let time = 0; time < 2; time++) await readAll();

  for (let step = 0; step < steps; step++) {
    const changes: string[] = [];
    // Reads and writes at the same time: what was read before a write must not be kept after it.
    await Promise.all([
      readAll(),
      ...writers.map(async (writer) => changes.push(await changeSomething(writer, world.records, next))),
      ...writers.map(async (writer) => changes.push(await changeSomething(writer, world.records, next))),
    ]);
    for (const { path } of reads) {
      const expected = await send(world.guest, path, uncached);
      for (const guest of guests) {
        expect({ seed, step, changes, ...(await send(guest, path, {})) }).toEqual({ seed, step, changes, ...expected });
      }
    }
  }
  if (!isScaled) expect(await countHits(first)).toBeGreaterThan(steps * 20);
  if (second !== first) await second.close();
});

const isMedia = /\/(image|motion|zip|content|versions)\b|\/(trash|storage|revisions)/;

async function send(who: Client, path: string, headers: Record<string, string>) {
  const { status, body, headers: sent } = await who.get(path, headers);
  // The id of the request is a part of an error.
  const { requestID: _, ...rest } = status === 200 ? { value: body } : body;
  return {
    path,
    status,
    ...rest,
    etag: status === 200 && sent.get("etag"),
    link: sent.get("link"),
    total: sent.get("x-total-count"),
  };
}
