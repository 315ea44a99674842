// Runs on the embedded engines only: another program locks the file of SQLite.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Client, client, uncached } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { person } from "../kit/people.ts";
import { readUntil, startVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { useOpened } from "../kit/use-opened.ts";
import { testLong } from "../kit/long.ts";

/** Another program locks the database of a running server. */

const dataDir = useScratch();
const server = useOpened(() => startVitrine({ DATA_DIR: dataDir }));
const guest = client(server);
let owner: Client;
const acknowledged: string[] = [];

beforeAll(async () => {
  owner = await person(server, "owner");
});

async function createAlbum() {
  const name = crypto.randomUUID();
  const answer = await owner.post("/api/v1/albums", { name });
  if (answer.status === 201) acknowledged.push(name);
  return answer;
}

/** Until `release`, no other process can write. */
async function lock() {
  const script = `
    const { Database } = require("bun:sqlite");
    const db = new Database(process.argv[1]);
    db.run("BEGIN EXCLUSIVE");
    console.log("locked");
    process.stdin.once("end", () => { db.run("ROLLBACK"); db.close(); process.exit(); }).resume();`;
  const child = Bun.spawn([process.execPath, "--no-orphans", "-e", script, join(dataDir, "vitrine.db")], {
    stdin: "pipe",
    stdout: "pipe",
  });
  await readUntil(child.stdout, "locked");
  return async () => {
    void child.stdin.end();
    await child.exited;
  };
}

/** How many of these requests, sent one after the other, were answered before the work ended. */
async function countMeanwhile(work: Promise<unknown>, send: () => Promise<{ status: number }>): Promise<number> {
  const state = { isDone: false };
  void work.then(() => (state.isDone = true));
  let answered = 0;
  while (!state.isDone) {
    expect((await send()).status).toBe(200);
    if (!state.isDone) answered++;
    await Bun.sleep(10);
  }
  return answered;
}

testLong(
  "a locked database does not stop the server: writes wait, and say that it is busy; all else is answered",
  async () => {
    expect((await createAlbum()).status).toBe(201);
    const release = await lock();
    const writes = Promise.all([
      createAlbum(),
      owner.post("/api/v1/shares", { kind: "album", id: 1 }),
      ...Array.from({ length: 10 }, createAlbum),
    ]);
    const [alive, read] = await Promise.all([
      countMeanwhile(writes, () => guest.get("/livez")),
      countMeanwhile(writes, () => guest.get("/api/v1/albums", uncached)),
    ]);
    const [base, own, ...others] = await writes;
    expect(alive).toBeGreaterThan(30);
    expect(read).toBeGreaterThan(30);
    expect([base.status, base.body.code, base.headers.get("retry-after")]).toEqual([500, "busy", "5"]);
    expect(base.body.error).toContain("locked");
    expect([own.status, own.body.code, own.headers.get("retry-after")]).toEqual([503, "busy", "5"]);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 500));
    await release();
    expect((await createAlbum()).status).toBe(201);
  },
);

test("reads that write something beside do not wait for the lock", async () => {
  const { body: file } = await owner.upload("a.png", png(40, 30));
  expect((await owner.post("/api/v1/photos", { title: "Locked", fileID: file.id })).status).toBe(201);
  const release = await lock();
  const state = { isAnswered: false };
  const write = createAlbum().finally(() => (state.isAnswered = true));
  const reads = ["/api/v1/search?q=locked", "/api/v1/photos/duplicates"].map((path) => owner.get(path));
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200]);
  expect(state.isAnswered).toBe(false);
  await release();
  await write;
});

test("a write that waited for the lock is stored once it is released, and one that was refused is not", async () => {
  const release = await lock();
  const writes = Promise.all([createAlbum(), createAlbum()]);
  expect(await Promise.race([writes.then(() => "answered"), Bun.sleep(500).then(() => "waiting")])).toBe("waiting");
  await release();
  expect((await writes).map(({ status }) => status)).toEqual([201, 201]);
  const { body } = await guest.get("/api/v1/albums?pageSize=1000", uncached);
  expect(body.map(({ name }: { name: string }) => name).toSorted()).toEqual(acknowledged.toSorted());
  expect((await owner.get("/api/v1/shares")).body).toEqual([]);
});
