// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it puts proxies before the other engines itself.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { makeDatabase } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { type Proxy, startProxy, through } from "../kit/faults/tcp-proxy.ts";
import { isLong } from "../kit/long.ts";
import { needs, serverNames } from "../kit/optional.ts";
import { until } from "../kit/until.ts";

const databaseURL = process.env.TEST_DATABASE_URL;
const storageURL = process.env.TEST_S3_URL;
const redisURL = process.env.TEST_REDIS_URL;

needs(serverNames, Boolean(databaseURL)).describe("when the database", () => {
  const dataDir = useScratch();
  let proxy: Proxy;
  let server: TestServer;
  let owner: Client;
  let guest: Client;

  beforeAll(async () => {
    const url = await makeDatabase();
    const { hostname, port } = new URL(url);
    proxy = await startProxy({ host: hostname, port: Number(port) });
    server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: through(url, proxy) });
    owner = await person(server, "owner");
    guest = client(server);
  });
  afterAll(async () => {
    proxy.setMode("normal");
    await server.close();
    await proxy.close();
  });

  const write = () => owner.post("/api/v1/albums", { name: crypto.randomUUID() });
  const works = async () => (await write()).status === 201;

  test.each(isLong ? (["refusing", "silent"] as const) : (["silent"] as const))(
    "is %s, requests fail with a sentence, /readyz fails and /livez does not; afterwards all works again after one failure at most",
    async (mode) => {
      expect((await write()).status).toBe(201);
      proxy.setMode(mode);
      // It waits for this long by default, and not without an end: the mode stays as it is until all have failed.
      expect(readConfig({ DATABASE_URL: "postgres://db/site" }).database).toMatchObject({ timeoutMs: 4500 });
      for (const send of [() => guest.get(`/api/v1/photos?x=${Math.random()}`), write, () => owner.get("/api/v1/me")]) {
        const { status, body } = await send();
        expect(status).toBe(500);
        expect(body.error).toContain("database");
      }
      expect((await guest.get("/readyz")).status).toBe(503);
      expect((await guest.get("/livez")).status).toBe(200);
      proxy.setMode("normal");
      const statuses = [(await write()).status, (await write()).status];
      expect([statuses.at(-1), (await guest.get("/readyz")).status]).toEqual([201, 200]);
    },
  );

  test("drops its connections repeatedly, no acknowledged write is lost or duplicated", async () => {
    const acknowledged: string[] = [];
    // On a busy machine, a write may need longer than the first pauses: they grow until writes get through.
    let pause = 150;
    const over = new AbortController();
    const storm = (async () => {
      for (let seen = 0; !over.signal.aborted; await Bun.sleep(pause)) {
        proxy.cut();
        pause = acknowledged.length > seen ? 150 : pause + 30;
        seen = acknowledged.length;
      }
    })();
    const writers = Array.from({ length: 4 }, async () => {
      const end = performance.now() + 4000;
      while (performance.now() < end || acknowledged.length <= 10) {
        const name = crypto.randomUUID();
        const { status } = await owner.post("/api/v1/albums", { name });
        expect([201, 500]).toContain(status);
        if (status === 201) acknowledged.push(name);
      }
    });
    await Promise.all(writers);
    over.abort();
    await storm;
    await until(works);
    const names: string[] = [];
    for (let page = 1; ; page++) {
      const { body } = await guest.get(`/api/v1/albums?pageSize=1000&page=${page}`);
      names.push(...body.map((album: any) => album.name));
      if (body.length < 1000) break;
    }
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("is slow, reads still work, and writes afterwards", async () => {
    proxy.setMode("slow");
    expect((await guest.get(`/api/v1/photos?x=${Math.random()}`)).status).toBe(200);
    proxy.setMode("normal");
    await until(works);
  });
});

needs(serverNames, Boolean(storageURL)).describe("when the file storage", () => {
  const dataDir = useScratch();
  let proxy: Proxy;
  let server: TestServer;
  let owner: Client;

  beforeAll(async () => {
    const url = new URL(storageURL ?? "");
    const endpoint = url.searchParams.get("endpoint") ?? "";
    const { hostname, port } = new URL(endpoint);
    proxy = await startProxy({ host: hostname, port: Number(port) });
    url.searchParams.set("endpoint", through(endpoint, proxy).replace(/\/$/, ""));
    const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
    server = await startServer({ DATA_DIR: dataDir, STORAGE_URL: url.href, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    owner = await person(server, "owner");
  });
  afterAll(async () => {
    proxy.setMode("normal");
    await server.close();
    await proxy.close();
  });

  test.each(["refusing", "silent"] as const)(
    "is %s, uploads and downloads fail with a sentence and leave nothing behind, lists still work; afterwards all works again",
    async (mode) => {
      const { body: file } = await owner.upload("before.txt", `before it was ${mode}`);
      const before = (await owner.get("/api/v1/files")).body.length;
      proxy.setMode(mode);
      for (const send of [() => owner.upload("during.txt", crypto.randomUUID()), () => owner.get(file.url)]) {
        const { status, body } = await send();
        expect(status).toBe(500);
        expect(body.error).toContain("storage");
      }
      expect((await owner.get(`/api/v1/files?n=${mode}`)).body).toHaveLength(before);
      proxy.setMode("normal");
      await until(
        () => owner.upload("after.txt", crypto.randomUUID()),
        ({ status }) => status === 201,
      );
      expect((await owner.get(file.url)).body).toBe(`before it was ${mode}`);
    },
  );
});

needs(serverNames, Boolean(redisURL)).describe("when Redis", () => {
  test.each(["refusing", "silent", "slow"] as const)("is %s, requests are served and still limited", async (mode) => {
    const { hostname, port } = new URL(redisURL ?? "");
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    await using server = await startServer({
      REDIS_URL: through(`${redisURL}/15`, proxy),
      RATE_LIMIT_PER_SECOND: "5",
      RATE_LIMIT_BURST: "20",
    });
    const guest = client(server);
    expect((await guest.get("/api/v1/photos")).status).toBe(200);
    proxy.setMode(mode);
    const answers = await Promise.all(Array.from({ length: 60 }, () => guest.get("/api/v1/photos")));
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThan(0);
    expect(allowed).toBeLessThanOrEqual(30);
    expect(server.logged().match(/Redis is unavailable/g)).toHaveLength(1);
    await proxy.close();
  });
});
