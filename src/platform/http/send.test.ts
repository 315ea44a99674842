import { expect, test } from "bun:test";
import { BlockList } from "node:net";
import { z } from "zod";
import { createRateLimit } from "../limits/rate-limit.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { textAnswer } from "./answer.ts";
import { createApp } from "./app.ts";
import type { Connection } from "./exchange.ts";
import { type Caller, type Route, route } from "./route.ts";

const here: Connection = { requestIP: () => ({ address: "127.0.0.1", family: "IPv4", port: 1 }), timeout() {} };
const caller: Caller = { id: 1, username: "owner", role: "author", tokenID: "1" };
const proxies = new BlockList();
proxies.addAddress("127.0.0.1");
const long = "word ".repeat(1000);
const about = { name: "", tag: "", summary: "", method: "GET" } as const;
const html = { contentTypes: ["text/html"], description: "" };
const shared = textAnswer("text/html", long);

const routes: Route[] = [
  route({ ...about, path: "/api/words", personal: true, granted: true, response: z.string(), handle: () => long }),
  route({
    ...about,
    path: "/api/list",
    paged: true,
    response: z.array(z.string()),
    handle: () => ({ items: ["a"], total: 30 }),
  }),
  route({ ...about, path: "/api/marked/words", response: z.string(), handle: () => "short" }),
  route({
    ...about,
    path: "/page",
    isPage: true,
    limit: "pages",
    response: html,
    handle: ({ exchange: { request, path, search, isSecure } }) =>
      textAnswer("text/html", [long, ...request.headers, path, search, isSecure].join(" "), { "X-Frame": "none" }),
  }),
  route({ ...about, path: "/api/shared", personal: true, limit: "none", response: html, handle: () => shared }),
];

/** Without `isKept`, no response is kept in memory. */
function openApp(isKept: boolean, isDraining = false, burst = 1e6) {
  const rate = { perSecond: 0.001, burst };
  const limit = { ...rate, limit: createRateLimit(rate) };
  const noDatabase = () => Promise.reject(new Error("no database"));
  const metrics = createMetrics();
  let logged = "";
  const output = { write: (text: string) => ((logged += text), true), close() {} };
  const log = createLog("info", { pretty: false, output });
  const { fetch } = createApp({
    routes,
    authenticate: async (token) => (token === "owner" ? caller : null),
    grants: {
      headers: { "X-Grant": { description: "", example: "" }, "X-Word": { description: "", example: "" } },
      readPath: (path) => (path.startsWith("/s/1/") ? { token: "1", path: path.slice(4) } : null),
      find: async () => null,
    },
    limits: { api: limit, account: limit, media: limit, pages: limit },
    writes: {
      fresh: () => null,
      generation: () => 0,
      lastWrite: () => (isKept ? 0 : 1),
      get: noDatabase,
      transaction: noDatabase,
    },
    trustedProxies: proxies,
    maxBodyBytes: 1024,
    secret: "",
    baseURL: "",
    api: { path: "/api/", documentation: "/docs" },
    languages: ["en", "de"],
    pathHeaders: { "/api/marked/": { "X-Marked": "yes" } },
    isDraining: () => isDraining,
    metrics,
    log,
  });
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(new Request(`http://localhost${path}`, { method, headers: { Host: "localhost", ...headers } }), here);
  const lines = () => (
    log.flush(),
    logged
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  );
  return { ask, metrics, lines };
}

/** The whole response, without the id of the request: it differs, unless the client has given it. */
async function describe(response: Response) {
  const headers = Object.fromEntries(response.headers);
  const id = headers["x-request-id"] ?? "";
  if (id !== "given") headers["x-request-id"] = "own";
  const body = Buffer.from(await response.bytes()).toString("latin1");
  if (!response.ok) delete headers["content-length"];
  return { status: response.status, headers, body: body.replace(id, "id") };
}

const paths = [
  "/api/words",
  "/api/list?page=2",
  "/api/list?page=2&unknown=1",
  "/api/marked/words",
  "/page",
  "/page?unknown=1",
  "/s/1/api/words",
  "/api/none",
];
const variations: Record<string, string>[] = [
  {},
  { "Accept-Encoding": "gzip" },
  { "Accept-Encoding": "gzip;q=0, br" },
  { "Accept-Encoding": "zstd", Origin: "http://other.example" },
  { "If-None-Match": "*" },
  { "If-None-Match": '"other"' },
  { "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https" },
  { "X-Request-Id": "given" },
  { "Accept-Language": "de-AT" },
  { "Accept-Language": "en", "Accept-Encoding": "br" },
  { Cookie: "vitrine=none" },
  { Cookie: "other=1" },
  { Authorization: "Bearer owner" },
  { Authorization: "none" },
  { "X-Grant": "1" },
  { "X-Word": "1", Origin: "null" },
  { Host: "other.example" },
  { Host: "a, b" },
  { Host: "" },
];

test.each([false, true])("responses from memory equal those of the handler, with draining: %p", async (isDraining) => {
  const [kept, fresh] = [openApp(true, isDraining), openApp(false, isDraining)];
  for (const turn of [1, 2, 3, 4]) {
    for (const path of paths) {
      for (const headers of variations) {
        for (const method of ["GET", "HEAD", "OPTIONS"]) {
          const [one, other] = await Promise.all([kept.ask(path, headers, method), fresh.ask(path, headers, method)]);
          const request = { turn, path, headers, method };
          expect({ request, response: await describe(one) }).toEqual({ request, response: await describe(other) });
        }
      }
    }
  }
  expect(fresh.metrics.cacheHits.value).toBe(0);
  expect(kept.metrics.cacheHits.value).toBeGreaterThan(500);
  // One line for each request, which differs only by its time and id.
  const described = (lines: Record<string, unknown>[]) =>
    lines.map(({ method, path, status, address, userID }) => [method, path, status, address, userID].join(" "));
  expect(described(kept.lines())).toEqual(described(fresh.lines()));
});

test("what is remembered of a URL is not what another host or a grant asks for", async () => {
  const { ask } = openApp(true);
  const [words, granted] = ["/api/words", "/s/1/api/words"];
  for (let turn = 0; turn < 4; turn++) {
    expect((await ask(words)).headers.get("cache-control")).toBe("no-cache");
    for (const Host of ["a, b", "localhost, localhost", "", "a b"])
      expect((await ask(words, { Host })).status).toBe(400);
    expect((await ask(granted)).headers.get("cache-control")).toBe("private, no-store");
  }
});

test("responses from memory take from the limit of their address", async () => {
  const { ask, metrics } = openApp(true, false, 5);
  const statuses = [];
  for (let number = 0; number < 7; number++) statuses.push((await ask("/api/words")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(metrics.cacheHits.value).toBe(4);
  expect((await ask("/api/words", { "X-Forwarded-For": "192.0.2.7" })).status).toBe(200);
});

test("an answer that several requests share is sent to each with the headers for it", async () => {
  const { ask } = openApp(true);
  const cacheOf = async (headers: Record<string, string>) =>
    (await ask("/api/shared", headers)).headers.get("cache-control");
  for (const encoding of ["zstd", "br", "gzip", "identity"]) {
    for (let turn = 0; turn < 3; turn++) {
      const accept = { "Accept-Encoding": encoding };
      const both = [cacheOf({ ...accept, Authorization: "Bearer owner" }), cacheOf(accept)];
      expect(await Promise.all(both)).toEqual(["private, no-store", "no-cache"]);
    }
  }
});
