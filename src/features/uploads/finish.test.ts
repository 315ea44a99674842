import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isScaled } from "../../../tests/kit/engine.ts";
import { person } from "../../../tests/kit/people.ts";
import { statusOf } from "../../../tests/kit/files/raw.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { append, ask, begin, sendLines, sendPart, tus, uploads } from "./tus.test.ts";
import { until } from "../../../tests/kit/until.ts";

const files = "/api/v1/files";
const megabyte = 2 ** 20;

const server = useServer();
const owner = server.person("owner");

const cancel = (path: string) => owner.request("DELETE", path, { headers: tus });
const unfinished = async () => (await owner.get(uploads)).body.map(({ id }: any) => `${uploads}/${id}`);
/** Files that are being received. */
const incoming = () => {
  const directory = join(server.dataDir, isScaled ? "spool" : "incoming");
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(".lock"),
  );
};
/** The number of bytes that this process, which includes the server, has written so far. */
const written = () => Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

/** Less than this would not be written before the part is complete. */
const begun = "x".repeat(megabyte);
const length = megabyte + 6;

/** Starts to send a part and does not finish it. */
async function stall(path: string) {
  const sent = sendPart(owner, path, begun, { "Upload-Offset": "0", "Content-Length": String(length) });
  await until(incoming, ({ length }) => length > 0);
  return sent;
}

describe("an upload that cannot be finished", () => {
  test.if(existsSync("/proc/self/io"))("is copied once it can be finished, and not on each request", async () => {
    const half = Buffer.alloc(4 * megabyte, "x");
    const { body: other } = await owner.upload("taken.bin", "other");
    const path = await begin(owner, 2 * half.length, { filename: "taken.bin", onConflict: "fail" });
    await append(owner, path, 0, half);
    await append(owner, path, half.length, half);
    const before = written();
    for (let count = 0; count < 20; count++) expect((await ask(owner, path)).status).toBe(400);
    expect(written() - before).toBeLessThan(half.length);

    await owner.delete(`${files}/${other.id}`);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(owner, path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    // Once to the disk, and once more to S3.
    expect(written() - before).toBeLessThan(6 * half.length);
    expect((await owner.get(path)).body.file).toMatchObject({ name: "taken.bin", size: 2 * half.length });
  });
});

describe("a part that is being received", () => {
  test("blocks other parts of its upload", async () => {
    const path = await begin(owner, length);
    const { socket } = await stall(path);
    const second = await append(owner, path, 0, `${begun}efghij`);
    expect([second.status, second.body.error]).toEqual([409, expect.stringContaining("Send HEAD")]);
    expect(incoming()).toHaveLength(1);
    const answer = await ask(owner, path);
    const offset = answer.offset as number;
    expect(answer.status).toBe(200);
    expect(offset).toBeWithin(1, length);
    expect((await append(owner, path, offset, "x".repeat(length - offset))).status).toBe(204);
    socket.destroy();
  });

  test("ends when its upload is cancelled, and nothing is stored", async () => {
    const path = await begin(owner, length);
    const { socket, answer } = await stall(path);
    expect((await cancel(path)).status).toBe(204);
    expect(incoming()).toEqual([]);
    expect(statusOf(await answer)).toBe(204);
    expect((await ask(owner, path)).status).toBe(404);
    socket.destroy();
  });

  test("ends with its connection, and an upload whose client does not know its URL is removed", async () => {
    const lengths = { "Upload-Length": String(length), "Content-Length": String(length) };
    const headers = { ...tus, ...lengths, "Upload-Metadata": "filename eA==" };
    const type = { "Content-Type": "application/offset+octet-stream" };
    const { socket } = sendLines(owner, `POST ${uploads}`, { ...headers, ...type });
    socket.write(begun);
    await until(incoming, ({ length }) => length > 0);
    expect(await unfinished()).toHaveLength(1);
    socket.destroy();
    await until(unfinished, ({ length }) => length === 0);
    expect(incoming()).toEqual([]);
  });
});

test("users can list their own unfinished uploads, oldest first", async () => {
  const stranger = await person(server, "stranger");
  const paths = [await begin(owner, 10), await begin(owner, 20)];
  await begin(stranger, 30);
  await append(owner, await begin(owner, 3), 0, "end");
  await append(owner, paths[0] as string, 0, "abc");
  const { status, body } = await owner.get(uploads);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { length: 10, offset: 3, file: null, ownerID: owner.userID },
    { length: 20, offset: 0 },
  ]);
  expect(await unfinished()).toEqual(paths);
  for (const path of paths) await cancel(path);
  expect(await unfinished()).toEqual([]);
});
