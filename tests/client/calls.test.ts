// Runs on the embedded engines only: the client sees only HTTP.
import { beforeAll, describe, expect, test } from "bun:test";
import { createClient, etagOf } from "../../client/src/index.ts";
import type { Client, ErrorCode } from "../../client/src/types.ts";
import type { Failure } from "../../src/platform/errors.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { startProxy } from "../kit/faults/tcp-proxy.ts";
import { useServer } from "../kit/use-server.ts";
import { failureOf } from "./failure.ts";
import { until } from "../kit/until.ts";

/** Fails to compile if the server has a code that the client does not know. */
const codes: (code: Failure) => ErrorCode = (code) => code;

const server = useServer();
let vitrine: Client;

beforeAll(async () => {
  vitrine = createClient({ baseURL: `${server.url}/` });
  await vitrine.signUp({ username: "owner", password });
  await vitrine.signIn({ username: "owner", password });
});

describe("a call", () => {
  test("takes parameters and body in one object, and returns the record", async () => {
    const album = await vitrine.createAlbum({ name: "Lisbon" });
    expect(await vitrine.changeAlbum({ id: album.id, name: "Lisboa" })).toMatchObject({ id: album.id, name: "Lisboa" });
    expect((await vitrine.readAlbum({ id: album.id, pageSize: 5 })).photos).toEqual([]);
    await vitrine.deleteAlbum({ id: album.id });
    expect((await failureOf(vitrine.readAlbum({ id: album.id }))).status).toBe(404);
  });

  test("encodes what is in the path and in the query", async () => {
    await vitrine.createDirectory({ name: "50% & more?#" });
    await vitrine.uploadFile({ path: "50% & more?#", file: new File(["x"], "ü +.txt"), isDirectory: false });
    expect(await vitrine.readPath({ path: "50% & more?#/ü +.txt" })).toMatchObject({ name: "ü +.txt", size: 1 });
    const page = await vitrine.listDirectory({ path: "/50% & more?#", cursor: undefined });
    expect(page.items.map(({ name }) => name)).toEqual(["ü +.txt"]);
  });

  test("that fails throws an error with all that the server says", async () => {
    const error = await failureOf(vitrine.createAlbum({ name: " " }));
    expect({ ...error }).toMatchObject({ status: 400, code: "invalid", field: "name", attempts: 1, retryAfter: null });
    expect(error.message).toContain("name");
    expect(server.logged()).toContain(error.requestID as string);
    expect(codes(error.code as Failure)).toBe("invalid");
  });

  test("without the record's id is refused before anything is sent", async () => {
    expect((await failureOf(vitrine.readAlbum({} as { id: number }))).message).toContain('"id" is required');
  });

  test("ends with the reason of its signal, before and while it is sent", async () => {
    expect(await failureOf(vitrine.readMe({}, { signal: AbortSignal.abort("enough") }))).toBe("enough");
    const proxy = await startProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
    proxy.setMode("silent");
    const slow = createClient({ baseURL: `http://127.0.0.1:${proxy.port}` });
    const stop = new AbortController();
    const call = slow.readLiveness({}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    expect(await call.catch((error: Error) => error.message)).toBe("stopped");
    const late = await failureOf(slow.readLiveness({}, { timeout: 50, retry: { attempts: 2, minDelay: 1 } }));
    expect([late.status, late.code, late.attempts]).toEqual([0, "timeout", 2]);
    await proxy.close();
  });

  test("with a changed record fails, and changes nothing", async () => {
    const { id } = await vitrine.createPost({ title: "Ferries", content: "one" });
    const read = await vitrine.readPost({ id });
    expect(etagOf(read)).toMatch(/^W?\/?"/);
    const saved = await vitrine.changePost({ id, content: "two" }, { ifMatch: read });
    // Saved again without reading.
    await vitrine.changePost({ id, content: "two, corrected" }, { ifMatch: saved });
    const error = await failureOf(vitrine.changePost({ id, content: "three" }, { ifMatch: read }));
    expect([error.status, error.code]).toEqual([412, "outdated"]);
    expect((await vitrine.readPost({ id })).content).toBe("two, corrected");
    expect((await failureOf(vitrine.changePost({ id, content: "four" }, { ifMatch: { id } }))).message).toContain(
      "ifMatch",
    );
  });
});

describe("a list", () => {
  beforeAll(async () => {
    for (let count = 0; count < 25; count++)
      await vitrine.createPost({ title: `Post ${count}`, content: "…", tags: ["many"] });
  });

  test("returns pages by number, with a total, and the input of the next page", async () => {
    const first = await vitrine.listPosts({ pageSize: 20 });
    expect([first.items.length, first.next]).toEqual([20, { pageSize: 20, page: 2 }]);
    expect(first.total).toBeGreaterThanOrEqual(25);
    const second = await vitrine.listPosts(first.next ?? {});
    expect(second.items.length).toBe((first.total ?? 0) - 20);
    expect(second.next).toBeNull();
  });

  test("returns pages by cursor if it is filtered", async () => {
    const first = await vitrine.listPosts({ tag: "many", pageSize: 20 });
    expect([first.items.length, first.total, first.next?.tag]).toEqual([20, null, "many"]);
    const second = await vitrine.listPosts(first.next ?? {});
    expect([second.items.length, second.next]).toEqual([5, null]);
  });

  test("returns all its items once, and no page that is not needed", async () => {
    const titles: string[] = [];
    for await (const { title } of vitrine.listPosts.all({ tag: "many", pageSize: 10 })) titles.push(title);
    expect(titles).toEqual(Array.from({ length: 25 }, (_, index) => `Post ${24 - index}`));
    let requests = 0;
    const counting = createClient({ baseURL: server.url, fetch: (url, init) => (requests++, fetch(url, init)) });
    for await (const _ of counting.listPosts.all({ tag: "many", pageSize: 10 })) break;
    expect(requests).toBe(1);
  });

  test("of an endpoint without cursors is read by page number", async () => {
    await vitrine.createDirectory({ name: "pictures" });
    for (let count = 0; count < 3; count++)
      await vitrine.uploadFile({ path: "/pictures", file: new File([png(2 + count, 2)], `${count}.png`) });
    const { id } = await vitrine.importPhotos({ path: "/pictures" });
    await until(
      () => vitrine.readImport({ id }),
      ({ finishedAt }) => finishedAt,
    );
    const outcomes = await Array.fromAsync(vitrine.listImportedFiles.all({ id, pageSize: 2 }));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["imported", "imported", "imported"]);
  });
});

test("a download is a response, whole or in part, and has a URL", async () => {
  const { id } = await vitrine.uploadFile({ file: new File(["harbour"], "harbour.txt") });
  expect(await (await vitrine.readContent({ id })).text()).toBe("harbour");
  const part = await vitrine.readContent({ id }, { range: "bytes=0-2" });
  expect([part.status, await part.text()]).toEqual([206, "har"]);
  const url = vitrine.readContent.url({ id, download: "1" });
  expect(url).toBe(`${server.url}/api/v1/files/${id}/content?download=1`);
  await vitrine.replaceContent({ id, body: new Blob(["ferry"]) });
  expect(await (await fetch(url)).text()).toBe("ferry");
  expect((await failureOf(vitrine.readContent({ id: 1e6 }))).code).toBe("missing");
});

test("a share link gives access to what is shared", async () => {
  const { id } = await vitrine.createAlbum({ name: "For friends", visibility: "private" });
  const { token } = await vitrine.createShare({ kind: "album", id, password });
  const guest = createClient({ baseURL: server.url, share: { token, password } });
  expect((await guest.openShare()).kind).toBe("album");
  expect((await guest.readAlbum({ id })).name).toBe("For friends");
  expect((await failureOf(createClient({ baseURL: server.url }).readAlbum({ id }))).status).toBe(404);
});

test("signing out revokes the token; a wrong password is reported at once", async () => {
  const other = createClient({ baseURL: server.url });
  const { user } = await other.signIn({ username: "owner", password });
  const { token } = other;
  expect([user.username, (await other.readMe()).id]).toEqual(["owner", user.id]);
  await other.signOut();
  expect(other.token).toBeNull();
  const stale = createClient({ baseURL: server.url, token });
  expect((await failureOf(stale.readMe())).code).toBe("unauthorized");
  const wrong = await failureOf(other.signIn({ username: "owner", password: "a wrong password" }));
  expect([wrong.status, wrong.attempts]).toEqual([401, 1]);
});

describe("events", () => {
  test("arrive as they happen, and without a gap after a cut connection", async () => {
    const proxy = await startProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
    const far = createClient({ baseURL: `http://127.0.0.1:${proxy.port}`, retry: { minDelay: 10 } });
    const stop = new AbortController();
    const events = far.events({ signal: stop.signal });
    const next = async () => (await events.next()).value;
    expect(await next()).toMatchObject({ type: "ready", id: expect.any(String) });
    const { id } = await vitrine.createPost({ title: "Live", content: "…" });
    expect(await next()).toMatchObject({ type: "change", action: "created", kind: "post", recordID: id });

    proxy.setMode("refusing");
    const waiting = next();
    await vitrine.changePost({ id, title: "Missed" });
    await Bun.sleep(50);
    proxy.setMode("normal");
    expect(await waiting).toMatchObject({ type: "change", action: "changed", recordID: id });
    expect(await next()).toMatchObject({ type: "ready" });

    const last = next();
    stop.abort(new Error("stopped"));
    expect(await last.catch((error: Error) => error.message)).toBe("stopped");
    await proxy.close();
  });

  test("end with an error if the server refuses", async () => {
    const events = vitrine.events({ lastEventID: "nonsense" });
    expect((await failureOf(events.next())).code).toBe("invalid");
  });
});
