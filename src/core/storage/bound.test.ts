import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isScaled } from "../../../tests/kit/engine.ts";
import { type Client, form } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { append, ask, begin, create, sendLines, sendPart, tus, uploads } from "../../features/uploads/tus.test.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";
import { storedBytes } from "./stored-bytes.ts";

const quota = 1_000_000;
const largest = 200_000;
const files = "/api/v1/files";
const names = ["a.bin", "b.bin", "c.bin"];

const random = (limit: number) => Math.floor(Math.random() * limit);
const any = <Value>(values: Value[]) => values[random(values.length)] as Value;
const someBytes = (size = 1 + random(largest)) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};
const ownFiles = async (who: Client) => (await who.get(files)).body.filter(({ isDirectory }: any) => !isDirectory);
const anyFile = async (who: Client): Promise<any> => any(await ownFiles(who)) ?? { id: 999_999, name: "none" };
const cancel = (who: Client, path: string) => who.request("DELETE", path, { headers: tus });

/** One thing that an author may do to get more onto the disk than the quota allows. */
type Act = (who: Client) => Promise<unknown>;

const forms: Act[] = [
  (who) => who.upload(any(names), someBytes()),
  (who) => who.upload(any(names), someBytes(), { onConflict: "replace" }),
  (who) => who.upload(any(names), someBytes(), { onConflict: "fail" }),
  (who) => who.upload("directory", someBytes(), { onConflict: "replace" }),
  // The fields come after the file.
  (who) => {
    const value = "x".repeat(random(largest));
    const parts = form({ name: "file", filename: any(names), value }, { name: "onConflict", value: "replace" });
    return who.request("POST", files, parts);
  },
  async (who) => {
    const sent = sendLines(who, `POST ${files}`, { ...form().headers, "Content-Length": String(largest) });
    sent.socket.write(
      form({ name: "file", filename: "cut.bin", value: "x".repeat(random(largest)) }).body.slice(0, -60),
    );
    await Bun.sleep(random(50));
    sent.socket.destroy();
  },
];

const contents: Act[] = [
  async (who) => putContent(who, someBytes()),
  async (who) => putContent(who, streamOf(someBytes())),
  async (who) => putContent(who, someBytes(), { "If-Match": '"another"' }),
  async (who) => who.post(`${files}/${(await anyFile(who)).id}/copy`, { path: any(["/", "/copies"]) }),
  async (who) => {
    const { id } = await anyFile(who);
    const { status, body } = await who.get(`${files}/${id}/versions`);
    if (status !== 200 || body.length === 0) return;
    if (Math.random() < 0.5) return who.delete(`${files}/${id}/versions/${any<any>(body).id}`);
    return who.post(`${files}/${id}/versions/${any<any>(body).id}/restore`);
  },
];

const inParts: Act[] = [
  // All of it, in two parts.
  async (who) => {
    const bytes = someBytes();
    const said = { filename: any(names), onConflict: any(["rename", "replace"]) };
    const path = await begin(who, bytes.length, said);
    if (!path) return;
    const half = bytes.length >> 1;
    await append(who, path, 0, bytes.subarray(0, half));
    await append(who, path, half, bytes.subarray(half));
  },
  // Onto a name that is taken, and asked for again and again.
  async (who) => {
    const bytes = someBytes();
    const path = await begin(who, bytes.length, { filename: any(names), onConflict: "fail" });
    if (!path) return;
    await append(who, path, 0, bytes.subarray(0, 10));
    await append(who, path, 10, bytes.subarray(10));
    await Promise.all([ask(who, path), ask(who, path), ask(who, path)]);
    await cancel(who, path);
  },
  // Left unfinished, unless it is one of those that the next line cancels.
  async (who) => {
    const bytes = someBytes();
    const { headers } = await create(
      who,
      bytes.length,
      { filename: any(names) },
      {},
      bytes.subarray(0, bytes.length >> 1),
    );
    const path = headers.get("location");
    if (path && Math.random() < 0.8) await cancel(who, path);
  },
  // Cancelled while a part comes in.
  async (who) => {
    const path = await begin(who, largest);
    if (!path) return;
    const headers = { "Upload-Offset": "0", "Content-Length": String(largest) };
    const { socket } = sendPart(who, path, someBytes(largest - 1), headers);
    await Bun.sleep(random(20));
    await cancel(who, path);
    socket.destroy();
  },
  // Many parts for the same place, and bytes that are not what they are said to be.
  async (who) => {
    const path = await begin(who, largest);
    if (!path) return;
    const wrong = { "Upload-Checksum": `sha1 ${createHash("sha1").update("other").digest("base64")}` };
    await Promise.all([
      append(who, path, 0, someBytes(largest), wrong),
      ...Array.from({ length: 4 }, () => append(who, path, 0, someBytes(largest))),
      append(who, path, 0, streamOf(someBytes(largest), someBytes(largest))),
    ]);
    await cancel(who, path);
  },
  async (who) => {
    const { body } = await who.get(uploads);
    for (const { id } of body.slice(0, 3)) await cancel(who, `${uploads}/${id}`);
  },
];

