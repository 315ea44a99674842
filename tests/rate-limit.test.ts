import { describe, expect, test } from "bun:test";
import { limitKey } from "../src/platform/http/address.ts";
import { createRateLimit } from "../src/platform/limits/rate-limit.ts";
import { client, person, startServer } from "./kit.ts";

describe("the token bucket", () => {
  const simulate = (requestsPerSecond: number, seconds: number) => {
    let time = 1000;
    const limit = createRateLimit({ perSecond: 10, burst: 30 }, { now: () => time });
    let allowed = 0;
    for (let index = 0; index < requestsPerSecond * seconds; index++) {
      if (limit.take("a").allowed) allowed++;
      time += 1000 / requestsPerSecond;
    }
    return allowed;
  };

  test("is exact over a minute: the burst, and ten a second", () => {
    expect(simulate(100, 60)).toBe(30 + 600 - 1);
    expect(simulate(1000, 60)).toBe(30 + 600 - 1);
    expect(simulate(10, 60)).toBe(600);
  });

  test("says how long to wait, and a wait of that long is enough", () => {
    let time = 0;
    const limit = createRateLimit({ perSecond: 10, burst: 30 }, { now: () => time });
    for (let index = 0; index < 30; index++) expect(limit.take("a").allowed).toBe(true);
    const refused = limit.take("a");
    if (refused.allowed) throw new Error("the bucket should be empty");
    expect(refused.retryAfterMs).toBeCloseTo(100);
    time += refused.retryAfterMs;
    expect(limit.take("a").allowed).toBe(true);
    expect(limit.take("a").allowed).toBe(false);
    expect(limit.take("b").allowed).toBe(true);
  });

  test("forgetting old keys changes no verdict", () => {
    let time = 0;
    const limit = createRateLimit({ perSecond: 10, burst: 30 }, { now: () => time });
    let allowed = 0;
    for (let index = 0; index < 60_000; index++) {
      if (limit.take("busy").allowed) allowed++;
      limit.take(`other ${index}`);
      time += 1;
    }
    expect(allowed).toBe(629);
  });

  test("a million addresses do not fill the memory", () => {
    const limit = createRateLimit({ perSecond: 10, burst: 30 });
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    for (let index = 0; index < 1_000_000; index++) limit.take(`2001:db8:${index.toString(16)}::/64`);
    Bun.gc(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });

  test("IPv6 addresses count by their /64", () => {
    expect(limitKey("2001:db8:1:2:3:4:5:6")).toBe(limitKey("2001:0db8:1:2::1"));
    expect(limitKey("2001:db8:1:3::1")).not.toBe(limitKey("2001:db8:1:2::1"));
    expect(limitKey("::1")).toBe("0:0:0:0::/64");
    expect(limitKey("192.0.2.7")).toBe("192.0.2.7");
  });
});

describe("over HTTP, by default", () => {
  const defaults = { RATE_LIMIT_PER_SECOND: "10", RATE_LIMIT_BURST: "30" };
  const burst = (count: number, send: (index: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index))).then((answers) =>
      answers.map(({ status }) => status),
    );
  const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

  test("thirty requests at once pass, then 429 with Retry-After and the RateLimit headers", async () => {
    await using server = await startServer(defaults);
    const guest = client(server);
    const statuses = await burst(60, () => guest.get("/api/v1/photos"));
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(30);
    expect(count(statuses, 200)).toBeLessThanOrEqual(34);
    const refused = await guest.get("/api/v1/photos");
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBeString();
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get("ratelimit")).toContain("r=0");
    expect(refused.headers.get("ratelimit-policy")).toContain("q=30");
    await Bun.sleep(1100);
    expect((await guest.get("/api/v1/photos")).status).toBe(200);
  });

  test("it comes before the route, the token, the body and the password", async () => {
    await using server = await startServer({ ...defaults, RATE_LIMIT_BURST: "1", RATE_LIMIT_PER_SECOND: "0.01" });
    const guest = client(server);
    expect((await guest.get("/api/v1/nowhere")).status).toBe(404);
    expect((await guest.get("/api/v1/nowhere")).status).toBe(429);
    expect((await guest.post("/api/v1/photos", "not json")).status).toBe(429);
    const started = performance.now();
    const statuses = await burst(100, () => guest.post("/signin", { username: "a", password: "whatever it is" }));
    expect(count(statuses, 429)).toBe(100);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("pages and health checks are outside it, file contents have a wider bucket", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const { body: file } = await owner.upload("a.txt", "hello");
    await owner.post("/api/v1/albums", { name: "x" });
    await using strict = await startServer({ ...defaults, RATE_LIMIT_BURST: "1", RATE_LIMIT_PER_SECOND: "0.01" });
    const guest = client(strict);
    expect(count(await burst(40, () => guest.get("/livez")), 200)).toBe(40);
    expect(count(await burst(40, () => guest.get("/docs")), 200)).toBe(40);
    expect(count(await burst(40, () => guest.get(file.url)), 404)).toBe(40);
  });

  test("forwarded addresses count only from a trusted proxy", async () => {
    const strict = { RATE_LIMIT_BURST: "1", RATE_LIMIT_PER_SECOND: "0.01" };
    const from = (address: string) => ({ "X-Forwarded-For": address });
    await using open = await startServer(strict);
    expect((await client(open).get("/api/v1/photos", from("192.0.2.1"))).status).toBe(200);
    expect((await client(open).get("/api/v1/photos", from("192.0.2.2"))).status).toBe(429);
    await using proxied = await startServer({ ...strict, TRUST_PROXY: "loopback" });
    expect((await client(proxied).get("/api/v1/photos", from("192.0.2.1"))).status).toBe(200);
    expect((await client(proxied).get("/api/v1/photos", from("192.0.2.2"))).status).toBe(200);
    expect((await client(proxied).get("/api/v1/photos", from("203.0.113.9, 192.0.2.2"))).status).toBe(429);
    for (const nonsense of ["nobody", "1.2.3.4.5", "", ",,,", "192.0.2.2:80"]) {
      expect([200, 429]).toContain((await client(proxied).get("/api/v1/photos", from(nonsense))).status);
    }
  });
});

