// Runs on other engines only with TEST_LONG: the statements that delete by age run in other tests on all engines.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/engines.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { engineEnv } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { readUntil, runVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const day = 86_400_000;
/** Jobs first run ten seconds after the start. */
const firstJobs = 14_000;

test("a start with a clock that is far ahead, or behind, deletes nothing because of its age until somebody confirms it", async () => {
  const dataDir = newDirectory(scratch);
  const env = { DATA_DIR: dataDir, ...(await engineEnv(dataDir)) };
  await startAndStop(env, async (url) => {
    await client({ url }).post("/signup", { username: "writer", password });
    const { body } = await client({ url }).post("/signin", { username: "writer", password });
    const writer = client({ url }, body.token);
    const post = await writer.post("/api/v1/blog", { title: "Kept", content: "x" });
    expect((await writer.delete(`/api/v1/blog/${post.body.id}`)).status).toBe(200);
  });
  // To the next start, the clock seems to have jumped: the trash is 40 days old, and so is the last run.
  await inDatabase(env, async (db) => {
    await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE trash SET deleted_at = deleted_at - ${40 * day}`);
      await tx.run(sql`UPDATE activity SET created_at = created_at - ${40 * day}`);
      await tx.run(sql`DELETE FROM settings WHERE name = 'last-run'`);
    });
  });
  expect(await startAndStop(env, () => Bun.sleep(firstJobs))).toContain("Is the clock right?");
  expect(await countTrash(env)).toBe(1);

  expect((await runVitrine(["confirm", "clock"], env)).code).toBe(0);
  await startAndStop(env, () =>
    inDatabase(env, (db) =>
      until(
        () => countIn(db),
        (count) => count === 0,
      ),
    ),
  );
  expect(await countTrash(env)).toBe(0);

  await inDatabase(env, async (db) => {
    await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE settings SET value = ${String(Date.now() + 2 * day)} WHERE name = 'last-run'`);
    });
  });
  expect(await startAndStop(env)).toContain("Is the clock right?");
});

// The clock is moved by a signal.
test.skipIf(process.platform === "win32")(
  "a clock that jumps while the server runs deletes nothing because of its age, and admins are told",
  async () => {
    const dataDir = newDirectory(scratch);
    const metricsToken = "a token for the metrics";
    const preload = { BUN_OPTIONS: `--preload ${join(import.meta.dir, "../kit/movable-clock.ts")}` };
    const env = { DATA_DIR: dataDir, METRICS_TOKEN: metricsToken, ...(await engineEnv(dataDir)) };
    await runVitrine(["user", "add", "chief", "--role", "admin", "--create"], env, `${password}\n`);
    const server = await startVitrine({ ...env, ...preload });
    const chief = client(server, await tokenOf(server, "chief"));
    const { body } = await chief.post("/api/v1/blog", { title: "Kept", content: "x" });
    expect((await chief.delete(`/api/v1/blog/${body.id}`)).status).toBe(200);
    server.process.kill("SIGUSR2");
    const readMetrics = () => client(server).get<string>("/metrics", { Authorization: `Bearer ${metricsToken}` });
    await until(readMetrics, ({ body }) => haveAllBegun(body), 180_000);
    expect(await countTrash(env)).toBe(1);
    // The token is older than it may be, to the server.
    const later = client(server, await tokenOf(server, "chief"));
    expect((await later.get("/api/v1/attention")).body.deletionsHeld).toBe(true);
    expect((await later.post("/api/v1/clock/confirmation")).status).toBe(200);
    expect((await later.get("/api/v1/attention")).body.deletionsHeld).toBe(false);
    await server.close();
    expect(await readUntil(server.process.stderr)).toContain("jumped 960 hours ahead");
  },
);

const tokenOf = async (server: { url: string }, username: string): Promise<string> =>
  (await client(server).post("/signin", { username, password })).body.token;

/** Jobs begin one after the other, in the order of the metrics. The last one deletes nothing, so that it is not held. */
function haveAllBegun(metrics: string): boolean {
  const tasks = [...metrics.matchAll(/^vitrine_job_runs_total\{task="([^"]+)",result="failed"\}/gm)];
  return metrics.includes(`vitrine_job_runs_total{task="${tasks.at(-1)?.[1]}",result="done"}`);
}

type Env = Record<string, string>;

/** Returns what the server has logged. */
async function startAndStop(env: Env, work: (url: string) => Promise<unknown> = async () => {}): Promise<string> {
  const server = await startVitrine(env);
  await work(server.url);
  await server.close();
  return (await readUntil(server.process.stdout)) + (await readUntil(server.process.stderr));
}

async function inDatabase<Result>(env: Env, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await openDatabase(readConfig(env));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const countTrash = (env: Env): Promise<number> => inDatabase(env, countIn);

const countIn = async (db: Database): Promise<number> =>
  (await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM trash`))?.count ?? 0;
