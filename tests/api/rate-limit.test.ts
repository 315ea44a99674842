import { describe, expect, spyOn, test } from "bun:test";
import { z } from "zod";
import { limitKey } from "../../src/platform/http/address.ts";
import { createApp } from "../../src/platform/http/app.ts";
import type { Connection } from "../../src/platform/http/exchange.ts";
import type { Limits } from "../../src/platform/http/limit.ts";
import { route } from "../../src/platform/http/route.ts";
import { createRateLimit, type RateLimit } from "../../src/platform/limits/rate-limit.ts";
import { createLog } from "../../src/platform/log.ts";
import { createMetrics } from "../../src/platform/metrics/metrics.ts";
import { client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { startServer } from "../kit/server.ts";

describe("a bucket", () => {
  test("IPv6 addresses are counted by their /64", () => {
    expect(limitKey("2001:db8:1:2:3:4:5:6")).toBe(limitKey("2001:0db8:1:2::1"));
    expect(limitKey("2001:db8:1:3::1")).not.toBe(limitKey("2001:db8:1:2::1"));
    expect(limitKey("::1")).toBe("0:0:0:0::/64");
    expect(limitKey("192.0.2.7")).toBe("192.0.2.7");
  });

  test("in this process needs no promise for a cached response, one elsewhere is awaited", async () => {
    const rate = { perSecond: 0.01, burst: 5 };
    const near = createRateLimit(rate);
    const far = createRateLimit(rate);
    const late: RateLimit = { take: async (key) => far.take(key), giveBack: async (key) => far.giveBack(key) };
    for (const limit of [near, late]) {
      const app = openApp({ ...rate, limit });
      const ask = (path: string) =>
        app.fetch(new Request(`http://localhost${path}`, { headers: { Host: "localhost" } }), here);
      // A response is cached when it is requested for the second time.
      for (let time = 0; time < 2; time++) expect((await ask("/api/v1/word")).status).toBe(200);
      expect((await ask("/api/v1/nowhere")).status).toBe(404);
      const known = ask("/api/v1/word");
      expect(known instanceof Promise).toBe(limit === late);
      expect(await (await known).json()).toEqual({ word: "hello" });
      expect((await ask("/api/v1/nowhere")).status).toBe(404);
      for (const path of ["/api/v1/word", "/api/v1/nowhere"]) {
        const refused = await ask(path);
        expect(refused.status).toBe(429);
        expect(refused.headers.get("retry-after")).toBe("100");
      }
      app.close();
    }
  });
});

describe("over HTTP, by default", () => {
  const defaults = { RATE_LIMIT_PER_SECOND: "10", RATE_LIMIT_BURST: "30" };
  const burst = (count: number, send: (index: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index))).then((answers) =>
      answers.map(({ status }) => status),
    );
  const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

  test("thirty requests at once are allowed, then 429 with Retry-After and the RateLimit headers", async () => {
    // Redis has a clock of its own.
    await using server = await startServer({ ...defaults, REDIS_URL: "" });
    const guest = client(server);
    const now = performance.now();
    using clock = spyOn(performance, "now").mockReturnValue(now);
    expect(count(await burst(60, () => guest.get("/api/v1/photos")), 200)).toBe(30);
    const refused = await guest.get("/api/v1/photos");
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBeString();
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("ratelimit")).toContain("r=0");
    expect(refused.headers.get("ratelimit-policy")).toContain("q=30");
    clock.mockReturnValue(now + 1000);
    expect(count(await burst(60, () => guest.get("/api/v1/photos")), 200)).toBe(10);
  });

  test("it is checked before the route, the token, the body and the password", async () => {
    await using server = await startServer({ ...defaults, RATE_LIMIT_BURST: "1", RATE_LIMIT_PER_SECOND: "0.01" });
    const guest = client(server);
    expect((await guest.get("/api/v1/nowhere")).status).toBe(404);
    expect((await guest.get("/api/v1/nowhere")).status).toBe(429);
    expect((await guest.post("/api/v1/photos", "not json")).status).toBe(429);
    const statuses = await burst(100, () => guest.post("/signin", { username: "a", password: "whatever it is" }));
    expect(count(statuses, 429)).toBe(100);
  });

  test("each person in a browser has a wide bucket of their own; signing in, and tokens, stay as strict", async () => {
    const strict = { RATE_LIMIT_BURST: "1", RATE_LIMIT_PER_SECOND: "0.001", TRUST_PROXY: "loopback" };
    await using server = await startServer({
      ...strict,
      ACCOUNT_RATE_LIMIT_BURST: "50",
      ACCOUNT_RATE_LIMIT_PER_SECOND: "0.001",
    });
    const from = (address: string) => ({ "X-Forwarded-For": address });
    const account = { username: "ada", password: "correct horse battery" };
    const guest = client(server);
    await guest.post("/signup", account, from("192.0.2.1"));
    const signedIn = await guest.post("/session", account, from("192.0.2.2"));
    const session = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { token } = (await guest.post("/signin", account, from("192.0.2.6"))).body;
    const ada = client(server, null, 0, { Cookie: session, "Sec-Fetch-Site": "same-origin" });
    expect(count(await burst(40, () => ada.get("/api/v1/photos", from("192.0.2.2"))), 200)).toBe(40);
    // Those of the account do not use up what guests at the same address have.
    expect((await guest.get("/api/v1/photos", from("192.0.2.3"))).status).toBe(200);
    expect((await guest.get("/api/v1/photos", from("192.0.2.3"))).status).toBe(429);
    expect((await ada.post("/signin", account, from("192.0.2.3"))).status).toBe(429);
    expect((await ada.post("/api/v1/albums", { name: "x" }, from("192.0.2.3"))).status).toBe(201);
    expect((await client(server, token).get("/api/v1/me", from("192.0.2.3"))).status).toBe(429);
    // From other addresses it is the same bucket.
    expect(count(await burst(20, (index) => ada.get("/api/v1/photos", from(`192.0.2.${10 + index}`))), 200)).toBe(9);
    const refused = await ada.get("/api/v1/photos");
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([
      429,
      expect.stringContaining(`"account";q=50`),
    ]);
    // A session that was revoked is none.
    await ada.post("/signout", undefined, from("192.0.2.4"));
    expect((await ada.get("/api/v1/me", from("192.0.2.4"))).status).toBe(429);
  });

  test("pages and health checks are not limited, and file contents have a larger bucket", async () => {
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

  test("unknown paths and methods of the API are limited, unknown pages are not", async () => {
    await using server = await startServer({ ...defaults, RATE_LIMIT_BURST: "1", RATE_LIMIT_PER_SECOND: "0.01" });
    const guest = client(server);
    for (let index = 0; index < 5; index++) expect((await guest.get("/no-such-page")).status).toBe(404);
    expect((await guest.get("/api/v1/no-such-path")).status).toBe(404);
    expect((await guest.get("/api/v1/no-such-path")).status).toBe(429);
    expect((await guest.delete("/signin")).status).toBe(429);
    expect((await guest.delete("/docs")).status).toBe(405);
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
  test("wrong passwords for one name are slowed down, whatever address they come from", async () => {
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
    // From an address where the owner has signed in before, others cannot lock them out.
    expect(
      (await client(server).post("/signin", { username: "target", password: "correct horse battery" })).status,
    ).toBe(200);
  });

  test("many sign-ins at once do not block reads", async () => {
    await using server = await startServer();
    const guest = client(server);
    const done = new AbortController();
    const storm = Promise.all(
      Array.from({ length: isLong ? 60 : 20 }, (_, index) =>
        guest.post("/signin", { username: `nobody${index}`, password: "some password" }),
      ),
    ).finally(() => done.abort());
    let reads = 0;
    for (; !done.signal.aborted; reads++) await guest.get("/api/v1/photos?page=1");
    await storm;
    // A read that waited for the passwords before it would be the only one.
    expect(reads).toBeGreaterThan(isLong ? 20 : 7);
  });
});

const here: Connection = { requestIP: () => ({ address: "192.0.2.1", family: "IPv4", port: 1 }), timeout() {} };

/** The request pipeline with one public route. */
function openApp(limit: Limits["api"]) {
  const path = "/api/v1/word";
  const response = z.object({ word: z.string() });
  return createApp({
    routes: [
      route({ method: "GET", path, name: "word", tag: "", summary: "", response, handle: () => ({ word: "hello" }) }),
    ],
    authenticate: async () => null,
    limits: { api: limit, account: limit, media: limit, pages: limit },
    writes: {
      fresh: () => null,
      generation: () => 0,
      lastWrite: () => 0,
      get: () => Promise.reject(new Error("no database")),
      transaction: () => Promise.reject(new Error("no database")),
    },
    trustedProxies: null,
    maxBodyBytes: 1024,
    secret: "",
    baseURL: "",
    api: { path: "/api/", documentation: "/docs" },
    isDraining: () => false,
    metrics: createMetrics(),
    log: createLog("silent"),
  });
}
