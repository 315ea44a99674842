import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { Client } from "../../../tests/kit/client.ts";
import { admin, person } from "../../../tests/kit/people.ts";
import { startServer, type TestServer } from "../../../tests/kit/server.ts";
import { sendRaw, statusOf } from "../../../tests/kit/files/raw.ts";
import type { Database } from "../../platform/database/database.ts";
import {
  append,
  begin,
  create,
  openBeside,
  partType,
  sendLines,
  tus,
  uploads,
} from "../../features/uploads/tus.test.ts";
import { readUsage } from "./quota.ts";
import { until } from "../../../tests/kit/until.ts";

let server: TestServer;
let chief: Client;
let db: Database;

beforeAll(async () => {
  server = await startServer({ QUOTA_BYTES: "1000" });
  chief = await admin(server);
  db = await openBeside(server);
});
afterAll(async () => {
  await db.close();
  await server.close();
});

const files = "/api/v1/files";
const someone = () => person(server, crypto.randomUUID());
const bytes = (count: number, sign = "x") => sign.repeat(count);
const put = (who: Client, { id }: any, body: Bun.BodyInit) => who.request("PUT", `${files}/${id}/content`, { body });
const copy = (who: Client, { id }: any, path: string) => who.post(`${files}/${id}/copy`, { path });
const upload = async (who: Client, size: number, fields = {}) =>
  (await who.upload(`${crypto.randomUUID()}.txt`, bytes(size), fields)).body;
const owned = async (who: Client) => (await who.get("/api/v1/storage")).body.owners[0];
/** Whether so many bytes could be uploaded now. */
const fits = async (who: Client, size: number) => {
  const { status, headers } = await create(who, size, { filename: "x" });
  if (status === 201) await who.request("DELETE", headers.get("location") ?? "", { headers: tus });
  return status === 201;
};
const reserved = async (who: Client) => (await readUsage(db, who.userID))?.reserved ?? 0;
const onDisk = () => new Set(readdirSync(server.dataDir, { recursive: true, encoding: "utf8" }));

