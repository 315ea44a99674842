// Runs on the embedded engines only: the client sees only HTTP.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { type Client, createClient, memoryStore, type UploadProgress } from "../../client/src/index.ts";
import { person } from "../kit/people.ts";
import { useServer } from "../kit/use-server.ts";
import { sha256Of } from "../kit/sha256.ts";
import { failureOf } from "./failure.ts";
import { type Fault, startFront } from "./front.ts";

const megabyte = 2 ** 20;

let front: Awaited<ReturnType<typeof startFront>>;
let vitrine: Client;
let token: string | null;
const store = memoryStore();

const server = useServer();
beforeAll(async () => {
  ({ token } = await person(server, "owner"));
});
beforeEach(async () => {
  front = await startFront(server.url);
  vitrine = open();
});
afterEach(() => front[Symbol.asyncDispose]());

/** A client as a page has it after it was loaded again. */
const open = () => createClient({ baseURL: front.url, token, uploads: store, retry: { minDelay: 5 } });
const randomFile = (name: string, size: number) => new File([randomBytes(size)], name, { lastModified: 1 });
const hashOf = async (file: Blob) => sha256Of(await file.bytes());
const unfinished = async () => (await vitrine.listUploads()).length;

describe("an upload", () => {
  test("becomes a file in its directory, and reports its progress", async () => {
    const file = randomFile("größe.bin", 5 * megabyte);
    const progress: UploadProgress[] = [];
    const options = {
      path: "/2026/lisbon",
      visibility: "private",
      onProgress: (one: UploadProgress) => progress.push(one),
    } as const;
    expect(await vitrine.upload(file, options)).toMatchObject({
      name: "größe.bin",
      path: "/2026/lisbon",
      visibility: "private",
      sha256: await hashOf(file),
    });
    const sent = progress.map((one) => one.sent);
    expect([sent[0], sent.at(-1)]).toEqual([0, file.size]);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.toSorted((one, other) => one - other)).toEqual(sent);
    expect(await unfinished()).toBe(0);
  });

  test("of an empty file, and of a Blob with a name, works", async () => {
    expect(await vitrine.upload(new File([], "empty.txt"))).toMatchObject({ name: "empty.txt", size: 0 });
    expect(await vitrine.upload(new Blob(["x"]), { name: "named.txt" })).toMatchObject({ name: "named.txt", size: 1 });
    expect((await failureOf(vitrine.upload(new Blob(["x"])))).message).toContain("no name");
  });

  test("goes on after cut connections and refusals, and sends nothing twice", async () => {
    const file = randomFile("cut.bin", 4 * megabyte);
    front.fail("POST /api/v1/uploads", { status: 503 });
    front.fail("PATCH", { cutAfter: 300_000 });
    front.fail("PATCH", { status: 502 });
    front.fail("PATCH", { lose: "response" });
    front.fail("HEAD", { status: 429, headers: { "Retry-After": "0" } });
    const { sha256, size } = await vitrine.upload(file);
    expect([sha256, size]).toEqual([await hashOf(file), file.size]);
    const received = front.seen.filter(({ line }) => line.startsWith("PATCH"));
    const offsets = received.map(({ headers }) => Number(headers["upload-offset"]));
    expect(offsets.toSorted((one, other) => one - other)).toEqual(offsets);
    expect(await unfinished()).toBe(0);
  });

  test("goes on with shorter parts if a proxy refuses a long one", async () => {
    const file = randomFile("long.bin", 3 * megabyte);
    for (let count = 0; count < 2; count++) front.fail("PATCH", { status: 413, body: "<h1>Too large</h1>" });
    expect((await vitrine.upload(file)).sha256).toBe(await hashOf(file));
    expect(await unfinished()).toBe(0);
  });

  test("whose last response was lost is one file", async () => {
    front.fail("PATCH", { lose: "response" });
    const { id } = await vitrine.upload(new File(["only once"], "last.txt"), { path: "/last" });
    expect((await vitrine.listDirectory({ path: "/last" })).items.map((file) => file.id)).toEqual([id]);
  });

  test("that may be repeated is one request if the file is small", async () => {
    const file = randomFile("small.bin", 300_000);
    const progress: UploadProgress[] = [];
    const options = {
      path: "/small",
      visibility: "private",
      onProgress: (one: UploadProgress) => progress.push(one),
    } as const;
    const stored = await vitrine.upload(file, { ...options, onConflict: "reuse" });
    expect(stored).toMatchObject({
      name: "small.bin",
      path: "/small",
      visibility: "private",
      sha256: await hashOf(file),
    });
    const changed = randomFile("small.bin", 200_000);
    const replaced = await vitrine.upload(changed, { ...options, onConflict: "replace" });
    expect([replaced.id, replaced.sha256]).toEqual([stored.id, await hashOf(changed)]);
    expect(front.seen.map(({ line }) => line)).toEqual(["POST /api/v1/files", "POST /api/v1/files"]);
    expect(progress.map(({ sent }) => sent)).toEqual([0, 300_000, 0, 200_000]);
    expect(progress.every(({ uploadID }) => uploadID === null)).toBe(true);
  });

  const cuts: [name: string, fault: Fault][] = [
    ["its response was lost", { lose: "response" }],
    ["its connection was cut", { cutAfter: 100_000 }],
    ["a proxy found it too long", { status: 413, body: "<h1>Too large</h1>" }],
    ["there were too many requests", { status: 429, headers: { "Retry-After": "0" } }],
  ];
  test.each(cuts)("of a small file is stored once if %s", async (_name, fault) => {
    const path = `/small ${front.url.slice(-5)}`;
    const file = randomFile("again.bin", 300_000);
    await vitrine.upload(new File(["other"], "again.bin"), { path });
    front.fail("POST /api/v1/files", fault);
    const stored = await vitrine.upload(file, { path, onConflict: "reuse" });
    expect([stored.name, stored.sha256]).toEqual(["again (1).bin", await hashOf(file)]);
    const { items } = await vitrine.listDirectory({ path });
    expect(items.map(({ name }) => name)).toEqual(["again (1).bin", "again.bin"]);
    expect(await unfinished()).toBe(0);
  });

  test("can be paused, and goes on after a reload of the page", async () => {
    const file = randomFile("paused.bin", 4 * megabyte);
    const stop = new AbortController();
    const onProgress = ({ sent }: UploadProgress) => sent > 0 && stop.abort(new Error("paused"));
    expect((await failureOf(vitrine.upload(file, { signal: stop.signal, onProgress }))).message).toContain("paused");
    const [waiting] = await vitrine.listUploads();
    expect(waiting?.offset).toBeGreaterThan(0);

    let first: UploadProgress | undefined;
    const onward = { onProgress: (one: UploadProgress) => void (first ??= one) };
    expect((await open().upload(file, onward)).sha256).toBe(await hashOf(file));
    expect(first).toMatchObject({ sent: waiting?.offset as number, uploadID: waiting?.id as number });
    expect(await unfinished()).toBe(0);
  });

  test("starts again if it was cancelled meanwhile", async () => {
    const file = randomFile("cancelled.bin", 2 * megabyte);
    const stop = new AbortController();
    const onProgress = ({ sent }: UploadProgress) => sent > 0 && stop.abort(new Error("paused"));
    expect((await failureOf(vitrine.upload(file, { signal: stop.signal, onProgress }))).message).toContain("paused");
    const [waiting] = await vitrine.listUploads();
    await vitrine.deleteUpload({ id: waiting?.id as number });
    expect((await open().upload(file)).sha256).toBe(await hashOf(file));
  });

  test("fails if the server refuses it, or cannot be reached for too long", async () => {
    const file = new File(["taken"], "taken.txt");
    await vitrine.upload(file);
    const refused = vitrine.upload(file, { onConflict: "fail" });
    expect(await failureOf(refused)).toMatchObject({ status: 400, code: "invalid" });
    for (let count = 0; count < 9; count++) {
      front.fail("PATCH", { status: 503 });
      front.fail("HEAD", { status: 503 });
    }
    const given = { name: "far.txt", retry: { attempts: 3 } };
    expect(await failureOf(vitrine.upload(file, given))).toMatchObject({ status: 503 });
  });

  test("of the same file twice at once makes two files", async () => {
    const file = randomFile("twin.bin", 1000);
    const [one, other] = await Promise.all([vitrine.upload(file), vitrine.upload(file)]);
    expect([one.name, other.name].toSorted()).toEqual(["twin (1).bin", "twin.bin"]);
  });
});
