import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { missing } from "../errors.ts";
import { createRateLimit } from "../limits/rate-limit.ts";
import { createLog, type Log } from "../log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createApp } from "./app.ts";
import type { Connection, Exchange } from "./exchange.ts";
import type { ErrorPage } from "./failures.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "./route.ts";

type Options = { burst?: number; log?: Log; errorPage?: ErrorPage };

const here: Connection = { requestIP: () => ({ address: "192.0.2.1", family: "IPv4", port: 1 }), timeout() {} };
const owner: Caller = { id: 1, username: "owner", role: "author", tokenID: "1" };
const stranger: Caller = { ...owner, id: 2, tokenID: "2" };
const callers: Record<string, Caller> = { owner, stranger, reader: { ...owner, role: "reader" } };

function openApp(routes: Route[], { burst = 100, log = createLog("silent"), errorPage }: Options = {}) {
  const rate = { perSecond: 0.001, burst };
  const limit = { ...rate, limit: createRateLimit(rate) };
  const noDatabase = () => Promise.reject(new Error("no database"));
  const { fetch } = createApp({
    routes,
    authenticate: async (token) => callers[token] ?? null,
    grants: { headers: { "X-Grant": { description: "", example: "" } }, find: async () => null },
    limits: { api: limit, account: limit, media: limit, pages: limit },
    writes: { fresh: () => null, generation: () => 0, lastWrite: () => 0, get: noDatabase, transaction: noDatabase },
    trustedProxies: null,
    maxBodyBytes: 1024,
    secret: "",
    baseURL: "",
    api: { path: "/api/", documentation: "/docs" },
    isDraining: () => false,
    metrics: createMetrics(),
    log,
    errorPage,
  });
  return async (method: string, path: string, headers: Record<string, string> = {}, body: string | null = null) =>
    fetch(new Request(`http://localhost${path}`, { method, headers: { Host: "localhost", ...headers }, body }), here);
}

const about = { name: "", tag: "", summary: "" } as const;
const as = (token: string) => ({ Authorization: `Bearer ${token}` });

test("the first step that refuses a request decides about its response", async () => {
  const word = z.object({ word: z.string() });
  const ask = openApp(
    [
      route({
        ...about,
        method: "PUT",
        path: "/api/words/:id",
        role: "author",
        async find({ id }) {
          if (id > 1) throw missing(`word ${id}`);
          return { ownerID: 1 };
        },
        may: isOwnerOrAdmin,
        query: z.object({ size: z.enum(["1", "2"]).optional() }),
        body: word,
        response: word,
        handle: ({ body }) => body,
      }),
    ],
    { burst: 10 },
  );
  const json = { "Content-Type": "application/json" };
  const good = '{"word":"hello"}';
  const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;
  const errorOf = async (...request: Parameters<typeof ask>) => {
    const response = await ask(...request);
    return [response.status, ((await response.json()) as { error: string }).error];
  };
  expect(await statusOf("PUT", "/api/word/2?size=3", as("nobody"), "{")).toBe(404);
  expect(await statusOf("PUT", "/api/words/2?size=3", {}, "{")).toBe(401);
  expect(await statusOf("PUT", "/api/words/2?size=3", as("nobody"), "{")).toBe(401);
  expect(await statusOf("PUT", "/api/words/2?size=3", as("reader"), "{")).toBe(404);
  expect(await statusOf("PUT", "/api/words/1?size=3", as("reader"), "{")).toBe(403);
  expect(await statusOf("PUT", "/api/words/1?size=3", as("stranger"), "{")).toBe(403);
  expect(await errorOf("PUT", "/api/words/1?size=3", as("owner"), "{")).toEqual([400, expect.stringContaining("size")]);
  expect(await errorOf("PUT", "/api/words/1", { ...as("owner"), ...json }, "{")).toEqual([
    400,
    "The body is not valid JSON.",
  ]);
  expect(await errorOf("PUT", "/api/words/1", { ...as("owner"), ...json }, "{}")).toEqual([
    400,
    expect.stringContaining("word"),
  ]);
  expect(await statusOf("PUT", "/api/words/1", { ...as("owner"), ...json }, good)).toBe(200);
  for (const path of ["/api/words/1", "/api/word/2"]) {
    expect(await statusOf("PUT", path, { ...as("owner"), ...json }, good)).toBe(429);
  }
});

