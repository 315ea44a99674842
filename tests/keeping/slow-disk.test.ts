// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about the files of SQLite.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { slowCommits } from "../../src/platform/database/writer.ts";
import { type Client, client, uncached } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { readUntil, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { describeOnSlowDisk, useSlowDisk } from "../kit/faults/slow-disk.ts";
import { useScratch } from "../kit/scratch.ts";

const dataDir = useScratch();
const env = { DATA_DIR: dataDir, JWT_SECRET: "a secret that survives the restart of this test" };
describeOnSlowDisk("a server on a slow disk", () => {
  const disk = useSlowDisk(dataDir);
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
    server = await startVitrine({ ...env, ...disk.env });
    owner = await person(server, "owner");
    for (let count = 0; count < slowCommits; count++) await createAlbum();
    expect(await readUntil(server.process.stderr, "\n")).toContain("the disk is slow: from now on, a thread");
  });
  afterAll(() => server.close());

  test("answers other requests while a write waits for the disk", async () => {
    const guest = client(server);
    disk.begin("blocked");
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
    disk.end("blocked");
    expect((await write).status).toBe(201);
  });

  test("refuses a write that the disk does not take, and the next one is stored", async () => {
    disk.begin("failing");
    const refused = await createAlbum();
    expect([refused.status, refused.body.code]).toEqual([500, "unavailable"]);
    disk.end("failing");
    const twice = await Promise.all([createAlbum(), owner.post("/api/v1/albums", { name: "" }), createAlbum()]);
    expect(twice.map(({ status }) => status)).toEqual([201, 400, 201]);
  });

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
  });
});
