import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { z } from "zod";
import { type Client, isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { versionSchema } from "./version.ts";
import { until } from "../../../tests/kit/until.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const server = useServer({ MAX_UPLOAD_BYTES: "1000000" });
const people = server.people();
const { owner } = people;

const files = "/api/v1/files";
const put = (file: any, body: Bun.BodyInit, headers = {}, who = owner) =>
  who.request("PUT", `${files}/${file.id}/content`, { body, headers });
const versions = async (file: any, who = owner) => (await who.get(`${files}/${file.id}/versions`)).body as any[];
const read = async ({ url }: any, who = owner) => (await who.get(url)).body;
const record = async (file: any) => (await owner.get(`${files}/${file.id}`)).body;
const upload = async (content: Bun.BlobPart, name = `${crypto.randomUUID()}.txt`) =>
  (await owner.upload(name, content)).body;
/** The earlier contents of the file, newest first. */
const contents = async (file: any) => Promise.all((await versions(file)).map((version) => read(version)));

/** Creates a file and replaces its content with each of the others. */
async function createReplaced(first: string, ...later: string[]) {
  const file = await upload(first);
  for (const content of later) expect((await put(file, content)).status).toBe(200);
  return record(file);
}

describe("replacing the content of a file", () => {
  test("keeps the id of the file, and its previous content as a version", async () => {
    const file = await upload("one");
    // So that the time of the change is another one.
    await until(() => Date.now() > Date.parse(file.updatedAt));
    const { status, body } = await put(file, "three");
    expect(status).toBe(200);
    expect(body).toEqual({ ...file, size: 5, sha256: sha256Of("three"), updatedAt: expect.stringMatching(isoTime) });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(file.updatedAt));
    expect(await read(body, people.guest)).toBe("three");

    const [version, ...none] = await versions(file);
    expect(none).toEqual([]);
    expect(version).toEqual({
      id: expect.any(Number),
      fileID: file.id,
      size: 3,
      contentType: "text/plain",
      sha256: sha256Of("one"),
      url: `${files}/${file.id}/versions/${version.id}/content`,
      createdAt: file.createdAt,
      replacedAt: body.updatedAt,
    });
    expect(z.strictObject(versionSchema.shape).safeParse(version).success).toBe(true);
    expect(await read(version)).toBe("one");
  });

  test("with a form and onConflict=replace does the same, and moves nothing to the trash", async () => {
    const file = await upload("one");
    const trash = (await owner.get("/api/v1/trash")).body;
    const { body } = await owner.upload(file.name, "two", { onConflict: "replace" });
    expect([body.id, body.sha256]).toEqual([file.id, sha256Of("two")]);
    expect(await contents(file)).toEqual(["one"]);
    expect((await owner.get("/api/v1/trash")).body).toEqual(trash);
  });

  test("repeatedly creates a sequence of versions without gaps in time", async () => {
    const file = await createReplaced("a", "b", "c", "d");
    expect(await read(file)).toBe("d");
    expect(await contents(file)).toEqual(["c", "b", "a"]);
    const [third, second, first] = (await versions(file)) as [any, any, any];
    expect([first.createdAt, second.createdAt, third.createdAt, file.updatedAt]).toEqual([
      file.createdAt,
      first.replacedAt,
      second.replacedAt,
      third.replacedAt,
    ]);
  });

  test("does not happen when a file is renamed or moved: it keeps its versions", async () => {
    const file = await createReplaced("a", "b");
    await owner.post(`${files}/${file.id}/move`, { path: `/moved-${file.id}`, name: "other.txt" });
    expect(await contents(file)).toEqual(["a"]);
    await put(file, "c");
    expect((await versions(file))[0].createdAt).toBe(file.updatedAt);
    const copy = (await owner.post(`${files}/${file.id}/copy`, { path: "/" })).body;
    expect([await read(copy), await versions(copy)]).toEqual(["c", []]);
  });

  test("with the same content changes nothing", async () => {
    const file = await createReplaced("old", "same");
    expect((await put(file, "same")).body).toEqual(file);
    expect((await owner.upload(file.name, "same", { onConflict: "replace" })).body).toEqual(file);
    expect(await contents(file)).toEqual(["old"]);
  });

  test("detects the type from the bytes, not the header, and a photo shows the new content", async () => {
    const file = await upload(png(2, 2), "shown.png");
    const photo = (await owner.post("/api/v1/photos", { title: "Shown", fileID: file.id })).body;
    const next = png(5, 5);
    const { body } = await put(file, next, { "Content-Type": "text/html" });
    expect([body.contentType, body.size, body.sha256]).toEqual(["image/png", next.length, sha256Of(next)]);
    expect((await owner.get(`/api/v1/photos/${photo.id}`)).body.file).toEqual(body);
    await put(file, "<script>", { "Content-Type": "image/png" });
    expect((await record(file)).contentType).toBe("application/octet-stream");
    expect((await versions(file)).map((version) => version.contentType)).toEqual(["image/png", "image/png"]);
  });

  test("with an empty body leaves an empty file", async () => {
    const file = await createReplaced("full", "");
    expect([file.size, await read(file)]).toEqual([0, ""]);
    expect(await contents(file)).toEqual(["full"]);
  });

  test("twenty times at once keeps one of them as the content and all others as versions", async () => {
    const file = await upload("start");
    const bodies = Array.from({ length: 20 }, (_, index) => `content ${index}`);
    const answers = await Promise.all(bodies.map((body) => put(file, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const all = [await read(file), ...(await contents(file))];
    expect(all.toSorted()).toEqual([...bodies, "start"].toSorted());
  });

  test("with ten forms at once keeps one of them as the content and all others as versions", async () => {
    const file = await upload("at first");
    const later = Array.from({ length: 10 }, (_, index) => `form ${index}`);
    const answers = await Promise.all(
      later.map((content) => owner.upload(file.name, content, { onConflict: "replace" })),
    );
    for (const { status } of answers) expect(status).toBe(201);
    const found = [await read(file), ...(await contents(file))];
    expect(found.toSorted()).toEqual(["at first", ...later]);
  });
});

describe("the content is not replaced", () => {
  test("in a directory, by a part, by too many bytes, or if the file does not exist", async () => {
    const file = await createReplaced("old", "new");
    const directory = (await owner.post("/api/v1/directories", { name: "no-content" })).body;
    expect((await put(directory, "x")).body).toMatchObject({ code: "invalid", error: expect.any(String) });
    expect((await put(file, "x", { "Content-Range": "bytes 0-0/3" })).status).toBe(400);
    const large = await put(file, "x".repeat(1_000_001));
    expect([large.status, large.body.error.includes("1000000")]).toEqual([400, true]);
    expect((await put({ id: 999_999 }, "x")).status).toBe(404);
    expect((await put({ id: "x" }, "x")).status).toBe(400);
    await owner.delete(`${files}/${directory.id}`);
    expect((await put(directory, "x")).status).toBe(404);
    expect([await record(file), await contents(file)]).toEqual([file, ["old"]]);
  });

  test.each([
    ["it is shorter than its length", "Content-Length: 400000", "x".repeat(200_000)],
    ["its last chunk is missing", "Transfer-Encoding: chunked", `30d40\r\n${"x".repeat(200_000)}\r\n`],
    ["a chunk is cut", "Transfer-Encoding: chunked", `30d40\r\n${"x".repeat(100_000)}`],
  ])("by an incomplete body: %s", async (_how, header, body) => {
    const file = await createReplaced("old", "new");
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
        socket.write(
          `PUT ${files}/${file.id}/content HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n${header}\r\n\r\n${body}`,
        );
        setTimeout(() => socket.destroy(), 200);
      });
      socket.on("close", () => resolve());
      socket.on("error", () => {});
    });
    await Bun.sleep(300);
    expect([await record(file), await read(file), await contents(file)]).toEqual([file, "new", ["old"]]);
  });

  test("if If-Match does not match, and the response is 412", async () => {
    const file = await createReplaced("old", "new");
    const wrong = [`"${sha256Of("old")}"`, `W/"${file.sha256}"`, file.sha256, '"x", "y"', ""];
    for (const tag of wrong) {
      const { status, body } = await put(file, "lost", { "If-Match": tag });
      expect([tag, status, body.code]).toEqual([tag, 412, "outdated"]);
    }
    expect([await record(file), await contents(file)]).toEqual([file, ["old"]]);
    const right = [`"${file.sha256}"`, `"x", "${sha256Of("next 0")}"`, "*"];
    for (const [index, tag] of right.entries()) {
      expect((await put(file, `next ${index}`, { "If-Match": tag })).status).toBe(200);
    }
    expect((await put({ id: 999_999 }, "x", { "If-Match": "*" })).status).toBe(404);
  });

  test("by more than one of ten requests with the same If-Match", async () => {
    const file = await upload("seen");
    const headers = { "If-Match": `"${file.sha256}"` };
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => put(file, `by ${index}`, headers)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    expect(await contents(file)).toEqual(["seen"]);
  });
});

