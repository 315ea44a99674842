// Runs on the embedded engines only: the store is one in this process, so that it can be damaged and be too busy.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openS3 } from "../../src/platform/blobs/s3.ts";
import { connectS3 } from "../../src/platform/blobs/s3-calls.ts";
import type { S3Options } from "../../src/platform/blobs/s3-options.ts";
import { startS3 } from "../../src/platform/blobs/s3-servers.test.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { runVitrine } from "../kit/process.ts";
import { testLong } from "../kit/long.ts";
import { sha256Of } from "../kit/sha256.ts";

const metricsToken = "a token for the metrics";
const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
const options = "sse=aws:kms&kms-key=arn:aws:kms:eu-west-1:1:key/a&storage-class=STANDARD_IA";
const wantedHeaders = {
  "x-amz-server-side-encryption": "aws:kms",
  "x-amz-server-side-encryption-aws-kms-key-id": "arn:aws:kms:eu-west-1:1:key/a",
  "x-amz-storage-class": "STANDARD_IA",
};

let store: Awaited<ReturnType<typeof startS3>>;
let front: ReturnType<typeof startFront>;
let server: TestServer;
let owner: Client;
let env: Record<string, string>;

beforeAll(async () => {
  store = await startS3();
  front = startFront(store.options.endpoint);
  env = { ...keys, METRICS_TOKEN: metricsToken, STORAGE_URL: `s3://vitrine?endpoint=${front.url}&${options}` };
  server = await startServer(env);
  await client(server).post("/signup", { username: "owner", password });
  const { token } = (await client(server).post("/signin", { username: "owner", password })).body;
  owner = client(server, token);
});
const openStore = () => openS3(readConfig(env).blobStore as unknown as S3Options, join(server.dataDir, "spool"));
afterAll(async () => {
  await server.close();
  await front.stop();
});

test("every new object is sent with the encryption and the storage class of STORAGE_URL", async () => {
  front.seen.length = 0;
  await owner.upload("small.txt", "small");
  await owner.upload("large.bin", new Uint8Array(9 * 2 ** 20));
  const { body: file } = await owner.upload("photo.png", png(400, 300));
  const { body: photo } = await owner.post("/api/v1/photos", { title: "Photo", fileID: file.id });
  expect((await fetch(owner.url(photo.variants[0].url))).status).toBe(200);
  const isPart = ({ query }: Seen) => query.has("partNumber") || query.has("uploadId");
  const begun = front.seen.filter((seen) => /PUT|POST/.test(seen.method) && !isPart(seen));
  expect(begun.some(({ query }) => query.has("uploads"))).toBe(true);
  expect(begun.some(({ path }) => path.includes("/derived/"))).toBe(true);
  for (const { headers } of begun) expect(headers).toMatchObject(wantedHeaders);
  for (const { headers } of front.seen.filter(isPart)) expect(headers["x-amz-storage-class"]).toBeUndefined();
});

test("a store that does not obey the options stops the start, and so does an option that nobody knows", async () => {
  front.encrypts = false;
  expect(openStore()).rejects.toThrow("does not encrypt objects although sse=aws:kms asks for it");
  front.encrypts = true;
  front.answer = ({ method }) => (method === "PUT" ? fail(400, "InvalidStorageClass") : null);
  expect(openStore()).rejects.toThrow("400 InvalidStorageClass");
  front.answer = null;
  for (const [wrong, sentence] of [
    ["storageclass=X", 'unknown option "storageclass"'],
    ["sse=aes", "must have sse=AES256 or sse=aws:kms"],
    ["kms-key=k", "also needs sse=aws:kms"],
    ["storage-class=GLACIER", "cannot be read at once"],
  ] as const)
    expect(() => readConfig({ ...keys, STORAGE_URL: `s3://vitrine?${wrong}` })).toThrow(sentence);
});

test("a wrong region and a wrong clock are named at the start", async () => {
  front.answer = () => fail(400, "AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>");
  expect(openStore()).rejects.toThrow('is in the region "eu-west-1", not in "us-east-1": set region=eu-west-1');
  front.answer = () => fail(301, "PermanentRedirect", "<Endpoint>vitrine.s3.eu-west-1.amazonaws.com</Endpoint>");
  expect(openStore()).rejects.toThrow("such as that of vitrine.s3.eu-west-1.amazonaws.com");
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  front.answer = () => fail(403, "RequestTimeTooSkewed", "", { Date: date });
  expect(openStore()).rejects.toThrow("the clock of this machine is 60 minutes slow");
  front.answer = null;
});

