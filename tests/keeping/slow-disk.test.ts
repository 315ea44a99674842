// Runs on the embedded engines only: it is about the files of SQLite.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { slowCommits } from "../../src/platform/database/writer.ts";
import { type Client, client, person, uncached } from "../kit/kit.ts";
import { readUntil, startVitrine } from "../kit/process.ts";
import { makeSlowDisk, onSlowDisk } from "../kit/faults/slow-disk.ts";
import { until } from "../kit/until.ts";

const dataDir = mkdtempSync(join(tmpdir(), "vitrine-slow-"));
const disk = makeSlowDisk(dataDir);
const env = { DATA_DIR: dataDir, JWT_SECRET: "a secret that survives the restart of this test" };
onSlowDisk(disk).describe("a server on a slow disk", () => {
  let server: Awaited<ReturnType<typeof startVitrine>>;
  let owner: Client;
  const acknowledged: string[] = [];

  async function createAlbum() {
    const name = crypto.randomUUID();
    const answer = await owner.post("/api/v1/albums", { name });
    if (answer.status === 201) acknowledged.push(name);
    return answer;
  }

  beforeAll(async () => {
    server = await startVitrine({ ...env, ...disk?.env });
    owner = await person(server, "owner");
    for (let count = 0; count < slowCommits; count++) await createAlbum();
    expect(await readUntil(server.process.stderr, "\n")).toContain("the disk is slow: from now on, a thread");
  }, 180_000);
  afterAll(async () => {
    disk?.remove();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("answers other requests while a write waits for the disk", async () => {
    const guest = client(server);
    disk?.begin("blocked");
    const state = { isPending: true };
    const write = createAlbum().finally(() => (state.isPending = false));
    const statuses = new Set<number>();
    for (let count = 0; count < 50; count++) {
      const answers = [
        await guest.get("/livez"),
        await guest.get("/api/v1/albums", uncached),
        await owner.get("/api/v1/me"),
      ];
      for (const { status } of answers) statuses.add(status);
    }
    expect([[...statuses], state.isPending]).toEqual([[200], true]);
    disk?.end("blocked");
    expect((await write).status).toBe(201);
  }, 180_000);

  test("refuses a write that the disk does not take, and the next one is stored", async () => {
    disk?.begin("failing");
    const refused = await createAlbum();
    expect([refused.status, refused.body.code]).toEqual([500, "unavailable"]);
    disk?.end("failing");
    const twice = await Promise.all([createAlbum(), owner.post("/api/v1/albums", { name: "" }), createAlbum()]);
    expect(twice.map(({ status }) => status)).toEqual([201, 400, 201]);
  }, 180_000);

  test("has every acknowledged write after it was killed", async () => {
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) await createAlbum();
    });
    const before = acknowledged.length;
    await until(() => acknowledged.length >= before + 8);
    server.process.kill("SIGKILL");
    await Promise.allSettled(writers);
    const { token } = owner;
    server = await startVitrine(env);
    const { body } = await client(server, token).get("/api/v1/albums?pageSize=1000");
    const names = body.map(({ name }: { name: string }) => name);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  }, 180_000);
});
