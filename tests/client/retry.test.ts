// Runs on the embedded engines only: the client sees only HTTP.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, createClient } from "../../client/src/index.ts";
import { password, person } from "../kit/people.ts";
import { startServer } from "../kit/server.ts";
import { useServer } from "../kit/use-server.ts";
import { failureOf } from "./failure.ts";
import { startFront } from "./front.ts";
import { until } from "../kit/until.ts";
import { testLong } from "../kit/long.ts";

let front: Awaited<ReturnType<typeof startFront>>;
let vitrine: Client;
let token: string | null;

const server = useServer();
beforeAll(async () => {
  ({ token } = await person(server, "owner"));
});
beforeEach(async () => {
  front = await startFront(server.url);
  vitrine = createClient({ baseURL: front.url, token, retry: { minDelay: 5 } });
});
afterEach(() => front[Symbol.asyncDispose]());

const busy = { status: 503 };
const countAlbums = async () => (await vitrine.listAlbums({ pageSize: 1 })).total ?? 0;

describe("a request that can be repeated", () => {
  test("is repeated after 502, 503, 504 and a lost connection", async () => {
    for (const status of [502, 503, 504]) front.fail("GET /api/v1/me", { status });
    front.fail("GET /api/v1/me", { lose: "response" });
    expect((await vitrine.readMe()).username).toBe("owner");
    expect(front.count("GET /api/v1/me")).toBe(5);
  });

  test("waits as long as the server says", async () => {
    front.fail("GET /api/v1/me", { status: 429, headers: { "Retry-After": "1" } });
    await vitrine.readMe();
    const [first, second] = front.seen;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  testLong("succeeds with the narrowest limits, after as many refusals as that takes", async () => {
    await using narrow = await startServer({ RATE_LIMIT_PER_SECOND: "2", RATE_LIMIT_BURST: "5" });
    const { token: mine } = await person(narrow, "owner");
    const patient = createClient({ baseURL: narrow.url, token: mine });
    for (let count = 0; count < 8; count++) await patient.createAlbum({ name: `Album ${count}` });
    expect((await patient.listAlbums({ owner: "me" })).items).toHaveLength(8);
    expect(narrow.logged()).toContain('"status":429');
  });

  test("fails at once if the server asks for more time than the limit", async () => {
    front.fail("GET /api/v1/me", { status: 503, headers: { "Retry-After": "3600" }, body: "<h1>Later</h1>" });
    const error = await failureOf(vitrine.readMe());
    expect(error).toMatchObject({ status: 503, code: "unknown", retryAfter: 3600, attempts: 1 });
  });

  test("is sent five times at most, and once if repetition is off", async () => {
    for (let count = 0; count < 9; count++) front.fail("GET /api/v1/me", busy);
    expect(await failureOf(vitrine.readMe())).toMatchObject({ status: 503, attempts: 5 });
    expect(await failureOf(vitrine.readMe({}, { retry: { attempts: 1 } }))).toMatchObject({ attempts: 1 });
    expect(front.count("GET /api/v1/me")).toBe(6);
  });

  test("is not repeated after an error that would stay", async () => {
    expect(await failureOf(vitrine.readAlbum({ id: 1e6 }))).toMatchObject({ status: 404, attempts: 1 });
  });

  test("can be stopped while it waits", async () => {
    front.fail("GET /api/v1/me", { status: 503, headers: { "Retry-After": "20" } });
    const stop = new AbortController();
    const call = vitrine.readMe({}, { signal: stop.signal });
    await until(
      () => front.seen,
      ({ length }) => length > 0,
    );
    stop.abort(new Error("stopped"));
    expect(await failureOf(call)).toMatchObject({ message: "stopped" });
    expect(front.seen.length).toBe(1);
  });
});

describe("a request that creates something", () => {
  test("is carried out once although its response was lost", async () => {
    const before = await countAlbums();
    front.fail("POST /api/v1/albums", { lose: "response" });
    front.fail("POST /api/v1/albums", busy);
    const album = await vitrine.createAlbum({ name: "Once" });
    expect((await vitrine.readAlbum({ id: album.id })).name).toBe("Once");
    expect(await countAlbums()).toBe(before + 1);
    const posts = front.seen.filter(({ line }) => line === "POST /api/v1/albums");
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  test("is not repeated if the server cannot recognise it, except after 429", async () => {
    const { id } = await vitrine.createAlbum({ name: "Shared" });
    front.fail("POST /api/v1/shares", { lose: "response" });
    expect(await failureOf(vitrine.createShare({ kind: "album", id }))).toMatchObject({ code: "network", attempts: 1 });
    front.fail("POST /api/v1/files", busy);
    const file = new File(["x"], "x.txt");
    expect(await failureOf(vitrine.uploadFile({ file }))).toMatchObject({ status: 503, attempts: 1 });
    front.fail("POST /api/v1/files", { status: 429 });
    expect((await vitrine.uploadFile({ file })).size).toBe(1);
  });
});

test("an error says that the request was sent more than once", async () => {
  const { id } = await vitrine.createAlbum({ name: "Gone" });
  front.fail(`DELETE /api/v1/albums/${id}`, { lose: "response" });
  expect(await failureOf(vitrine.deleteAlbum({ id }))).toMatchObject({ status: 404, attempts: 2 });
});

test("the trash is not emptied twice, and signing in is not repeated", async () => {
  front.fail("DELETE /api/v1/trash", { lose: "response" });
  expect(await failureOf(vitrine.emptyTrash())).toMatchObject({ code: "network", attempts: 1 });
  front.fail("POST /signin", { status: 429, headers: { "Retry-After": "1" } });
  const error = await failureOf(vitrine.signIn({ username: "owner", password }));
  expect(error).toMatchObject({ code: "limited", retryAfter: 1, attempts: 1 });
});
