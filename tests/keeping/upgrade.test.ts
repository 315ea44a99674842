import { SQL } from "bun";
import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../src/platform/version.ts";
import { describeScaled, engineEnv, isScaled } from "../kit/engine.ts";
import { type Answer, type Client, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { freePort, makeVersion, readUntil, runVitrine, spawnVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { isLong, testLong } from "../kit/long.ts";

const scratch = useScratch();

type Environment = Record<string, string>;
type Copy = Awaited<ReturnType<typeof startVitrine>>;

const site = async (): Promise<Environment> => {
  const dataDir = newDirectory(scratch);
  return { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
};

const [major = 0, minor = 0] = version.split(".").map(Number);
const nextMinor = `${major}.${minor + 1}.0`;
const nextMinorButOne = `${major}.${minor + 2}.0`;
const nextMajor = `${major + 1}.0.0`;

/** What the next minor version may do: only additions. */
const expand = readFileSync(join(import.meta.dir, "../fixtures/migrations/9001_added.sql"), "utf8");

const programs: Record<string, string> = {};
beforeAll(() => {
  const others = isLong || isScaled ? [nextMinor, nextMinorButOne, nextMajor] : [nextMinor];
  for (const other of others) {
    programs[other] = makeVersion(newDirectory(scratch), other, { "9001_added.sql": expand });
  }
});

describe("a start that upgrades a site", () => {
  testLong("says what it does and how long it took, and meanwhile answers with a page", async () => {
    const env = await site();
    await (await startVitrine(env)).close();
    const slow = `-- count slowly
CREATE TABLE counted AS WITH RECURSIVE counter (number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM counter WHERE number < 6000000) SELECT max(number) AS most FROM counter;`;
    const program = makeVersion(newDirectory(scratch), nextMinor, { "9002_slow.sql": slow });
    const port = await freePort();
    const child = spawnVitrine(["serve"], { ...env, PORT: String(port), DRAIN_SECONDS: "0" }, { program });
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => null);
      return response && { status: response.status, headers: response.headers, text: await response.text() };
    };
    let printed = await readUntil(child.stdout, "9002_slow.sql: ");
    const browser = { Accept: "text/html,*/*;q=0.8" };
    const [live, ready, page, german, api] = await Promise.all([
      ask("/livez"),
      ask("/readyz"),
      ask("/blog", browser),
      ask("/", { ...browser, "Accept-Language": "de-AT,de;q=0.9" }),
      ask("/api/v1/photos"),
    ]);
    expect([live?.status, ready?.status, page?.status, german?.status, api?.status]).toEqual([200, 503, 503, 503, 503]);
    expect(page?.text).toContain("This site is being upgraded and will be back shortly.");
    expect(page?.headers.get("retry-after")).toBe("5");
    expect(page?.headers.get("cache-control")).toBe("no-store");
    expect(german?.text).toContain("Diese Website wird gerade aktualisiert");
    expect(JSON.parse(api?.text ?? "")).toMatchObject({ error: expect.any(String), code: "busy" });
    printed += await readUntil(child.stdout, "Data is in");
    expect(printed).toMatch(
      /^The database is being upgraded: one migration\.\n  (snapshot: \S+-version-\S+-before-upgrade\.db|no snapshot, because this is PostgreSQL: [^\n]+)\n  9002_slow\.sql: count slowly\nThe upgrade took \d+\.\d s\.\nVitrine is running at /,
    );
    expect((await ask("/readyz"))?.status).toBe(200);
    expect((await ask("/blog", browser))?.status).toBe(200);
    child.kill("SIGINT");
    await child.exited;
  });

  test("that fails has changed nothing, and says one sentence", async () => {
    const env = await site();
    await (await startVitrine(env)).close();
    const before = await stateOf(env);
    const wrong = "CREATE TABLE half (id ID);\nINSERT INTO nowhere (id) VALUES (1);";
    const program = makeVersion(newDirectory(scratch), nextMinor, { "9003_wrong.sql": wrong });
    const { code, stderr } = await runVitrine(["serve"], { ...env, PORT: "0" }, "", program);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^vitrine: [^\n]*nowhere[^\n]*\n$/)]);
    expect((await stateOf(env)).tables).toEqual(before.tables);
    if (!isScaled) expect(readdirSync(join(env.DATA_DIR ?? "", "upgrades"))).toEqual([]);
  });
});

