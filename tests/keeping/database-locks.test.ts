// Runs on the embedded engines only: it is about the files of SQLite.
import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { listSnapshots } from "../../src/platform/database/upgrade-snapshots.ts";
import { client } from "../kit/client.ts";
import { isLong } from "../kit/long.ts";
import { admin, password } from "../kit/people.ts";
import { findForCheck } from "../kit/optional.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { watchLocks } from "../kit/sqlite-locks.ts";
import { until } from "../kit/until.ts";

/** Another program that opens the database must not take the server for one that has ended (`tests/kit/sqlite-locks.ts`). */

const scratch = useScratch();

const sqlite3 = findForCheck("sqlite3");
/** So many times, each of the programs opens the database. */
const opens = isLong ? 100 : 3;
const writers = 4;

async function createSite() {
  const env = { DATA_DIR: newDirectory(scratch) };
  await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
  return env;
}

async function signIn(server: Awaited<ReturnType<typeof startVitrine>>) {
  const { body } = await client(server).post("/signin", { username: "writer", password });
  return client(server, body.token);
}

/** Other programs open the database, one after another, while the server writes. All writes are there afterwards. */
async function expectServingBeside(dataDir: string, server: Awaited<ReturnType<typeof startVitrine>>) {
  const writer = await signIn(server);
  let written = 0;
  const ending = new AbortController();
  const writing = Promise.all(
    Array.from({ length: writers }, async () => {
      while (!ending.signal.aborted) {
        expect((await writer.post("/api/v1/blog", { title: "Written", content: "…" })).status).toBe(201);
        written++;
      }
    }),
  );
  for (let time = 0; time < opens; time++) {
    expect(await runVitrine(["user", "list"], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: "" });
    if (!sqlite3) continue;
    const counting = [sqlite3, "-readonly", join(dataDir, "vitrine.db"), "SELECT count(*) FROM posts"];
    const counted = Bun.spawn(counting, { stdout: "pipe" });
    expect(Number(await new Response(counted.stdout).text())).toBeGreaterThan(0);
  }
  ending.abort();
  await writing;
  expect(server.process.exitCode).toBeNull();
  expect(written).toBeGreaterThan(0);
  const { headers } = await writer.get("/api/v1/blog?page=1&pageSize=1");
  expect(Number(headers.get("x-total-count"))).toBeGreaterThanOrEqual(written);
}

describe("a server whose database other programs open beside it", () => {
  test("goes on after a start that follows a kill", async () => {
    const env = await createSite();
    const killed = await startVitrine(env);
    await (await signIn(killed)).post("/api/v1/blog", { title: "Before", content: "…" });
    killed.process.kill("SIGKILL");
    await killed.process.exited;
    await using server = await startVitrine(env);
    const findLost = watchLocks(server.process.pid, env.DATA_DIR);
    expect(findLost()).toEqual([]);
    await expectServingBeside(env.DATA_DIR, server);
    expect(findLost()).toEqual([]);
  });

  test("leaves its own files alone in a folder that it imports, under whatever name", async () => {
    const allowed = newDirectory(scratch);
    await using server = await startServer({ IMPORT_DIR: allowed });
    const root = await admin(server);
    mkdirSync(join(allowed, "folder"));
    for (const name of ["vitrine.db", "vitrine.db-shm", "lock"])
      linkSync(join(server.dataDir, name), join(allowed, "folder", name));
    const findLost = watchLocks(process.pid, server.dataDir);
    const importing = async (folder: string) => {
      const { body } = await root.post("/api/v1/imports", { folder });
      const read = async () => (await root.get(`/api/v1/imports/${body.id}`)).body;
      return until(read, ({ status }) => status !== "running");
    };
    expect((await importing("folder")).items).toMatchObject({ added: 0, refused: 3 });
    expect((await importing("folder/vitrine.db")).failure).toContain("It is the database of this site.");
    expect(findLost()).toEqual([]);
  });

  test("keeps its locks when an upgrade has copied the database", async () => {
    const env = await createSite();
    const folder = newDirectory(scratch);
    writeFileSync(join(folder, "9001_more.sqlite.sql"), "CREATE TABLE more (id INTEGER PRIMARY KEY);");
    const schema = { ...schemaOf(modules), migrations: [pathToFileURL(`${folder}/`)] };
    const db = await openSqlite(join(env.DATA_DIR, "vitrine.db"), { schema });
    expect(listSnapshots(env.DATA_DIR).length).toBe(1);
    expect(watchLocks(process.pid, env.DATA_DIR)()).toEqual([]);
    await db.close();
  });
});