describe("a version", () => {
  test("is read like a file: with ranges, conditional requests and ?download", async () => {
    const file = await createReplaced("0123456789", "new");
    const [{ url, sha256 }] = (await versions(file)) as [any];
    const part = await owner.get(url, { Range: "bytes=2-4" });
    expect([part.status, part.body, part.headers.get("content-range")]).toEqual([206, "234", "bytes 2-4/10"]);
    expect((await owner.get(url, { "If-None-Match": `"${sha256}"` })).status).toBe(304);
    expect((await owner.get(`${url}?download`)).headers.get("content-disposition")).toStartWith("attachment");
    expect((await owner.request("HEAD", url)).headers.get("content-length")).toBe("10");
  });

  test("can be restored, and the current content becomes a version", async () => {
    const file = await createReplaced("a", "b", "c");
    const [, first] = (await versions(file)) as [any, any];
    const { status, body } = await owner.post(`${files}/${file.id}/versions/${first.id}/restore`);
    expect(status).toBe(200);
    expect([body.id, body.sha256, body.size, body.contentType]).toEqual([file.id, sha256Of("a"), 1, "text/plain"]);
    expect([await read(file), await contents(file)]).toEqual(["a", ["c", "b"]]);
    expect((await owner.post(`${files}/${file.id}/versions/${first.id}/restore`)).status).toBe(404);
    expect(await record(file)).toEqual(body);
  });

  test("can be deleted permanently, and the file and its other versions are kept", async () => {
    const file = await createReplaced("a", "b", "c");
    const [second] = (await versions(file)) as [any];
    const path = `${files}/${file.id}/versions/${second.id}`;
    expect((await owner.delete(path)).body).toEqual({ message: expect.any(String) });
    expect([await record(file), await contents(file)]).toEqual([file, ["a"]]);
    for (const answer of [await owner.delete(path), await owner.get(second.url), await owner.post(`${path}/restore`)])
      expect(answer.status).toBe(404);
  });

  test("belongs to its file and cannot be read through another one", async () => {
    const [one, other] = [await createReplaced("a", "b"), await createReplaced("c", "d")];
    const [version] = (await versions(one)) as [any];
    for (const id of [version.id, 999_999]) {
      const path = `${files}/${other.id}/versions/${id}`;
      expect((await owner.get(`${path}/content`)).status).toBe(404);
      expect((await owner.post(`${path}/restore`)).status).toBe(404);
      expect((await owner.delete(path)).status).toBe(404);
    }
    expect((await owner.delete(`${files}/${one.id}/versions/x`)).status).toBe(400);
    expect([await contents(one), await contents(other)]).toEqual([["a"], ["c"]]);
  });

  test("is moved to the trash and restored with its file", async () => {
    const file = await createReplaced("a", "b");
    const [version] = (await versions(file)) as [any];
    await owner.delete(`${files}/${file.id}`);
    for (const path of [`${files}/${file.id}/versions`, version.url]) expect((await owner.get(path)).status).toBe(404);
    await owner.post(`/api/v1/trash/${(await owner.get("/api/v1/trash")).body[0].id}/restore`);
    expect([await read(file), await contents(file)]).toEqual(["b", ["a"]]);
  });
});