describe("a site of a development version before 1.0", () => {
  test("that has migrations is refused with one sentence, and nothing is changed", async () => {
    const env = await site();
    await write(env, [
      "CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)",
      "INSERT INTO migrations (name, applied_at) VALUES ('0001_start.sql', 0)",
    ]);
    if (!isScaled) writeFileSync(join(env.DATA_DIR ?? "", "format"), "85\n");
    const before = await stateOf(env);
    for (const words of [["serve"], ["migrate"], ...(isLong ? [["doctor"], ["user", "list"]] : [])]) {
      const { code, stderr } = await runVitrine(words, { ...env, PORT: "0" });
      expect([words, code, stderr]).toEqual([words, 1, unreleased("commit 91f496a4")]);
    }
    if (!isScaled) expect(await stateOf(env)).toEqual(before);
  });

  test("that has other tables is refused, also by 1.0", async () => {
    const env = await site();
    await (await startVitrine(env)).close();
    await write(env, ["UPDATE settings SET value = 'other' WHERE name = 'schema-hash'"]);
    for (const program of isLong ? [undefined, programs[nextMajor]] : [undefined]) {
      const { code, stderr } = await runVitrine(["serve"], { ...env, PORT: "0" }, "", program);
      expect([code, stderr]).toEqual([1, unreleased("the version that wrote it")]);
    }
  });

  testLong("that has the tables of 1.0 is upgraded, and belongs to 1.0 from then on", async () => {
    const env = await site();
    await (await startVitrine(env)).close();
    const released = makeVersion(newDirectory(scratch), "1.0.0", {});
    await (await startVitrine(env, released)).close();
    const later = makeVersion(newDirectory(scratch), "1.1.0", { "9001_added.sql": expand });
    appendFileSync(join(dirname(later), "platform/database/schema.sql"), "\nCREATE TABLE added_later (id ID);\n");
    await (await startVitrine(env, later)).close();
    expect((await runVitrine(["migrate", "--dry-run"], env, "", later)).stdout).toBe("The database is up to date.\n");
  });
});

describe("vitrine migrate", () => {
  test("--dry-run lists the migrations of the new version and changes nothing; without it, they run", async () => {
    const env = await site();
    await (await startVitrine(env)).close();
    const before = await stateOf(env);
    const run = (...words: string[]) => runVitrine(["migrate", ...words], env, "", programs[nextMinor]);

    const planned = await run("--dry-run");
    expect([planned.code, planned.stderr]).toEqual([0, ""]);
    expect(planned.stdout.split("\n")).toEqual([
      "9001_added.sql: add a column to each table that requests write, a table and an index, and fill the column of posts",
      `Nothing was changed. These migrations run with "vitrine migrate" or when the server is started next.`,
      "",
    ]);
    expect(await stateOf(env)).toEqual(before);

    expect((await run()).stdout).toContain("Done.");
    expect((await run("--dry-run")).stdout).toBe("The database is up to date.\n");
    expect(await stateOf(env)).not.toEqual(before);
  });

  test("--dry-run before the first start creates nothing", async () => {
    const dataDir = join(newDirectory(scratch), "missing");
    const env = isScaled ? await site() : { DATA_DIR: dataDir };
    const { code, stdout } = await runVitrine(["migrate", "--dry-run"], env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^schema\.sql: all tables of a new site\n/)]);
    expect(isScaled ? (await stateOf(env)).tables : existsSync(dataDir)).toEqual(isScaled ? [] : false);
  });

  test.if(isLong && !isScaled)("is refused while a server uses the data directory", async () => {
    const env = await site();
    await using _server = await startVitrine(env);
    const { code, stderr } = await runVitrine(["migrate"], env, "", programs[nextMinor]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("in use")]);
  });
});