test("an unexpected error is a general sentence with the request ID; what it says is in the log only", async () => {
  let logged = "";
  const log = createLog("info", { pretty: false, output: { write: (text) => ((logged += text), true), close() {} } });
  const said = "SELECT secret_key FROM users: no such column";
  const fail = () => {
    throw new Error(said);
  };
  const broken = { ...about, method: "GET", response: z.object({}) } as const;
  const ask = openApp(
    [
      route({ ...broken, path: "/api/broken", handle: fail }),
      route({ ...broken, path: "/broken", handle: fail }),
      route({ ...broken, path: "/api/late", handle: () => Promise.reject(new Error(said)) }),
    ],
    { log, errorPage: async () => fail() },
  );
  for (const path of ["/api/broken", "/broken", "/api/late"]) {
    const response = await ask("GET", path, { Accept: "text/html" });
    expect([path, response.status, await response.json()]).toEqual([
      path,
      500,
      {
        error: "Internal server error; look up the request ID in the server log.",
        code: "broken",
        requestID: response.headers.get("x-request-id"),
      },
    ]);
    expect([...response.headers].join()).not.toContain("secret_key");
    log.flush();
    const lines = logged
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const line = lines.find(({ stack, path: its }) => stack && its === path);
    expect([line.level, line.requestID]).toEqual(["error", response.headers.get("x-request-id")]);
    expect(line.stack).toContain(said);
  }
});

describe("what caches may store", () => {
  const shared = { headers: { "Cache-Control": "public, max-age=60" }, body: new Blob(["hello"]) };
  const response = { contentTypes: ["text/plain"], description: "" };
  const read = { ...about, method: "GET", response } as const;
  const ask = openApp([
    route({ ...read, path: "/api/open", handle: () => shared }),
    route({ ...read, path: "/api/unsaid", personal: true, granted: true, handle: () => shared }),
    route({ ...read, path: "/api/said", personal: true, granted: true, handle: () => ({ ...shared, isPublic: true }) }),
    route({
      ...read,
      path: "/api/failed",
      personal: true,
      handle() {
        throw missing("picture");
      },
    }),
    route({ ...read, path: "/api/signed-in", role: "reader", handle: () => ({ ...shared, isPublic: true }) }),
    route({ ...read, path: "/api/guarded", isPrivate: true, handle: () => ({ ...shared, isPublic: true }) }),
  ]);
  const cacheOf = async (path: string, headers = {}) => (await ask("GET", path, headers)).headers.get("cache-control");
  const [open, closed] = ["public, max-age=60", "private, no-store"];

  test.each([
    ["/api/open", {}, open],
    ["/api/open", as("owner"), open],
    ["/api/open", { "X-Grant": "1" }, closed],
    ["/api/unsaid", {}, open],
    ["/api/unsaid", as("owner"), closed],
    ["/api/unsaid", as("nobody"), closed],
    ["/api/said", as("owner"), open],
    ["/api/said", { "X-Grant": "1" }, closed],
    ["/api/failed", {}, "no-store"],
    ["/api/failed", as("owner"), closed],
    ["/api/signed-in", as("owner"), closed],
    ["/api/guarded", {}, closed],
  ])("of %s with %j is decided by the route and the result: %s", async (path, headers, expected) => {
    expect(await cacheOf(path, headers)).toBe(expected);
  });

  test("cannot be changed by a handler", () => {
    const handle = (exchange: Exchange) => {
      // @ts-expect-error It is part of the result.
      exchange.isPrivate = false;
    };
    expect(handle).toBeFunction();
  });
});