describe("permissions", () => {
  test("only the owner of the file and admins may list, read, restore, delete and create versions", async () => {
    const operations = {
      list: (who: Client, file: any) => who.get(`${files}/${file.id}/versions`),
      read: (who: Client, _file: any, version: any) => who.get(version.url),
      restore: (who: Client, file: any, { id }: any) => who.post(`${files}/${file.id}/versions/${id}/restore`),
      delete: (who: Client, file: any, { id }: any) => who.delete(`${files}/${file.id}/versions/${id}`),
      replace: (who: Client, file: any) => put(file, "by somebody", {}, who),
    };
    const { guest, stranger, admin } = people;
    for (const [name, send] of Object.entries(operations)) {
      for (const [who, expected] of [
        [guest, 401],
        [stranger, 403],
        [owner, 200],
        [admin, 200],
      ] as const) {
        const file = await createReplaced("secret", "public");
        const [version] = (await versions(file)) as [any];
        const { status, body } = await send(who, file, version);
        expect([name, who.userID, status]).toEqual([name, who.userID, expected]);
        if (status === 200) continue;
        expect(JSON.stringify(body)).not.toContain("secret");
        expect([await record(file), await contents(file)]).toEqual([file, ["secret"]]);
      }
    }
  });

  test("a file that an admin replaces still belongs to its owner", async () => {
    const file = await upload("mine");
    expect((await put(file, "theirs", {}, people.admin)).body.ownerID).toBe(owner.userID);
    expect(await contents(file)).toEqual(["mine"]);
  });
});