const deletions: Act[] = [
  async (who) => who.delete(`${files}/${(await anyFile(who)).id}`),
  (who) => who.delete("/api/v1/trash"),
  async (who) => {
    await who.delete(`${files}/${(await anyFile(who)).id}`);
    const { body } = await who.get("/api/v1/trash");
    for (const { id } of body) await who.delete(`/api/v1/trash/${id}`);
  },
];

async function putContent(who: Client, body: Bun.BodyInit, headers: Record<string, string> = {}) {
  return who.request("PUT", `${files}/${(await anyFile(who)).id}/content`, { body, headers });
}

function streamOf(...chunks: Uint8Array<ArrayBuffer>[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** Blobs first: a file that is moved there meanwhile is missed, and none is counted twice. */
function bytesIn(dataDir: string): number {
  const directories = isScaled ? ["spool"] : ["blobs", "incoming"];
  const paths = directories.flatMap((name) =>
    readdirSync(join(dataDir, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

const title =
  "with %s versions, an author who tries everything never gets more onto the disk than the quota and one upload";

test.each(isLong ? ["0", "2"] : ["2"])(title, async (versions) => {
  await using server = await startServer({ QUOTA_BYTES: String(quota), VERSIONS_KEPT: versions });
  const author = await person(server, "author");
  await author.post("/api/v1/directories", { name: "directory" });

  let most = 0;
  const measuring = setInterval(() => (most = Math.max(most, bytesIn(server.dataDir))), 2);
  const acts = [forms, contents, inParts, deletions];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let count = 0; count < (isScaled ? 8 : 40); count++) await any(any(acts))(author);
    }),
  );
  clearInterval(measuring);
  expect(most).toBeLessThanOrEqual(quota + largest);
  const failed = server
    .logged()
    .split("\n")
    .filter((line) => /"status":5|"level":"error"/.test(line));
  expect(failed).toEqual([]);
  if (!isScaled) expect(most).toBeGreaterThan(quota / 2);

  // What is left can be read, fits, and can be removed without a trace.
  for (const file of await ownFiles(author)) {
    const content = await (await fetch(author.url(file.url))).bytes();
    expect(sha256Of(content)).toBe(file.sha256);
  }
  const [owned] = (await author.get("/api/v1/storage")).body.owners;
  expect(owned.bytes + owned.unfinishedUploads.bytes).toBeLessThanOrEqual(quota);
  expect(await withDatabase(server, storedBytes.rebuild)).toBe(0);
  for (const { id } of (await author.get(uploads)).body) await cancel(author, `${uploads}/${id}`);
  for (const { id } of (await author.get(files)).body) await author.delete(`${files}/${id}`);
  await author.delete("/api/v1/trash");
  expect(bytesIn(server.dataDir)).toBe(0);
  expect((await create(author, quota, { filename: "all.bin" }, {}, someBytes(quota))).status).toBe(201);
});
