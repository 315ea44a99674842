// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { SQL } from "bun";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { Acknowledged, keepWriting } from "../kit/faults/acknowledged.ts";
import { useScratch } from "../kit/scratch.ts";
import { postgresPrograms } from "../kit/servers/daemons.ts";
import { engineEnv, scaledWith } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { type PostgresServer, startPostgres } from "../kit/servers/postgres.ts";
import { needs } from "../kit/optional.ts";
import { pgbouncer, startPgBouncer } from "../kit/servers/pooler.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";

const switches = isLong ? 8 : 1;
const writesPerPart = isLong ? 300 : 30;
const writers = 8;

scaledWith("PostgreSQL's programs", postgresPrograms !== null).describe("a primary with a synchronous standby", () => {
  const dataDir = useScratch();
  let primary: PostgresServer;
  let standby: PostgresServer;

  beforeAll(async () => {
    primary = await startPostgres();
    await primary.ask("CREATE TABLE stalled (number INTEGER)");
    standby = await startPostgres({ standbyOf: primary });
    await primary.waitForStandby();
  });
  afterAll(async () => {
    await primary?.[Symbol.asyncDispose]();
    await standby?.[Symbol.asyncDispose]();
  });

  const countConnections = async () => {
    const [row] = await primary.ask("SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'vitrine'");
    return Number(row.count);
  };

  test("a standby's URL alone is refused in a sentence that names it", async () => {
    const { code, stderr } = await runVitrine(["user", "list"], { DATABASE_URL: standby.url, DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^vitrine: DATABASE_URL .*127\\.0\\.0\\.1, port ${standby.port}\\): this server is a standby.*\n$`),
    );
  });

  test("while commits wait for a standby that does not respond, there are no more connections than allowed", async () => {
    const db = await openPostgres(primary.url, { connections: 3, timeoutMs: 700 });
    const write = () => db.transaction((tx) => tx.run(sql`INSERT INTO stalled (number) VALUES (1)`));
    expect(await countConnections()).toBe(2);
    await Promise.all(Array.from({ length: 12 }, write));
    standby.signalAll("SIGSTOP");
    let most = 0;
    for (let round = 0; round < 4; round++) {
      const results = await Promise.allSettled(Array.from({ length: 12 }, write));
      expect(results.filter(({ status }) => status === "fulfilled")).toEqual([]);
      most = Math.max(most, await countConnections());
    }
    // Reads go on, and commits, as soon as the standby responds.
    expect((await db.all(sql`SELECT 1 AS one`)).length).toBe(1);
    standby.signalAll("SIGCONT");
    while (
      !(await write().then(
        () => true,
        () => false,
      ))
    );
    expect(most).toBeLessThanOrEqual(6);
    await db.close();
  });

  test("a commit that takes seconds is waited for, also while all connections are in use", async () => {
    const db = await openPostgres(primary.url, { connections: 1, timeoutMs: 60_000 });
    standby.signalAll("SIGSTOP");
    const written = db.transaction((tx) => tx.run(sql`INSERT INTO stalled (number) VALUES (3)`));
    const over = new AbortController();
    const reading = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (!over.signal.aborted) await db.all(sql`SELECT 1 AS one FROM pg_sleep(0.05)`);
      }),
    );
    await Bun.sleep(3500);
    expect(await countConnections()).toBeLessThanOrEqual(2);
    standby.signalAll("SIGCONT");
    expect(await written).toBe(1);
    over.abort();
    await reading;
    await db.close();
  });

  test("twenty copies fit a server with a hundred connections, and all of them work while it has no more", async () => {
    // Opened before: there may be no connection left for it.
    await using watcher = new SQL(primary.url, { max: 1 });
    const count = async () => {
      const [row] = await watcher`SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'vitrine'`;
      return Number(row.count);
    };
    expect(await count()).toBe(0);
    const copies = await Promise.all(
      Array.from({ length: 20 }, () => openPostgres(primary.url, { timeoutMs: 60_000 })),
    );
    expect(await count()).toBeLessThanOrEqual(60);
    const write = (db: Database) =>
      db.transaction(async (tx) => {
        await tx.run(sql`INSERT INTO stalled (number) VALUES (2)`);
        await tx.get(sql`SELECT 1 AS one FROM pg_sleep(0.05)`);
      });
    const read = (db: Database) => db.all(sql`SELECT 1 AS one FROM pg_sleep(0.02)`);
    const load = Promise.all(
      copies.flatMap((db) => Array.from({ length: 12 }, () => Promise.all([write(db), read(db)]))),
    );
    let most = 0;
    for (let isOver = false; !isOver; most = Math.max(most, await count()))
      isOver = await Promise.race([load.then(() => true), Bun.sleep(50).then(() => false)]);
    expect((await load).length).toBe(240);
    expect(most).toBeGreaterThan(60);
    await Promise.all(copies.map((db) => db.close()));
  });

  test.if(isLong)("an idle copy sends at most one transaction a second", async () => {
    await primary.ask("ALTER SYSTEM SET autovacuum = off");
    await primary.ask("SELECT pg_reload_conf()");
    const count = async () => {
      await primary.ask("SELECT pg_stat_force_next_flush()").catch(() => {});
      const [row] = await primary.ask(
        "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = 'postgres'",
      );
      return Number(row.count);
    };
    await using _copy = await startVitrine({
      ...(await engineEnv("idle", async () => primary.url)),
      DATA_DIR: dataDir,
    });
    await Bun.sleep(40_000);
    const before = await count();
    await Bun.sleep(60_000);
    const transactions = (await count()) - before;
    console.log(`An idle copy: ${transactions} transactions in a minute, ${await countConnections()} connections.`);
    expect(transactions).toBeLessThanOrEqual(60 + 6);
  });

  /** The server that has ended becomes the standby of the one that took its place. */
  async function replaceCrashed(): Promise<void> {
    if (!primary.hasEnded()) return;
    const { port } = primary;
    await primary[Symbol.asyncDispose]();
    primary = standby;
    standby = await startPostgres({ standbyOf: primary, port });
    await primary.waitForStandby();
  }

  /** Promotes the standby while many write. `promoted` is called with its URL. */
  async function switchUnderLoad(env: Record<string, string>, promoted: (url: string) => void = () => {}) {
    await using copy = await startVitrine({ ...env, DATA_DIR: dataDir });
    const account = { username: `writer${crypto.randomUUID().slice(0, 8)}`, password };
    await client(copy).post("/signup", account);
    const writer = client(copy, (await client(copy).post("/signin", account)).body.token);
    const known = new Acknowledged();
    let isStopped = false;
    const load = Array.from({ length: writers }, () =>
      keepWriting(writer, known, { isStopped: () => isStopped, mayFail: true }),
    );
    const untilWritten = (more: number) => {
      const goal = known.writes + more;
      return until(() => known.writes >= goal);
    };
    for (let number = 1; number <= switches; number++) {
      await replaceCrashed();
      await untilWritten(writesPerPart);
      await primary.stop("immediate");
      await standby.promote();
      promoted(standby.url);
      const promotedAt = performance.now();
      await untilWritten(1);
      const seconds = (performance.now() - promotedAt) / 1000;
      if (isLong) console.log(`Switch ${number}: the first write ${seconds.toFixed(1)} s after the promotion.`);
      await untilWritten(writesPerPart);
    }
    isStopped = true;
    await Promise.all(load);
    const lost = await known.findLost(writer);
    console.log(
      `${known.writes} writes were acknowledged over ${switches} switches, ${known.size} records compared, ${lost.length} lost.`,
    );
    return lost;
  }

  const switchTimeoutMs = isLong ? 900_000 : 180_000;

  test(
    "it is promoted under load, and no acknowledged write is lost",
    async () => {
      const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
      const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
      expect(await switchUnderLoad(await engineEnv("failover", async () => url))).toEqual([]);
    },
    switchTimeoutMs,
  );

  (isLong ? needs("PgBouncer", pgbouncer !== null).test : test.skip)(
    "nor behind a PgBouncer that is told of the new primary",
    async () => {
      await replaceCrashed();
      await using pooler = await startPgBouncer(primary.url);
      const env = { ...(await engineEnv("failover", async () => "")), DATABASE_URL: pooler.url };
      expect(await switchUnderLoad(env, pooler.follow)).toEqual([]);
    },
    switchTimeoutMs,
  );
});
