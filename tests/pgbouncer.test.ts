import { SQL } from "bun";
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asDaemon } from "./daemons.ts";
import { engineEnv, isScaled } from "./engine.ts";
import { type Answer, client, password } from "./kit.ts";
import { freePort, runVitrine, startVitrine } from "./process.ts";

const pgbouncer = Bun.which("pgbouncer", { PATH: `${process.env.PATH}:/usr/sbin` });
const isWanted = isScaled && (pgbouncer !== null || process.env.CI === "true");
if (isScaled && !isWanted) console.warn("Skipped: PgBouncer, which is not installed.");

const scratch = mkdtempSync(join(tmpdir(), "vitrine-pgbouncer-"));
chmodSync(scratch, 0o755);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const [, minor = "0"] =
  /PgBouncer 1\.(\d+)/.exec(pgbouncer ? Bun.spawnSync([pgbouncer, "--version"]).stdout.toString() : "") ?? [];
/** In transaction mode, earlier versions do not carry prepared statements over. Debian 12 has 1.18. */
const pool =
  Number(minor) >= 21
    ? { size: 5, settings: "pool_mode = transaction\nmax_prepared_statements = 500" }
    : { size: 60, settings: "pool_mode = session" };
const withoutPrepared = "pool_mode = transaction";

describe.if(isWanted)("behind PgBouncer", () => {
  test("three copies share connections, and every request succeeds", async () => {
    const env = await engineEnv("pooled");
    await using pooler = await startPgBouncer(env.DATABASE_URL ?? "");
    const start = () =>
      startVitrine({
        ...env,
        DATABASE_URL: pooler.url,
        DATA_DIR: mkdtempSync(join(scratch, "data-")),
      });
    const copies = [await start(), await start(), await start()] as const;
    await client(copies[0]).post("/signup", { username: "writer", password });
    const { token } = (await client(copies[0]).post("/signin", { username: "writer", password })).body;
    const { body: album } = await client(copies[0], token).post("/api/v1/albums", { name: "shared" });

    const failures: Answer[] = [];
    const note = (answer: Answer) => {
      if (answer.status >= 300) failures.push(answer);
      return answer;
    };
    await Promise.all(
      Array.from({ length: 24 }, async (_, writerIndex) => {
        for (let turn = 0; turn < 5; turn++) {
          const copy = copies[(writerIndex + turn) % 3] as (typeof copies)[number];
          const writer = client(copy, token);
          const title = `${writerIndex}/${turn}`;
          const { body: file } = note(await writer.upload(`${writerIndex}-${turn}.txt`, title));
          const { body: photo } = note(
            await writer.post("/api/v1/photos", { title, fileID: file.id, width: 1, height: 1 }),
          );
          note(await writer.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id }));
          const { body: post } = note(await writer.post("/api/v1/blog", { title, content: "x" }));
          note(await writer.post("/api/v1/comments", { content: title, blogPostID: post.id }));
          note(await client(copy).get(`/api/v1/search?q=${title}`));
        }
      }),
    );
    expect(failures).toEqual([]);
    expect((await client(copies[1]).get(`/api/v1/albums/${album.id}`)).body.photoCount).toBe(120);
    expect(await countConnections(env.DATABASE_URL ?? "")).toBeLessThanOrEqual(pool.size);
    await Promise.all(copies.map((copy) => copy.close()));
  });

  test("one that does not carry prepared statements over works by chance, or is reported in one sentence", async () => {
    const env = await engineEnv("prepared");
    await runVitrine(["user", "add", "ada", "--create"], env, `${password}\n`);
    await using pooler = await startPgBouncer(env.DATABASE_URL ?? "", { size: 5, settings: withoutPrepared });
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => runVitrine(["user", "list"], { ...env, DATABASE_URL: pooler.url })),
    );
    for (const { code, stderr } of starts) {
      if (code !== 0) expect(stderr).toMatch(/^vitrine: .* use PgBouncer 1\.21 or later .*\n$/);
    }
  }, 180_000);
});

/** The configuration of docs/scaling.md, with a small pool. */
async function startPgBouncer(databaseURL: string, { size, settings: mode } = pool) {
  const { hostname, port, pathname, username } = new URL(databaseURL);
  const own = await freePort();
  const directory = mkdtempSync(join(scratch, "pooler-"));
  chmodSync(directory, 0o755);
  const [settings, users] = [join(directory, "pgbouncer.ini"), join(directory, "users.txt")];
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
${mode}
default_pool_size = ${size}
max_client_conn = 1000
`,
  );
  // It runs as another user, and a server that ran in this process before may have changed the umask.
  for (const file of [settings, users]) chmodSync(file, 0o644);
  const child = Bun.spawn(asDaemon(pgbouncer ?? "pgbouncer", settings), { stdout: "ignore", stderr: "ignore" });
  const url = `postgres://${username}@127.0.0.1:${own}${pathname}`;
  for (let tries = 0; !(await canConnect(url)); tries++) {
    if (tries === 100) throw new Error("PgBouncer does not respond.");
    await Bun.sleep(100);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function canConnect(url: string): Promise<boolean> {
  const database = new SQL(url, { max: 1, prepare: false });
  try {
    await database`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await database.close({ timeout: 0 }).catch(() => {});
  }
}

/** The connections to this database, without ours. */
async function countConnections(url: string): Promise<number> {
  const database = new SQL(url, { max: 1 });
  const [row] = await database`
    SELECT count(*)::int AS connections FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await database.close();
  return row.connections;
}