test("a damaged object is never sent as if it were whole, and is logged, counted and named by the doctor", async () => {
  const [cut, changed, large] = [
    (await owner.upload("cut.bin", "a".repeat(1000))).body,
    (await owner.upload("changed.bin", "b".repeat(1000))).body,
    (await owner.upload("changed-large.bin", new Uint8Array(3 * 2 ** 20).fill(7))).body,
  ];
  const write = (file: any, bytes: string | Uint8Array) =>
    store.client.write(`blobs/${file.sha256.slice(0, 2)}/${file.sha256}`, bytes);
  await write(cut, "a".repeat(500));
  await write(changed, "x".repeat(1000));
  await write(large, new Uint8Array(3 * 2 ** 20).fill(8));
  for (const file of [cut, changed]) {
    const { status, body } = await owner.get(file.url);
    expect([status, body.code, body.error]).toEqual([404, "missing", expect.stringContaining("damaged")]);
  }
  const started = await fetch(owner.url(large.url));
  expect(started.status).toBe(200);
  expect(started.bytes()).rejects.toThrow();
  const lines = server
    .logged()
    .split("\n")
    .filter((line) => line.includes("a stored file is damaged"));
  expect(lines.map((line) => JSON.parse(line).sha256)).toEqual([cut.sha256, changed.sha256, large.sha256]);
  const metrics = await client(server).get("/metrics", { Authorization: `Bearer ${metricsToken}` });
  expect(metrics.body).toContain('vitrine_blob_faults_total{fault="damaged"} 3\n');

  const { code, stdout } = await runVitrine(["doctor", "--hash", "--data", server.dataDir], env);
  expect(code).toBe(1);
  for (const { sha256 } of [cut, changed, large]) expect(stdout).toContain(`damaged: ${sha256}`);
  for (const { id } of [cut, changed, large]) await owner.delete(`/api/v1/files/${id}`);
});

test("a damaged picture that the server has made is made again", async () => {
  const { body: file } = await owner.upload("again.png", png(401, 300));
  const { body: photo } = await owner.post("/api/v1/photos", { title: "Again", fileID: file.id });
  const read = async () => (await fetch(owner.url(photo.variants[0].url))).bytes();
  const whole = await read();
  const put = front.seen.findLast(({ method, path }) => method === "PUT" && path.includes(`/${file.sha256}/`));
  const key = put?.path.replace("/vitrine/", "") ?? "";
  const bytes = new Blob([whole.slice(0, whole.length / 2)]);
  const sha256 = sha256Of(await bytes.bytes());
  const headers = { "x-amz-meta-crc32": put?.headers["x-amz-meta-crc32"] ?? "" };
  await connectS3(store.options).call({ method: "PUT", key, headers, body: { bytes, sha256 } });
  expect(Buffer.from(await read()).equals(whole)).toBe(true);
});

testLong(
  "a busy store gets the request again as late as it asks for, and otherwise the client is told when",
  async () => {
    const times: number[] = [];
    front.answer = ({ path: asked }) => {
      if (!asked.endsWith(sha256Of("patient")) || times.length === 5) return null;
      times.push(performance.now());
      return fail(503, "SlowDown", "", times.length === 1 ? { "Retry-After": "1" } : {});
    };
    expect((await owner.upload("patient.txt", "patient")).status).toBe(201);
    expect(times).toHaveLength(5);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);

    const { body: file } = await owner.upload("busy.txt", "before");
    front.answer = () => fail(503, "SlowDown", "", { "Retry-After": "300" });
    const replaced = await owner.request("PUT", `/api/v1/files/${file.id}/content`, { body: new Blob(["after"]) });
    expect([replaced.status, replaced.body.code, replaced.headers.get("retry-after")]).toEqual([503, "busy", "300"]);
    front.answer = null;
    expect((await owner.get(file.url)).body).toBe("before");
  },
);

type Seen = { method: string; path: string; query: URLSearchParams; headers: Record<string, string> };

const fail = (status: number, code: string, more = "", headers: Record<string, string> = {}) =>
  new Response(`<Error><Code>${code}</Code>${more}</Error>`, { status, headers });

/** A proxy that records what the store is asked for, says that it encrypts, and can answer in place of the store. */
function startFront(endpoint: string) {
  const front = {
    url: "",
    seen: [] as Seen[],
    encrypts: true,
    answer: null as ((seen: Seen) => Response | null) | null,
  };
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname: path, searchParams: query, search } = new URL(request.url);
      const seen = { method: request.method, path, query, headers: Object.fromEntries(request.headers) };
      front.seen.push(seen);
      const answered = front.answer?.(seen);
      if (answered) return answered;
      const response = await fetch(new Request(endpoint + path + search, request), { decompress: false });
      if (front.encrypts) response.headers.set("x-amz-server-side-encryption", "aws:kms");
      return response;
    },
  });
  front.url = proxy.url.origin;
  return Object.assign(front, { stop: () => proxy.stop(true) });
}
