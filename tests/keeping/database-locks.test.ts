// Runs on the embedded engines only: it is about the files of SQLite.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { listSnapshots } from "../../src/platform/database/upgrade-snapshots.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { findProgram } from "../kit/optional.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { testLong } from "../kit/long.ts";

/**
 * SQLite holds POSIX locks while it has a database open, and a process loses them when it opens and closes the same file in any
 * other way. Another program that opens the database then takes the server for one that has ended.
 */

const scratch = useScratch();

const sqlite3 = findProgram("sqlite3");
/** Bytes that SQLite locks: of the database, while it is open; of the index of its log, while that is used. */
const [sharedByte, usedByte] = [1_073_741_826, 128];

/** Whether this process holds a lock on this byte of the file; null where the system does not tell. */
function isLocked(pid: number, file: string, byte: number): boolean | null {
  if (!existsSync("/proc/locks")) return null;
  const { ino } = statSync(file);
  const held = new RegExp(String.raw`POSIX +ADVISORY +\w+ ${pid} \w+:\w+:${ino} (\d+) (\d+)`, "g");
  return [...readFileSync("/proc/locks", "utf8").matchAll(held)].some(
    ([, first, last]) => Number(first) <= byte && byte <= Number(last),
  );
}

function expectLocks(pid: number, dataDir: string): void {
  const database = join(dataDir, "vitrine.db");
  const held = [isLocked(pid, database, sharedByte), isLocked(pid, `${database}-shm`, usedByte)];
  expect(held.filter((one) => one !== null)).not.toContain(false);
}

/** Other programs open the database, one after another, while the server writes. All writes are there afterwards. */
async function expectServingBeside(env: Record<string, string>, server: Awaited<ReturnType<typeof startVitrine>>) {
  const { body } = await client(server).post("/signin", { username: "writer", password });
  const writer = client(server, body.token);
  const titles: string[] = [];
  const ending = new AbortController();
  const writing = (async () => {
    while (!ending.signal.aborted) {
      const title = `Post ${titles.length}`;
      expect((await writer.post("/api/v1/blog", { title, content: "…" })).status).toBe(201);
      titles.push(title);
    }
  })();
  for (let time = 0; time < 10; time++) {
    expect(await runVitrine(["user", "list"], env)).toMatchObject({ code: 0, stderr: "" });
    if (!sqlite3) continue;
    const query = Bun.spawn([
      sqlite3,
      "-readonly",
      join(env.DATA_DIR ?? "", "vitrine.db"),
      "SELECT count(*) FROM posts",
    ]);
    expect(Number(await new Response(query.stdout).text())).toBeGreaterThanOrEqual(0);
  }
  ending.abort();
  await writing;
  expect(server.process.exitCode).toBeNull();
  expect(titles.length).toBeGreaterThan(0);
  const { headers } = await writer.get("/api/v1/blog?page=1&pageSize=1");
  expect(Number(headers.get("x-total-count"))).toBeGreaterThanOrEqual(titles.length);
  expectLocks(server.process.pid, env.DATA_DIR ?? "");
}

describe("a server whose database other programs open beside it", () => {
  testLong(
    "goes on after a start that follows a kill",
    async () => {
      const env = { DATA_DIR: newDirectory(scratch) };
      await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
      const killed = await startVitrine(env);
      const { body } = await client(killed).post("/signin", { username: "writer", password });
      await client(killed, body.token).post("/api/v1/blog", { title: "Before", content: "…" });
      killed.process.kill("SIGKILL");
      await killed.process.exited;
      await using server = await startVitrine(env);
      expectLocks(server.process.pid, env.DATA_DIR);
      await expectServingBeside(env, server);
    },
    180_000,
  );

  test("keeps its locks when an upgrade has copied the database", async () => {
    const env = { DATA_DIR: newDirectory(scratch) };
    await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
    const folder = newDirectory(scratch);
    writeFileSync(join(folder, "9001_more.sqlite.sql"), "CREATE TABLE more (id INTEGER PRIMARY KEY);");
    const schema = { ...schemaOf(modules), migrations: [pathToFileURL(`${folder}/`)] };
    const db = await openSqlite(join(env.DATA_DIR, "vitrine.db"), { schema });
    expect(listSnapshots(env.DATA_DIR).length).toBe(1);
    expectLocks(process.pid, env.DATA_DIR);
    await db.close();
  });
});
