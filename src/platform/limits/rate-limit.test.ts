import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { RedisClient } from "bun";
import { tmpdir } from "node:os";
import { findProgram, needs } from "../../../tests/kit/optional.ts";
import { startProxy, through } from "../../../tests/kit/faults/tcp-proxy.ts";
import { createLog } from "../log.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";
import { createRedisLimit, openRedis } from "./redis.ts";
import { until } from "../../../tests/kit/until.ts";

type Rate = { perSecond: number; burst: number };

const binary = findProgram("redis-server", "valkey-server");
const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});
const ours = process.env.TEST_REDIS_URL || !binary ? null : await startRedis(freePort());
const url = process.env.TEST_REDIS_URL || ours?.url;
if (process.env.CI === "true" && !(url && binary)) throw new Error("with CI=true, redis-server must be in PATH");
const { describe: describeRedis } = needs("Redis", Boolean(url));
const { test: restartTest } = needs("Redis", binary !== null);
/** In milliseconds, where it is not tested how long the program waits for Redis: on a busy machine, that may be long. */
const patient = 30_000;
const hourly = { perSecond: 1 / 3600, burst: 10 };

/** The clock that decides, in milliseconds, and how at least this much time passes on it. */
type Clock = { now(): number | Promise<number>; pass(milliseconds: number): unknown };

const limits: Record<string, (rate: Rate) => Promise<RateLimit & Clock>> = {
  async memory(rate) {
    let time = 1000;
    const now = () => time;
    return { ...createRateLimit(rate, { now }), now, pass: (milliseconds) => void (time += milliseconds) };
  },
  ...(url && {
    async redis(rate: Rate) {
      const client = connected(url);
      const now = async () => {
        const [seconds = 0, microseconds = 0] = ((await client.send("TIME", [])) as string[]).map(Number);
        return seconds * 1000 + microseconds / 1000;
      };
      const pass = async (milliseconds: number) => {
        const end = (await now()) + milliseconds;
        await until(now, (time) => time >= end);
      };
      const limit = createRedisLimit(rate, (await open(url, patient)).redis, { prefix: freshPrefix() });
      return { ...limit, now, pass };
    },
  }),
};