describe("signing in", () => {
  test("wrong passwords for one name slow down, whatever address they come from", async () => {
    await using server = await startServer({ TRUST_PROXY: "loopback" });
    await person(server, "target");
    const guess = (index: number) =>
      client(server).post(
        "/signin",
        { username: "Target", password: `guess number ${index}` },
        { "X-Forwarded-For": `198.51.100.${index}` },
      );
    const statuses: number[] = [];
    for (let index = 0; index < 15; index++) statuses.push((await guess(index)).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual(Array(5).fill(429));
    const refused = await guess(99);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1);
    // Where the owner has signed in before, strangers cannot lock them out.
    expect(
      (await client(server).post("/signin", { username: "target", password: "correct horse battery" })).status,
    ).toBe(200);
  });

  test("a storm of sign-ins does not stall reads", async () => {
    await using server = await startServer();
    const guest = client(server);
    const storm = Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        guest.post("/signin", { username: `nobody${index}`, password: "some password" }),
      ),
    );
    const times: number[] = [];
    for (let index = 0; index < 50; index++) {
      const started = performance.now();
      await guest.get("/api/v1/photos?page=1");
      times.push(performance.now() - started);
    }
    await storm;
    expect(times.toSorted((a, b) => a - b)[25]).toBeLessThan(50);
  });

  test("an unknown name takes as long as a wrong password", async () => {
    await using server = await startServer();
    await person(server, "known");
    const guest = client(server);
    const time = async (username: string) => {
      const started = performance.now();
      await guest.post("/signin", { username, password: "wrong password" });
      return performance.now() - started;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let index = 0; index < 8; index++) {
      known.push(await time("known"));
      unknown.push(await time("unknown"));
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[4] as number;
    expect(median(unknown) / median(known)).toBeGreaterThan(0.5);
    expect(median(unknown) / median(known)).toBeLessThan(2);
  });
});
