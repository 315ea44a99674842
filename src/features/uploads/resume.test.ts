import { describe, expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { type HttpResponse, Upload, type UploadOptions } from "tus-js-client";
import { describeScaled, engineEnv } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { append, ask, begin, sendPart, uploads } from "./tus.test.ts";
import { testLong } from "../../../tests/kit/long.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const scratch = useScratch();

const megabyte = 2 ** 20;
const random = (size: number) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

type Sent = { requests: string[]; last: HttpResponse; url: string };

/** Sends bytes with the unmodified tus-js-client; `requests` has the method and status of each request. */
function send(who: Client, bytes: Buffer, options: UploadOptions): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const requests: string[] = [];
    const upload = new Upload(bytes, {
      endpoint: who.url(uploads),
      headers: { Authorization: `Bearer ${who.token}` },
      retryDelays: [0, 100, 500, 1000, 1000],
      onAfterResponse: (request, response) => void requests.push(`${request.getMethod()} ${response.getStatus()}`),
      onError: reject,
      onSuccess: ({ lastResponse: last }) => resolve({ requests, last, url: upload.url ?? "" }),
      ...options,
    });
    upload.start();
  });
}

async function fileOf(who: Client, { last }: Sent) {
  const { body } = await who.get(`/api/v1/files/${last.getHeader("Upload-File-ID")}`);
  const content = await fetch(who.url(body.url));
  return { ...body, contentHash: sha256Of(await content.bytes()) };
}

/** A proxy that closes each connection after `every` bytes of requests. */
async function startCuttingProxy(port: number, every: number) {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let passed = 0;
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}).on("close", end));
    far.on("data", (chunk) => near.write(chunk));
    near.on("data", (chunk) => {
      far.write(chunk);
      passed += chunk.length;
      if (passed < every) return;
      cuts++;
      end();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

describe("tus-js-client", () => {
  test("uploads a file over a connection that breaks every few megabytes", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    await using scissors = await startCuttingProxy(Number(new URL(server.url).port), 4 * megabyte);
    const bytes = random(25 * megabyte);
    const there = client(scissors, owner.token);
    const sent = await send(there, bytes, { metadata: { filename: "größe.bin", path: "/cut" } });
    const file = await fileOf(owner, sent);
    expect(file).toMatchObject({ name: "größe.bin", path: "/cut", size: bytes.length, sha256: sha256Of(bytes) });
    expect(file.contentHash).toBe(file.sha256);
    expect(scissors.cuts()).toBeGreaterThan(4);
    expect(sent.requests.filter((request) => request === "HEAD 200").length).toBe(scissors.cuts());
    expect((await owner.get("/api/v1/files?path=/cut")).body).toHaveLength(1);
  });

  test("uploads in chunks, with the first one in the creation request, and without PATCH", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const bytes = random(5 * megabyte + 123);
    const metadata = { filename: "chunks.bin" };
    const ways: [UploadOptions, string[]][] = [
      [{ chunkSize: megabyte }, ["POST 201", ...Array<string>(6).fill("PATCH 204")]],
      [{ chunkSize: megabyte, uploadDataDuringCreation: true }, ["POST 201", ...Array<string>(5).fill("PATCH 204")]],
      [{ overridePatchMethod: true }, ["POST 201", "POST 204"]],
    ];
    for (const [way, requests] of ways) {
      const sent = await send(owner, bytes, { metadata, ...way });
      expect(sent.requests).toEqual(requests);
      expect((await fileOf(owner, sent)).contentHash).toBe(sha256Of(bytes));
    }
    const empty = await send(owner, Buffer.alloc(0), { metadata: { filename: "empty.bin" } });
    expect(await fileOf(owner, empty)).toMatchObject({ name: "empty.bin", size: 0 });
  });

  test("cancels an upload, and detects that one is complete", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const headers = { Authorization: `Bearer ${owner.token}` };
    const path = await begin(owner, 3);
    await Upload.terminate(owner.url(path), { headers });
    expect((await ask(owner, path)).status).toBe(404);

    const sent = await send(owner, Buffer.from("abc"), { metadata: { filename: "abc.txt" } });
    const again = await send(owner, Buffer.from("abc"), { uploadUrl: sent.url });
    expect(again.requests).toEqual(["HEAD 200"]);
    expect(again.last.getHeader("Upload-File-ID")).toBe(sent.last.getHeader("Upload-File-ID"));
  });

  test("starts again if the upload no longer exists on the server", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const metadata = { filename: "anew.txt" };
    const sent = await send(owner, Buffer.from("abc"), { metadata, uploadUrl: owner.url(`${uploads}/77`) });
    expect(sent.requests).toEqual(["HEAD 404", "POST 201", "PATCH 204"]);
    expect(await fileOf(owner, sent)).toMatchObject({ name: "anew.txt", size: 3 });
  });

  testLong("resumes after the server was stopped in the middle of a part and started again", async () => {
    const env = { DATA_DIR: newDirectory(scratch) };
    const bytes = random(6 * megabyte);
    const first = await startServer(env);
    const owner = await person(first, "owner");
    const path = await begin(owner, bytes.length, { filename: "restarted.bin" });
    await append(owner, path, 0, bytes.subarray(0, megabyte));
    const { socket } = sendPart(owner, path, bytes.subarray(megabyte, 3 * megabyte), {
      "Upload-Offset": String(megabyte),
      "Content-Length": String(bytes.length - megabyte),
    });
    await Bun.sleep(300);
    await first.close();
    socket.destroy();

    await using second = await startServer(env);
    const again = client(second, owner.token);
    expect(await ask(again, path)).toEqual({ status: 200, offset: 3 * megabyte });
    const sent = await send(again, bytes, { uploadUrl: again.url(path) });
    expect(sent.requests).toEqual(["HEAD 200", "PATCH 204"]);
    expect((await fileOf(again, sent)).contentHash).toBe(sha256Of(bytes));
  });
});

describeScaled("two copies on the same engines", () => {
  test("can each receive parts of one upload, and accept only one of two parts for the same offset", async () => {
    const start = async () => startVitrine({ ...(await engineEnv(scratch)), DATA_DIR: newDirectory(scratch) });
    await using first = await start();
    await using second = await start();
    await client(first).post("/signup", { username: "owner", password });
    const { token } = (await client(first).post("/signin", { username: "owner", password })).body;
    const [one, other] = [client(first, token), client(second, token)];

    const bytes = random(4 * megabyte);
    const path = await begin(one, bytes.length, { filename: "shared.bin" });
    for (let at = 0; at < 3 * megabyte; at += megabyte) {
      const parts = [one, other].map((copy) => append(copy, path, at, bytes.subarray(at, at + megabyte)));
      expect((await Promise.all(parts)).map(({ status }) => status).toSorted()).toEqual([204, 409]);
      expect((await ask(other, path)).offset).toBe(at + megabyte);
    }
    const sent = await send(other, bytes, { uploadUrl: other.url(path) });
    expect(sent.requests).toEqual(["HEAD 200", "PATCH 204"]);
    expect((await fileOf(one, sent)).contentHash).toBe(sha256Of(bytes));
  });
});