describeScaled("a rolling upgrade", () => {
  test("servers of this version and the next run side by side under writes without a failed request", async () => {
    const env = await site();
    const start = (program?: string) => startVitrine({ ...env, DATA_DIR: newDirectory(scratch) }, program);
    const [first, second] = [await start(), await start()];
    const load = startLoad([first, second]);
    await load.writeMore();

    const planned = await runVitrine(["migrate", "--dry-run"], env, "", programs[nextMinor]);
    expect(planned.stdout).toContain(
      `2 servers of version ${version} can keep running meanwhile and be replaced one at a time.`,
    );
    const upgraded = await start(programs[nextMinor]);
    load.add(upgraded);
    await load.writeMore();
    // An old copy is restarted in the meantime, and then all of them are replaced.
    const restarted = await start();
    load.add(restarted);
    await load.remove(first);
    await load.writeMore();
    for (const old of [second, restarted]) {
      load.add(await start(programs[nextMinor]));
      await load.remove(old);
    }
    const { failures, titles } = await load.stop();
    expect(failures).toEqual([]);
    expect(titles.size).toBeGreaterThan(20);
    const database = new SQL(env.DATABASE_URL ?? "", { max: 1 });
    const stored = await database`SELECT title FROM posts`;
    await database.close();
    expect(new Set(stored.map((row: any) => row.title))).toEqual(titles);
  });

  test.each([nextMinorButOne, nextMajor])(
    "an upgrade to %s is refused while an old copy runs, and afterwards old copies are refused",
    async (newer) => {
      const env = await site();
      const old = await startVitrine(env);
      for (const words of [["serve"], ["migrate"], ["migrate", "--dry-run"]]) {
        const { code, stderr } = await runVitrine(words, { ...env, PORT: "0" }, "", programs[newer]);
        expect([code, stderr.trim().split("\n")]).toEqual([
          1,
          [expect.stringContaining(`A server of version ${version}`)],
        ]);
      }
      expect((await client(old).get("/readyz")).status).toBe(200);
      await old.close();
      await (await startVitrine(env, programs[newer])).close();
      const { code, stderr } = await runVitrine(["serve"], { ...env, PORT: "0" });
      expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringContaining(`newer version (${newer}`)]]);
    },
  );

  test("a migration that has to wait for a table does not block requests, nor keep the locks of those before it", async () => {
    const env = await site();
    const migrations = { "9000_first.sql": "ALTER TABLE albums ADD COLUMN first TEXT;", "9001_added.sql": expand };
    const program = makeVersion(newDirectory(scratch), nextMinor, migrations);
    await using old = await startVitrine(env);
    const writer = client(old, await signIn(old));
    const session = new SQL(env.DATABASE_URL ?? "", { max: 1 });
    const dump = await session.reserve();
    await dump`BEGIN`;
    // pg_dump holds such a lock while it runs.
    await dump`LOCK TABLE posts, users, sessions IN ACCESS SHARE MODE`;
    const starting = startVitrine({ ...env, DATA_DIR: newDirectory(scratch) }, program);
    const applied = async () =>
      (await dump`SELECT name FROM migrations WHERE name LIKE '9%'`).map((row: { name: string }) => row.name);
    const answers: number[] = [];
    for (let turn = 0; turn < 40 || (turn < 600 && (await applied()).length === 0); turn++) {
      answers.push((await writer.post("/api/v1/blog", { title: `${turn}`, content: "x" })).status);
      answers.push((await writer.get(`/api/v1/blog?pageSize=${turn + 1}`)).status);
      await Bun.sleep(100);
    }
    expect(new Set(answers)).toEqual(new Set([201, 200]));
    expect(await applied()).toEqual(["9000_first.sql"]);
    await dump`COMMIT`;
    await dump.release();
    await session.close();
    await (await starting).close();
  });
});

async function signIn(server: { url: string }): Promise<string> {
  await client(server).post("/signup", { username: "writer", password });
  return (await client(server).post("/signin", { username: "writer", password })).body.token;
}