describe("a quota", () => {
  test("is filled to the last byte, and no further", async () => {
    const who = await someone();
    const file = await upload(who, 400);
    expect((await put(who, file, bytes(600))).status).toBe(200);
    expect(await owned(who)).toMatchObject({ bytes: 1000, quota: 1000 });
    const before = [(await who.get(files)).body, onDisk()];
    for (const refused of [await put(who, file, "z"), await copy(who, file, "/no")]) {
      expect([refused.status, refused.body.code]).toEqual([400, "quota"]);
      expect(refused.body.error).toContain("over the limit of 1000.");
    }
    expect([(await who.get(files)).body, onDisk()]).toEqual(before);
    expect((await owned(who)).bytes).toBe(1000);
  });

  test("refuses by the length that is announced, before the bytes come", async () => {
    const who = await someone();
    const file = await upload(who, 10);
    const head = `PUT ${files}/${file.id}/content HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${who.token}\r\n`;
    const answer = await sendRaw(server.url, `${head}Content-Length: 991\r\n\r\n`);
    expect([statusOf(answer), answer.includes("1001 bytes")]).toEqual([400, true]);
  });

  test("refuses what tells no length when it has come, and stores nothing of it", async () => {
    const who = await someone();
    const file = await upload(who, 10);
    const before = onDisk();
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(bytes(991, "s")));
        controller.close();
      },
    });
    expect((await put(who, file, stream)).status).toBe(400);
    expect(onDisk()).toEqual(before);
    expect((await who.get(file.url)).body).toBe(bytes(10));
  });

  test("counts versions and the trash; what is gone for good is free again", async () => {
    const who = await someone();
    const file = await upload(who, 300);
    await put(who, file, bytes(300, "y"));
    const other = await upload(who, 300);
    await who.delete(`${files}/${other.id}`);
    expect((await owned(who)).bytes).toBe(900);
    expect((await copy(who, file, "/")).status).toBe(400);
    await who.delete("/api/v1/trash");
    expect((await copy(who, file, "/")).status).toBe(201);
    expect((await copy(who, file, "/")).status).toBe(400);
    const [version] = (await who.get(`${files}/${file.id}/versions`)).body;
    await who.delete(`${files}/${file.id}/versions/${version.id}`);
    expect((await copy(who, file, "/")).status).toBe(201);
    expect((await owned(who)).bytes).toBe(900);
  });

  test("does not refuse what needs no more space: the same content, and a restored version", async () => {
    const who = await someone();
    const file = await upload(who, 400);
    await put(who, file, bytes(600, "y"));
    expect((await put(who, file, bytes(600, "y"))).status).toBe(200);
    const [version] = (await who.get(`${files}/${file.id}/versions`)).body;
    expect((await who.post(`${files}/${file.id}/versions/${version.id}/restore`)).body.size).toBe(400);
    expect((await owned(who)).bytes).toBe(1000);
  });

  test("counts content that is not kept as free space for the next upload", async () => {
    await using forgetful = await startServer({ QUOTA_BYTES: "1000", VERSIONS_KEPT: "0" });
    const who = await person(forgetful, "who");
    const file = await upload(who, 900);
    expect((await put(who, file, bytes(1000, "y"))).status).toBe(200);
    expect((await put(who, file, bytes(1001, "z"))).status).toBe(400);
    expect((await owned(who)).bytes).toBe(1000);
  });

  test("of a directory's copy holds for all of it: too much leaves nothing", async () => {
    const who = await someone();
    const path = `/${crypto.randomUUID()}`;
    for (const inner of ["/a", "/b", "/b/c"]) await upload(who, 200, { path: path + inner });
    const directory = (await who.get(files)).body.find(({ name }: any) => `/${name}` === path);
    expect((await copy(who, directory, `${path}-copy`)).status).toBe(400);
    expect((await who.get(`${files}?path=${path}-copy`)).status).toBe(404);
    expect(await owned(who)).toMatchObject({ bytes: 600, directories: 4 });
  });

  test("is each author's own: that of the file's owner, whoever replaces it; admins have none", async () => {
    const who = await someone();
    const file = await upload(who, 900);
    expect((await put(chief, file, bytes(101))).status).toBe(400);
    expect((await put(chief, file, bytes(100))).status).toBe(200);
    expect((await copy(chief, await upload(chief, 5000), "/")).status).toBe(201);
    const { owners } = (await chief.get("/api/v1/storage")).body;
    const quotas = new Map(owners.map(({ ownerID, quota }: any) => [ownerID, quota]));
    expect([quotas.get(chief.userID), quotas.get(who.userID)]).toEqual([null, 1000]);
  });

  test("holds for forms: what is too much is refused, and nothing of it stays", async () => {
    const who = await someone();
    const path = `/${crypto.randomUUID()}`;
    const file = await upload(who, 600, { path });
    const before = onDisk();
    for (const onConflict of ["rename", "fail"]) {
      const { status, body } = await who.upload("more.txt", bytes(401, "m"), { path: `${path}/new`, onConflict });
      expect([status, body.error.includes("1001 bytes")]).toEqual([400, true]);
    }
    expect(onDisk()).toEqual(before);
    const replaced = await who.upload(file.name, bytes(401, "m"), { path, onConflict: "replace" });
    expect([replaced.status, (await who.get(file.url)).body]).toEqual([400, bytes(600)]);
    expect((await chief.upload(file.name, bytes(401, "m"), { path, onConflict: "replace" })).status).toBe(400);
    expect((await who.upload("fits.txt", bytes(400), { path })).status).toBe(201);
    expect((await who.upload("fits.txt", bytes(400), { path, onConflict: "replace" })).status).toBe(201);
    expect(await owned(who)).toMatchObject({ bytes: 1000, directories: 1, versions: { count: 0 } });
  });

  test("counts an upload that can be resumed by its length, from its beginning until it is cancelled", async () => {
    const who = await someone();
    const tooLong = await create(who, 1001, { filename: "x" });
    expect([tooLong.status, tooLong.body.error.includes("1001 bytes")]).toEqual([400, true]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(who, 400, { filename: "x" })));
    expect([count(answers, 201), count(answers, 400)]).toEqual([2, 2]);
    expect(await owned(who)).toMatchObject({ bytes: 0, unfinishedUploads: { count: 2, bytes: 800 } });

    const [first, second] = (await who.get(uploads)).body;
    const over = await who.upload("a.txt", bytes(201));
    expect([over.status, over.body.error]).toEqual([400, expect.stringContaining("800 of these bytes")]);
    const { body: file } = await who.upload("a.txt", bytes(100));
    expect((await put(who, file, bytes(101, "y"))).status).toBe(400);
    expect((await copy(who, file, "/")).status).toBe(201);
    expect((await copy(who, file, "/")).status).toBe(400);
    expect((await append(who, `${uploads}/${first.id}`, 0, bytes(400))).status).toBe(204);
    expect((await create(who, 1, { filename: "x" })).status).toBe(400);
    await who.request("DELETE", `${uploads}/${second.id}`, { headers: tus });
    expect(await owned(who)).toMatchObject({ bytes: 600, unfinishedUploads: { count: 0, bytes: 0 } });
    expect((await create(who, 400, { filename: "x" }, {}, bytes(400, "z"))).status).toBe(201);
  });

  test("lets the parts of two uploads that fill it be joined at the same time", async () => {
    const who = await someone();
    const paths = await Promise.all(Array.from({ length: 5 }, () => begin(who, 200)));
    for (const path of paths) await append(who, path, 0, bytes(100, path.at(-1)));
    const answers = await Promise.all(paths.map((path) => append(who, path, 100, bytes(100, path.at(-1)))));
    expect(count(answers, 204)).toBe(5);
    expect(await owned(who)).toMatchObject({ bytes: 1000, unfinishedUploads: { count: 0 } });
  });

  test("counts a file while it is received, also when its length is not known", async () => {
    const who = await someone();
    const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${bytes(300)}`;
    const { socket, answer } = sendLines(who, `POST ${files}`, {
      "Content-Type": "multipart/form-data; boundary=b",
      "Transfer-Encoding": "chunked",
    });
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    await until(async () => (await reserved(who)) > 0);
    expect(await fits(who, 701)).toBe(false);
    expect((await who.upload("b.txt", bytes(400))).status).toBe(201);
    socket.write(`12d\r\n${bytes(301)}\r\n`);
    expect(await answer).toContain("1001 bytes, over the limit of 1000.");
    expect(await fits(who, 600)).toBe(true);
  });

  test("is free again after an upload that breaks off", async () => {
    const who = await someone();
    const { body: file } = await who.upload("a.txt", bytes(10));
    const begun = { ...tus, "Upload-Length": "900", "Upload-Metadata": "filename eA==", "Content-Type": partType };
    const requests: [string, Record<string, string>][] = [
      [`PUT ${files}/${file.id}/content`, {}],
      [`POST ${uploads}`, begun],
    ];
    for (const [line, headers] of requests) {
      const { socket } = sendLines(who, line, { ...headers, "Content-Length": "900" });
      socket.write(bytes(500));
      await until(async () => (await reserved(who)) === 900);
      expect(await fits(who, 91)).toBe(false);
      socket.destroy();
      await until(() => fits(who, 990));
    }
  });

  test("holds when twenty forms come at once", async () => {
    const who = await someone();
    const path = `/${crypto.randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => who.upload("same.txt", bytes(100, String(index % 10)), { path })),
    );
    expect([count(answers, 201), count(answers, 400)]).toEqual([10, 10]);
    expect((await owned(who)).bytes).toBe(1000);
  });

  test("holds when twenty copies are made at once", async () => {
    const who = await someone();
    const file = await upload(who, 100);
    const answers = await Promise.all(Array.from({ length: 20 }, () => copy(who, file, `/${file.id}`)));
    expect(count(answers, 201)).toBe(9);
    expect(count(answers, 400)).toBe(11);
    expect((await owned(who)).bytes).toBe(1000);
  });

  test("holds when twenty contents are replaced at once", async () => {
    const who = await someone();
    const path = `/${crypto.randomUUID()}`;
    const empty = await Promise.all(Array.from({ length: 20 }, () => upload(who, 0, { path })));
    const answers = await Promise.all(empty.map((file, index) => put(who, file, bytes(100, String(index % 10)))));
    expect(count(answers, 200)).toBe(10);
    expect(count(answers, 400)).toBe(10);
    expect(await owned(who)).toMatchObject({ bytes: 1000, files: { count: 20, bytes: 1000 } });
  });
});

const count = (answers: { status: number }[], status: number) => answers.filter((one) => one.status === status).length;
