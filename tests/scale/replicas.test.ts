// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkReplicas } from "../../src/commands/doctor-replicas.ts";
import { readConfig } from "../../src/config.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { postgresPrograms } from "../kit/servers/daemons.ts";
import { engineEnv, scaledWith } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { type PostgresServer, startPostgres } from "../kit/servers/postgres.ts";
import { startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";

const { describe: describeWanted } = scaledWith("PostgreSQL's programs", postgresPrograms !== null);
const scratch = useScratch();
const longMs = 60_000;
const metricsToken = "a token for the metrics";

type Copy = Awaited<ReturnType<typeof startVitrine>>;

describeWanted("guests read from a replica", () => {
  let [primary, replica] = [null, null] as unknown as [PostgresServer, PostgresServer];
  let [one, other] = [null, null] as unknown as [Copy, Copy];
  let owner: Client;
  let [post, photo] = [0, 0];
  let env: Record<string, string>;
  /** What `vitrine doctor` says about the replica. */
  const diagnose = async () => (await checkReplicas(readConfig(env))).map(({ what }) => what);

  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startPostgres({ standbyOf: primary });
    env = {
      ...(await engineEnv("replicas")),
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: replica.url,
      METRICS_TOKEN: metricsToken,
    };
    const start = () => startVitrine({ ...env, DATA_DIR: newDirectory(scratch) });
    [one, other] = [await start(), await start()];
    await client(one).post("/signup", { username: "owner", password });
    const { token } = (await client(one).post("/signin", { username: "owner", password })).body;
    owner = client(one, token);
    post = (await owner.post("/api/v1/blog", { title: "0", content: "x" })).body.id;
    const file = (await owner.upload("a.png", png(40, 30))).body;
    photo = (await owner.post("/api/v1/photos", { title: "A", fileID: file.id })).body.id;
  }, 180_000);

  afterAll(async () => {
    await Promise.all([one?.close(), other?.close()]);
    await Promise.all([primary?.[Symbol.asyncDispose](), replica?.[Symbol.asyncDispose]()]);
  }, 180_000);

  /** What the other copy counts of its replica. */
  async function count(metric: string): Promise<number> {
    const { body } = await client(other).get("/metrics", { Authorization: `Bearer ${metricsToken}` });
    const lines = (body as string).matchAll(new RegExp(`^vitrine_database_replica_${metric}{.*} (\\d+)$`, "gm"));
    return Array.from(lines, ([, value]) => Number(value)).reduce((sum, value) => sum + value, 0);
  }

  /** Another address every time, so that no response comes from memory. */
  let reads = 0;
  const read = (path: string) => client(other).get(`${path}?pageSize=${1 + (reads++ % 1000)}`);

  /** Reads of guests until they come from the replica again: each of them succeeds. */
  async function readUntilUsed(): Promise<void> {
    const before = await count("reads_total");
    await until(async () => {
      expect((await read("/api/v1/blog")).status).toBe(200);
      return (await count("reads_total")) > before;
    });
  }

  /** What is written at one copy is what a guest gets of the other one, from the next request on. */
  async function changeAndRead(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const title = crypto.randomUUID();
      await owner.put(`/api/v1/blog/${post}`, { title });
      expect((await client(other).get(`/api/v1/blog/${post}`)).body.title).toBe(title);
      expect((await read("/api/v1/blog")).body.map((found: any) => found.title)).toEqual([title]);
      for (const [visibility, status] of [
        ["private", 404],
        ["public", 200],
      ] as const) {
        await owner.put(`/api/v1/photos/${photo}`, { visibility });
        expect((await client(other).get(`/api/v1/photos/${photo}`)).status).toBe(status);
        expect((await read("/api/v1/photos")).body).toHaveLength(status === 200 ? 1 : 0);
        expect((await fetch(`${other.url}/api/v1/photos/${photo}/image?w=320`)).status).toBe(status);
      }
    }
  }

  test("and see what was written before at another copy, also while it is behind", async () => {
    await readUntilUsed();
    await changeAndRead(10);
    await replica.ask("SELECT pg_wal_replay_pause()");
    await until(async () => {
      const [row] = await replica.ask("SELECT pg_get_wal_replay_pause_state() AS state");
      return row.state === "paused";
    });
    const passed = await count("passed_over_total");
    await owner.put(`/api/v1/blog/${post}`, { title: "Paused" });
    expect((await read("/api/v1/blog")).body[0].title).toBe("Paused");
    expect(await count("passed_over_total")).toBeGreaterThan(passed);
    // What was not written since comes from there nevertheless.
    const before = await count("reads_total");
    await until(async () => {
      expect((await read("/api/v1/photos")).body).toHaveLength(1);
      return (await count("reads_total")) > before;
    });
    await changeAndRead(5);
    await replica.ask("SELECT pg_wal_replay_resume()");
    await until(async () => (await count("used")) === 1);
    await readUntilUsed();
  }, 180_000);

  test("and from the primary while it does not respond or is killed, and from the replica again after that", async () => {
    replica.signalAll("SIGSTOP");
    await changeAndRead(2);
    replica.signalAll("SIGCONT");
    await readUntilUsed();
    await replica.kill();
    await changeAndRead(2);
    await until(async () => (await count("used")) === 0);
    expect(await diagnose()).toEqual([expect.stringMatching(/^cannot be read: /)]);
    await replica.start();
    await readUntilUsed();
    expect(await diagnose()).toEqual([]);
  }, 180_000);

  test.if(isLong)("and get nothing older while it is paused, stopped and killed again and again", async () => {
    const titles = new Map<number, number>();
    const counts = { writes: 0, reads: 0, fromReplica: await count("reads_total"), stale: 0, failed: 0 };
    const end = performance.now() + longMs;
    const isOver = () => performance.now() > end;
    const work = Array.from({ length: 4 }, async () => {
      const { id } = (await owner.post("/api/v1/blog", { title: "0", content: "x" })).body;
      for (let number = 1; !isOver(); number++) {
        const { status } = await owner.put(`/api/v1/blog/${id}`, { title: `${number}` });
        if (status !== 200) counts.failed++;
        else titles.set(id, number);
        counts.writes++;
      }
    });
    const guests = Array.from({ length: 8 }, async (_, index) => {
      const guest = client(index % 2 === 0 ? one : other);
      for (let turn = 0; !isOver(); turn++) {
        const [id, acknowledged] = [...titles][turn % Math.max(titles.size, 1)] ?? [];
        if (id === undefined || acknowledged === undefined) {
          await Bun.sleep(10);
          continue;
        }
        const { status, body } = await guest.get(`/api/v1/blog/${id}`);
        if (status !== 200) counts.failed++;
        else if (Number(body.title) < acknowledged) counts.stale++;
        counts.reads++;
      }
    });
    for (let round = 0; !isOver(); round++) {
      await disturb(round % 3);
      await Bun.sleep(500);
    }
    await Promise.all([...work, ...guests]);
    counts.fromReplica = (await count("reads_total")) - counts.fromReplica;
    console.log("guests of a disturbed replica:", counts);
    for (const id of titles.keys()) await owner.delete(`/api/v1/blog/${id}`);
    expect([counts.stale, counts.failed]).toEqual([0, 0]);
    expect(counts.fromReplica).toBeGreaterThan(0);
  });

  /** Pauses the replica, stops it, or kills it, and lets it go on. */
  async function disturb(kind: number): Promise<void> {
    if (kind === 0) await replica.ask("SELECT pg_wal_replay_pause()");
    else if (kind === 1) replica.signalAll("SIGSTOP");
    else await replica.kill();
    await Bun.sleep(1000);
    if (kind === 0) await replica.ask("SELECT pg_wal_replay_resume()");
    else if (kind === 1) replica.signalAll("SIGCONT");
    else await replica.start();
  }

  test("and never from a server that has become a primary of its own", async () => {
    await replica.ask("SELECT pg_promote()");
    await replica.ask("UPDATE posts SET title = 'of another history'");
    await changeAndRead(2);
    await until(async () => {
      expect((await read("/api/v1/blog")).body[0].title).not.toBe("of another history");
      return (await count("used")) === 0;
    });
    expect(await diagnose()).toEqual(["is no replica: it does not follow a primary"]);
  }, 180_000);
});