/**
 * Writers that keep sending requests to copies that are started and stopped. Every response that is not 2xx is a
 * failure.
 */
function startLoad(first: Copy[]) {
  const copies = new Map(first.map((copy) => [copy, new Set<Promise<unknown>>()]));
  const failures: string[] = [];
  const titles = new Set<string>();
  const stopping = new AbortController();
  const signedIn = signIn(first[0] as Copy);
  const writers = Array.from({ length: 4 }, async (_, writerIndex) => {
    const token = await signedIn;
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const [copy, running] = [...copies][(writerIndex + turn) % copies.size] as [Copy, Set<Promise<unknown>>];
      const work = writeAll(client(copy, token), `${writerIndex}/${turn}`).catch((error: Error) =>
        failures.push(error.message),
      );
      running.add(work);
      await work;
      running.delete(work);
    }
  });

  async function writeAll(writer: Client, title: string): Promise<void> {
    const expectOK = async (request: Promise<Answer>) => {
      const { status, body } = await request;
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    };
    const post = await expectOK(writer.post("/api/v1/blog", { title, content: "text" }));
    titles.add(title);
    await expectOK(writer.put(`/api/v1/blog/${post.id}`, { content: "other text" }));
    await expectOK(writer.post("/api/v1/comments", { content: title, blogPostID: post.id }));
    const file = await expectOK(writer.upload(`${crypto.randomUUID()}.txt`, title));
    const photo = await expectOK(writer.post("/api/v1/photos", { title, fileID: file.id, width: 1, height: 1 }));
    const album = await expectOK(writer.post("/api/v1/albums", { name: title }));
    await expectOK(writer.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id }));
    await expectOK(writer.delete(`/api/v1/albums/${album.id}`));
    await expectOK(writer.get("/api/v1/blog?pageSize=5"));
  }

  /** Like a proxy: first no new requests, then the stop. */
  async function remove(copy: Copy): Promise<void> {
    const running = copies.get(copy) ?? new Set();
    copies.delete(copy);
    await Promise.all(running);
    await copy.close();
  }

  return {
    add: (copy: Copy) => void copies.set(copy, new Set()),
    remove,
    /** Resolves when each writer has had several turns, or one has failed. */
    writeMore() {
      const goal = titles.size + 12;
      return until(() => titles.size >= goal || failures.length > 0);
    },
    async stop() {
      stopping.abort();
      await Promise.all(writers);
      await Promise.all([...copies.keys()].map(remove));
      return { failures, titles };
    },
  };
}

const unreleased = (reader: string) =>
  `vitrine: This site was written by a development version before 1.0 and cannot be upgraded: export it with ${reader}, and import the export into a new site.\n`;

/** Writes to the database of a site that no server uses. */
async function write({ DATA_DIR = "", DATABASE_URL }: Environment, statements: string[]): Promise<void> {
  if (DATABASE_URL) {
    const database = new SQL(DATABASE_URL, { max: 1 });
    for (const statement of statements) await database.unsafe(statement);
    await database.close();
  } else {
    using database = new Sqlite(join(DATA_DIR, "vitrine.db"));
    for (const statement of statements) database.run(statement);
  }
}

/** What a dry run must not change: the files of the data directory, or the tables of the database. */
async function stateOf({ DATA_DIR = "", DATABASE_URL }: Environment): Promise<Record<string, unknown>> {
  if (!DATABASE_URL) {
    const names = readdirSync(DATA_DIR, { recursive: true }).map(String).toSorted();
    // Readers of a running server's database mark their reads in -shm.
    const files = names.filter((name) => statSync(join(DATA_DIR, name)).isFile() && !name.endsWith("-shm"));
    return Object.fromEntries(files.map((name) => [name, Bun.hash(readFileSync(join(DATA_DIR, name)))]));
  }
  const database = new SQL(DATABASE_URL, { max: 1 });
  const tables = await database`
    SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`;
  const migrations = tables.length === 0 ? [] : await database`SELECT name FROM migrations ORDER BY name`;
  await database.close();
  return { tables: [...tables], migrations: [...migrations] };
}
