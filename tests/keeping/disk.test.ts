// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about the files of SQLite and of the local disk.
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { client, uncached } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { readAnyFile, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";

/** The data directory vanishes, or becomes read-only, under a running server. */

const scratch = useScratch();
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(without: string[] = []) {
  const parent = newDirectory(scratch);
  const dataDir = join(parent, "data");
  const server = await startVitrine({ DATA_DIR: dataDir }, undefined, without);
  running.push(server);
  const owner = await person(server, "owner");
  const guest = client(server);
  const isReady = async () => (await guest.get("/readyz")).status === 200;
  const write = () => owner.post("/api/v1/albums", { name: crypto.randomUUID() });
  const upload = () => owner.upload(`${crypto.randomUUID()}.txt`, crypto.randomUUID());
  expect([(await write()).status, (await upload()).status, await isReady()]).toEqual([201, 201, true]);
  // Right after a write, the next one is found to be lost only at its end: it is refused, but was visible.
  await Bun.sleep(100);
  return { server, parent, dataDir, owner, guest, write, upload, isReady };
}

/** Neither rows nor bytes are accepted, /readyz says why, and reads go on. */
async function expectRefused({ owner, guest, write, upload, isReady }: Awaited<ReturnType<typeof start>>, why: string) {
  const refused = [await write(), await upload(), await owner.delete("/api/v1/albums/1"), await write()];
  for (const { status, body } of refused) {
    expect(status).toBe(500);
    expect([body.code, body.error]).toEqual(["unavailable", expect.stringContaining(why)]);
  }
  await until(async () => !(await isReady()));
  expect((await guest.get("/readyz")).body.error).toContain(why);
  expect((await guest.get("/livez")).status).toBe(200);
  expect((await guest.get("/api/v1/albums", uncached)).body).toHaveLength(1);
  expect((await guest.get("/")).status).toBe(200);
}

describe("nothing is acknowledged after the data directory", () => {
  test("was moved away; when it is back, the server goes on", async () => {
    const site = await start();
    renameSync(site.dataDir, join(site.parent, "elsewhere"));
    await expectRefused(site, "removed or replaced");
    renameSync(join(site.parent, "elsewhere"), site.dataDir);
    await until(site.isReady);
    expect([(await site.write()).status, (await site.upload()).status]).toEqual([201, 201]);
    await site.server.close();
    const log = await new Response(site.server.process.stderr).text();
    const lines = log.split("\n").filter((line) => line.includes("DATA_DIR was removed or replaced"));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "").level).toBe("error");
  });

  test("was deleted", async () => {
    const site = await start();
    rmSync(site.dataDir, { recursive: true });
    expect((await site.write()).status).toBe(500);
    expect((await site.upload()).status).toBe(500);
    await until(async () => !(await site.isReady()));
  });

  test("was replaced by an empty one, or by a copy", async () => {
    const site = await start();
    const old = join(site.parent, "old");
    renameSync(site.dataDir, old);
    mkdirSync(site.dataDir);
    await expectRefused(site, "removed or replaced");
    cpSync(old, site.dataDir, { recursive: true });
    await expectRefused(site, "removed or replaced");
  });

  test.each(["vitrine.db", "vitrine.db-wal"])("has lost its %s", async (name) => {
    const site = await start();
    rmSync(join(site.dataDir, name));
    expect((await site.write()).status).toBe(500);
    await until(async () => !(await site.isReady()));
  });

  test("has become read-only; when it is writable, the server goes on", async () => {
    const site = await start(readAnyFile);
    chmodSync(site.dataDir, 0o500);
    await expectRefused(site, "read-only");
    chmodSync(site.dataDir, 0o700);
    await until(site.isReady);
    expect([(await site.write()).status, (await site.upload()).status]).toEqual([201, 201]);
  });
});
