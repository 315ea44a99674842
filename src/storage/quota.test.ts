import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { admin, type Client, person, startServer, type TestServer } from "../../tests/kit.ts";
import { sendRaw, statusOf } from "../../tests/raw.ts";

let server: TestServer;
let chief: Client;

beforeAll(async () => {
  server = await startServer({ QUOTA_BYTES: "1000" });
  chief = await admin(server);
});
afterAll(() => server.close());

const files = "/api/v1/files";
const someone = () => person(server, crypto.randomUUID());
const bytes = (count: number, sign = "x") => sign.repeat(count);
const put = (who: Client, { id }: any, body: BodyInit) => who.request("PUT", `${files}/${id}/content`, { body });
const copy = (who: Client, { id }: any, path: string) => who.post(`${files}/${id}/copy`, { path });
const upload = async (who: Client, size: number, fields = {}) =>
  (await who.upload(`${crypto.randomUUID()}.txt`, bytes(size), fields)).body;
const owned = async (who: Client) => (await who.get("/api/v1/storage")).body.owners[0];
const onDisk = () => new Set(readdirSync(server.dataDir, { recursive: true, encoding: "utf8" }));

describe("a quota", () => {
  test("is filled to the last byte, and no further", async () => {
    const who = await someone();
    const file = await upload(who, 400);
    expect((await put(who, file, bytes(600))).status).toBe(200);
    expect(await owned(who)).toMatchObject({ bytes: 1000, quota: 1000 });
    const before = [(await who.get(files)).body, onDisk()];
    for (const refused of [await put(who, file, "z"), await copy(who, file, "/no")]) {
      expect(refused.status).toBe(400);
      expect(refused.body.error).toContain("1000 are allowed");
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

  test("leaves alone what needs no more room: the same content, and a version that is brought back", async () => {
    const who = await someone();
    const file = await upload(who, 400);
    await put(who, file, bytes(600, "y"));
    expect((await put(who, file, bytes(600, "y"))).status).toBe(200);
    const [version] = (await who.get(`${files}/${file.id}/versions`)).body;
    expect((await who.post(`${files}/${file.id}/versions/${version.id}/restore`)).body.size).toBe(400);
    expect((await owned(who)).bytes).toBe(1000);
  });

  test("knows that a content which is not kept makes room for the next", async () => {
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

  test("holds for uploads that can be resumed: before the first byte, and at the last", async () => {
    const who = await someone();
    const begin = (length: number) =>
      who.request("POST", "/api/v1/uploads", {
        headers: {
          "Tus-Resumable": "1.0.0",
          "Upload-Length": String(length),
          "Upload-Metadata": `filename ${btoa(crypto.randomUUID())}`,
        },
      });
    expect((await begin(1001)).status).toBe(400);
    const uploads = await Promise.all(Array.from({ length: 4 }, () => begin(400)));
    const answers = await Promise.all(
      uploads.map(({ headers }, index) =>
        who.request("PATCH", headers.get("location") ?? "", {
          body: bytes(400, String(index)),
          headers: {
            "Tus-Resumable": "1.0.0",
            "Upload-Offset": "0",
            "Content-Type": "application/offset+octet-stream",
          },
        }),
      ),
    );
    expect([count(answers, 204), count(answers, 400)]).toEqual([2, 2]);
    expect((await owned(who)).bytes).toBe(800);
  });

  test("holds when twenty forms come at once", async () => {
    const who = await someone();
    const path = `/${crypto.randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => who.upload("same.txt", bytes(100, String(index % 10)), { path })),
    );
    expect([count(answers, 201), count(answers, 400)]).toEqual([10, 10]);
    expect((await owned(who)).bytes).toBe(1000);
  }, 20_000);

  test("holds when twenty copies are made at once", async () => {
    const who = await someone();
    const file = await upload(who, 100);
    const answers = await Promise.all(Array.from({ length: 20 }, () => copy(who, file, `/${file.id}`)));
    expect(count(answers, 201)).toBe(9);
    expect(count(answers, 400)).toBe(11);
    expect((await owned(who)).bytes).toBe(1000);
  }, 20_000);

  test("holds when twenty contents are replaced at once", async () => {
    const who = await someone();
    const path = `/${crypto.randomUUID()}`;
    const empty = await Promise.all(Array.from({ length: 20 }, () => upload(who, 0, { path })));
    const answers = await Promise.all(empty.map((file, index) => put(who, file, bytes(100, String(index % 10)))));
    expect(count(answers, 200)).toBe(10);
    expect(count(answers, 400)).toBe(10);
    expect(await owned(who)).toMatchObject({ bytes: 1000, files: { count: 20, bytes: 1000 } });
  }, 20_000);
});

const count = (answers: { status: number }[], status: number) => answers.filter((one) => one.status === status).length;