describe.each(Object.entries(limits))("a limit in %s", (_name, open) => {
  test("allows the burst, then exactly the configured rate", async () => {
    const limit = await open({ perSecond: 10, burst: 20 });
    const takeAll = async () => {
      let allowed = 0;
      while ((await limit.take("a")).allowed) allowed++;
      return allowed;
    };
    const began = await limit.now();
    const first = await takeAll();
    const drained = await limit.now();
    expect(first).toBeGreaterThanOrEqual(20);
    expect(first).toBeLessThanOrEqual(20 + Math.floor((drained - began) / 100));
    await limit.pass(550);
    const refilled = await limit.now();
    const second = await takeAll();
    // The clocks of Redis and of this process need not agree to the millisecond.
    expect(second).toBeGreaterThanOrEqual(Math.min(Math.floor((refilled - drained - 2) / 100), 20));
    expect(first + second).toBeLessThanOrEqual(20 + Math.floor(((await limit.now()) - began) / 100));
  });

  test("returns how long to wait, no more and no less", async () => {
    const limit = await open({ perSecond: 0.5, burst: 3 });
    const began = await limit.now();
    expect(await takeMany(limit, "a", 3)).toBe(3);
    const wait = waitOf(await limit.take("a"));
    const refused = await limit.now();
    expect(wait).toBeGreaterThanOrEqual(2000 - (refused - began) - 2);
    expect(wait).toBeLessThanOrEqual(2000);
    /** Whether one more is allowed before the clock has come so far. */
    const isEarly = async (due: number) => (await limit.take("a")).allowed && (await limit.now()) < due;
    await limit.pass(wait / 2);
    // On a busy machine, the time to wait may be over by now.
    if ((await limit.take("a")).allowed) return expect(await limit.now()).toBeGreaterThanOrEqual(began + 2000);
    await limit.pass(refused + wait + 2 - (await limit.now()));
    expect((await limit.take("a")).allowed).toBe(true);
    expect(await isEarly(began + 4000)).toBe(false);
  });

  test("counts each key separately, also for many requests at the same time", async () => {
    const limit = await open(hourly);
    const crowd = await Promise.all(Array.from({ length: 200 }, async (_, index) => limit.take(index % 2 ? "a" : "b")));
    expect(crowd.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(await takeMany(limit, "a", 5)).toBe(0);
    expect(await takeMany(limit, "é \r\n* '", 12)).toBe(10);
  });

  test("gives back what was taken, but never more than the burst", async () => {
    const limit = await open(hourly);
    expect(await takeMany(limit, "a", 12)).toBe(10);
    await limit.giveBack("a");
    expect(await takeMany(limit, "a", 3)).toBe(1);
    await limit.giveBack("unknown");
    expect(await takeMany(limit, "unknown", 12)).toBe(10);
    expect(await takeMany(limit, "b", 1)).toBe(1);
    for (let index = 0; index < 5; index++) await limit.giveBack("b");
    expect(await takeMany(limit, "b", 12)).toBe(10);
  });

  test("works with the lowest and highest settings", async () => {
    expect(await takeMany(await open({ perSecond: 1_000_000, burst: 1_000_000 }), "a", 500)).toBe(500);
    expect(await takeMany(await open({ perSecond: 0.000001, burst: 1_000_000_000 }), "a", 500)).toBe(500);
    expect(await takeMany(await open({ perSecond: 0.000001, burst: 1 }), "a", 5)).toBe(1);
    expect(await takeMany(await open({ perSecond: 1 / 7, burst: 7 }), "a", 20)).toBe(7);
  });
});

describeRedis("limits in Redis", () => {
  test("two copies share one budget", async () => {
    const prefix = freshPrefix();
    const copies = [await open(url!, patient), await open(url!, patient)].map(({ redis }) =>
      createRedisLimit(hourly, redis, { prefix }),
    );
    const counts = await Promise.all(copies.map((copy) => takeMany(copy, "a", 9)));
    expect(counts[0]! + counts[1]!).toBe(10);
    // What one copy gives back, another may take.
    await copies[0]!.giveBack("a");
    expect(await takeMany(copies[1]!, "a", 3)).toBe(1);
  });

  test("a key is removed when its bucket is full again", async () => {
    const [prefix, client] = [freshPrefix(), connected(url!)];
    const limit = createRedisLimit({ perSecond: 10, burst: 30 }, (await open(url!, patient)).redis, { prefix });
    await takeMany(limit, "a", 30);
    expect(await client.pttl(`${prefix}a`)).toBeWithin(1, 3001);
    await until(
      () => client.exists(`${prefix}a`),
      (exists) => !exists,
    );
    const slow = createRedisLimit(hourly, (await open(url!, patient)).redis, { prefix });
    await slow.take("b");
    await slow.giveBack("b");
    expect(await client.exists(`${prefix}b`)).toBe(false);
  });

  test("a flushed script cache and a clock that was set back have no effect", async () => {
    const [prefix, client] = [freshPrefix(), connected(url!)];
    const { redis, lines } = await open(url!, patient);
    const limit = createRedisLimit({ perSecond: 1, burst: 5 }, redis, { prefix });
    await client.send("SCRIPT", ["FLUSH"]);
    await client.set(`${prefix}a`, String((Date.now() + 86_400_000) * 1000));
    expect(waitOf(await limit.take("a"))).toBeWithin(1, 1001);
    expect(await takeMany(limit, "b", 7)).toBe(5);
    expect(lines()).toEqual([]);
  });

  describe.each(["silent", "slow", "refusing"] as const)("behind a network that becomes %s", (mode) => {
    test("falls back immediately, logs it once, and recovers by itself", async () => {
      const { hostname: host, port } = new URL(url!);
      const proxy = await startProxy({ host, port: Number(port || 6379) });
      endings.push(proxy.close);
      const { redis, lines } = await open(through(url!, proxy));
      const limit = createRedisLimit(hourly, redis, { prefix: freshPrefix() });
      expect(limit.take("b")).toBeInstanceOf(Promise);
      expect(await takeMany(limit, "a", 6)).toBe(6);

      proxy.setMode(mode);
      const timers = spyOn(globalThis, "setTimeout");
      const verdicts = await Promise.all(Array.from({ length: 50 }, async () => limit.take("a")));
      // None waits for Redis any longer than this.
      expect(timers.mock.calls.filter(([, milliseconds]) => Number(milliseconds) <= 50).length).toBeGreaterThanOrEqual(
        50,
      );
      timers.mockRestore();
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(4);
      expect(limit.take("b")).toEqual({ allowed: true });
      expect(waitOf(await limit.take("a"))).toBeGreaterThan(1000);
      await Bun.sleep(1200);
      expect(lines()).toEqual(["warn: Redis is unavailable"]);

      proxy.setMode("normal");
      await until(() => limit.take("b") instanceof Promise);
      expect(lines()).toEqual(["warn: Redis is unavailable", "info: Redis is available again"]);
      // The interruption has not allowed any further requests.
      expect(await takeMany(limit, "a", 5)).toBe(0);
    });
  });

  test("a pause of this process does not count as a timeout of Redis", async () => {
    const pause = async () => {
      const { redis, lines } = await open(url!);
      const limit = createRedisLimit(hourly, redis, { prefix: freshPrefix() });
      const verdict = limit.take("a");
      Bun.sleepSync(120);
      await verdict;
      return [limit.take("a") instanceof Promise, lines()];
    };
    let outcome = await pause();
    // A busy machine also makes Redis pause.
    for (let attempts = 0; attempts < 20 && !outcome[0]; attempts++) outcome = await pause();
    expect(outcome).toEqual([true, []]);
  });

  restartTest("a Redis that is killed and restarted without data allows no further requests", async () => {
    const port = freePort();
    const { redis, lines } = await open(`redis://127.0.0.1:${port}`);
    expect(lines()).toEqual(["warn: Redis is unavailable"]);
    const limit = createRedisLimit(hourly, redis, { prefix: freshPrefix() });
    expect(limit.take("a")).toEqual({ allowed: true });
    for (const expected of [3, 0]) {
      const server = await startRedis(port);
      await until(() => limit.take("b") instanceof Promise);
      // One was taken before Redis was started, six after it was killed.
      expect(await takeMany(limit, "a", 3)).toBe(expected);
      await server.kill();
      await until(() => !(limit.take("b") instanceof Promise));
      expect(await takeMany(limit, "a", 9)).toBe(expected * 2);
    }
    const failure = ["warn: Redis is unavailable", "info: Redis is available again"];
    expect(lines()).toEqual([...failure, ...failure, "warn: Redis is unavailable"]);
  });
});

async function takeMany(limit: RateLimit, key: string, count: number): Promise<number> {
  let allowed = 0;
  for (let index = 0; index < count; index++) if ((await limit.take(key)).allowed) allowed++;
  return allowed;
}

function waitOf(verdict: Awaited<ReturnType<RateLimit["take"]>>): number {
  if (verdict.allowed) throw new Error("the bucket should be empty");
  return verdict.retryAfterMs;
}

const freshPrefix = () => `vitrine-test:${crypto.randomUUID()}:`;

async function open(url: string, commandTimeoutMs?: number) {
  let text = "";
  const write = (line: string) => ((text += line), true);
  const log = createLog("info", { pretty: false, output: { write, close() {} } });
  const redis = await openRedis(url, log, commandTimeoutMs);
  endings.push(redis.close);
  const lines = () => {
    log.flush();
    const entries = text.split("\n").filter(Boolean);
    return entries.map((line) => JSON.parse(line)).map(({ level, message }) => `${level}: ${message.split(";")[0]}`);
  };
  return { redis, lines };
}

function connected(url: string): RedisClient {
  const client = new RedisClient(url);
  endings.push(() => client.close());
  return client;
}

/** An empty Redis server on this machine, until `kill`. */
async function startRedis(port: number) {
  const address = ["--port", String(port), "--bind", "127.0.0.1"];
  // It writes nothing.
  const options = [...address, "--dir", tmpdir(), "--save", "", "--appendonly", "no"];
  const child = Bun.spawn([binary!, ...options], { stdout: "ignore", stderr: "ignore" });
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  endings.push(kill);
  const url = `redis://127.0.0.1:${port}`;
  await until(async () => {
    const client = new RedisClient(url, { autoReconnect: false });
    const isUp = await client.send("PING", []).then(
      () => true,
      () => false,
    );
    client.close();
    return isUp;
  });
  return { url, kill };
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  listener.stop(true);
  return listener.port;
}
