import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { sendRaw } from "../../../tests/kit/files/raw.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { append, ask, begin, create, partType, sendPart, tus, uploads } from "./tus.test.ts";
import { until } from "../../../tests/kit/until.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const limit = 3_000_000;

const server = useServer({ MAX_UPLOAD_BYTES: String(limit) });
const owner = server.person("owner");

const read = async (path: string) => (await owner.get(path)).body;
const contentOf = async (file: any) => (await fetch(server.url + file.url)).text();
const namesIn = async (path: string) =>
  (await owner.get(`/api/v1/files?path=${path}`)).body.map((file: any) => file.name);

describe("an upload in parts", () => {
  test("starts with a URL for the parts, and expires after a day", async () => {
    const began = Date.now();
    const { status, headers, body } = await create(owner, 10, { filename: "a.txt", path: "/begun" });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${uploads}/${body.id}`);
    expect(headers.get("tus-resumable")).toBe("1.0.0");
    const day = 86_400_000;
    // It is sent in whole seconds.
    expect(Date.parse(headers.get("upload-expires") ?? "")).toBeWithin(began + day - 1000, Date.now() + day + 1000);
    expect(body).toEqual({
      id: expect.any(Number),
      length: 10,
      offset: 0,
      file: null,
      ownerID: owner.userID,
      createdAt: expect.stringMatching(isoTime),
      expiresAt: expect.stringMatching(isoTime),
    });
    expect(await read(`${uploads}/${body.id}`)).toEqual(body);
    expect(await namesIn("/")).not.toContain("begun");
  });

  test("becomes a file with the last part, and the response has its id", async () => {
    const path = await begin(owner, 11, { filename: "three.txt", path: "/parts" });
    expect((await append(owner, path, 0, "one, ")).headers.get("upload-offset")).toBe("5");
    expect((await append(owner, path, 5, "two")).headers.get("upload-offset")).toBe("8");
    expect(await read(path)).toMatchObject({ offset: 8, file: null });
    const { status, headers, body } = await append(owner, path, 8, "...");
    expect([status, body, headers.get("upload-offset"), headers.get("tus-resumable")]).toEqual([
      204,
      "",
      "11",
      "1.0.0",
    ]);
    const { file } = await read(path);
    expect(headers.get("upload-file-id")).toBe(String(file.id));
    expect(file).toEqual(await read(`/api/v1/files/${file.id}`));
    expect(file).toMatchObject({ name: "three.txt", path: "/parts", ownerID: owner.userID });
    expect(await contentOf(file)).toBe("one, two...");
  });

  test.each([
    ["image.txt", png(40, 30)],
    ["page.html", Buffer.from("<h1>Hello</h1>")],
    ["größe 💥.mp4", Buffer.from("no video")],
    ["two kilobytes", Buffer.alloc(2048, 7)],
  ])("creates the same file from %s as a form, in one part and in many", async (name, bytes) => {
    const kept = ["name", "contentType", "size", "sha256", "isDirectory", "ownerID"] as const;
    const outline = (file: any) => kept.map((key) => file[key]);
    const form = (await owner.upload(name, bytes, { path: "/same/form" })).body;
    for (const [index, cuts] of [[], [5, 9, 12]].entries()) {
      const path = await begin(owner, bytes.length, { filename: name, path: `/same/${index}`, filetype: "not/true" });
      const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length];
      for (const [part, end] of ends.entries()) {
        const start = ends[part - 1] ?? 0;
        await append(owner, path, start, bytes.subarray(start, end));
      }
      expect(outline((await read(path)).file)).toEqual(outline(form));
    }
  });

  test("can have its first part, or all of it, in the creation request", async () => {
    const begun = await create(owner, 6, { filename: "with.txt", path: "/with" }, {}, "abc");
    expect([begun.status, begun.headers.get("upload-offset"), begun.body.file]).toEqual([201, "3", null]);
    await append(owner, begun.headers.get("location") ?? "", 3, "def");
    const whole = await create(owner, 3, { filename: "whole.txt", path: "/with" }, {}, "abc");
    expect(whole.body.file).toMatchObject({ name: "whole.txt", size: 3 });
    expect(whole.headers.get("upload-file-id")).toBe(String(whole.body.file.id));
    expect(await namesIn("/with")).toEqual(["whole.txt", "with.txt"]);
  });

  test("without bytes becomes a file immediately", async () => {
    const { status, body } = await create(owner, 0, { filename: "empty.txt", path: "/empty" });
    expect([status, body.offset, body.file.size]).toEqual([201, 0, 0]);
    expect(await ask(owner, `${uploads}/${body.id}`)).toEqual({ status: 200, offset: 0 });
  });

  test("can be queried with HEAD, which returns headers and no body", async () => {
    const said = `filename ${Buffer.from("wire.txt").toString("base64")},private`;
    const { headers } = await create(owner, 10, {}, { "Upload-Metadata": said }, "1234");
    const lines = `Host: a\r\nAuthorization: Bearer ${owner.token}\r\nTus-Resumable: 1.0.0\r\n`;
    const answer = await sendRaw(server.url, `HEAD ${headers.get("location")} HTTP/1.1\r\n${lines}\r\n`);
    const [head = "", body] = answer.split("\r\n\r\n");
    expect(body).toBe("");
    for (const line of [
      "HTTP/1.1 200 OK",
      "Upload-Offset: 4",
      "Upload-Length: 10",
      "Cache-Control: private, no-store",
      "Tus-Resumable: 1.0.0",
      `Upload-Metadata: ${said}`,
    ])
      expect(head.toLowerCase()).toContain(line.toLowerCase());
  });

  test("keeps the received bytes of a part whose connection broke", async () => {
    const path = await begin(owner, 1_000_000, { filename: "broken.txt", path: "/broken" });
    // If the connection breaks before the server has begun to read, nothing was received.
    let pauseMs = 50;
    const breakOff = async () => {
      const headers = { "Upload-Offset": "0", "Content-Length": "1000000" };
      const { socket } = sendPart(owner, path, "a".repeat(300_000), headers);
      await Bun.sleep((pauseMs *= 2));
      socket.destroy();
      return (await ask(owner, path)).offset as number;
    };
    const offset = await until(breakOff, (received) => received > 0);
    expect(offset).toBeLessThanOrEqual(300_000);
    await append(owner, path, offset, "a".repeat(1_000_000 - offset));
    expect((await read(path)).file.sha256).toBe(sha256Of("a".repeat(1_000_000)));
  });

  test("keeps the received bytes of a connection that only the server considers open", async () => {
    const path = await begin(owner, 10, { filename: "half-open.txt", path: "/broken" });
    const { socket, answer } = sendPart(owner, path, "abcd", { "Upload-Offset": "0", "Content-Length": "10" });
    await Bun.sleep(200);
    expect(await read(path)).toMatchObject({ offset: 0 });
    await until(
      () => ask(owner, path),
      ({ offset }) => offset === 4,
    );
    expect(await answer).toContain("Upload-Offset: 4");
    expect((await append(owner, path, 4, "efghij")).status).toBe(204);
    expect(await contentOf((await read(path)).file)).toBe("abcdefghij");
    socket.destroy();
  });

  test("accepts only one of two parts for the same offset", async () => {
    for (let round = 0; round < 5; round++) {
      const path = await begin(owner, 400_000, { filename: "race.txt", path: "/race" });
      const parts = ["a", "b", "c"].map((letter) => letter.repeat(400_000));
      const answers = await Promise.all(parts.map((part) => append(owner, path, 0, part)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409, 409]);
      const winner = answers.findIndex(({ status }) => status === 204);
      expect(await contentOf((await read(path)).file)).toBe(parts[winner] as string);
    }
    expect(await namesIn("/race")).toHaveLength(5);
  });

  test("can be read for a while after it is finished, in case the client missed the last response", async () => {
    const path = await begin(owner, 3, { filename: "known.txt", path: "/known" });
    await append(owner, path, 0, "abc");
    expect(await ask(owner, path)).toEqual({ status: 200, offset: 3 });
    expect((await append(owner, path, 3, "")).status).toBe(204);
    expect((await append(owner, path, 3, "more")).status).toBe(413);
    const { file } = await read(path);
    await owner.delete(`/api/v1/files/${file.id}`);
    expect(await read(path)).toMatchObject({ offset: 3, file: null });
  });

  test("is cancelled by DELETE, and nothing of it is kept", async () => {
    const path = await begin(owner, 3, { filename: "gone.txt", path: "/given-up" });
    await append(owner, path, 0, "ab");
    expect((await owner.request("DELETE", path, { headers: tus })).status).toBe(204);
    expect((await ask(owner, path)).status).toBe(404);
    expect((await append(owner, path, 2, "c")).status).toBe(404);
    expect((await owner.request("DELETE", path, { headers: tus })).status).toBe(404);
    expect(await namesIn("/")).not.toContain("given-up");
  });
});

describe("a checksum", () => {
  const sum = (algorithm: string, text: string) =>
    `${algorithm} ${createHash(algorithm).update(text).digest("base64")}`;

  test.each(["sha1", "sha256", "md5"])("of %s accepts only the matching bytes", async (algorithm) => {
    const path = await begin(owner, 6, { filename: `${algorithm}.txt`, path: "/sums" });
    const wrong = await append(owner, path, 0, "abd", { "Upload-Checksum": sum(algorithm, "abc") });
    expect([wrong.status, wrong.body.code]).toEqual([460, "damaged"]);
    expect(await ask(owner, path)).toEqual({ status: 200, offset: 0 });
    expect((await append(owner, path, 0, "abc", { "Upload-Checksum": sum(algorithm, "abc") })).status).toBe(204);
    expect((await append(owner, path, 3, "def", { "Upload-Checksum": sum(algorithm, "def") })).status).toBe(204);
    expect(await contentOf((await read(path)).file)).toBe("abcdef");
  });

  test.each(["crc32 AAAAAA==", "sha1", "sha1 ", "sha1 not/base64!", "sha1 AAAA AAAA", "", "SHA1", "__proto__ AAAA"])(
    "of the form %p is refused",
    async (checksum) => {
      const path = await begin(owner, 3);
      const { status, body } = await append(owner, path, 0, "abc", { "Upload-Checksum": checksum });
      expect([status, body.field]).toEqual([400, "Upload-Checksum"]);
      expect((await ask(owner, path)).offset).toBe(0);
    },
  );

  test("discards a part that broke off, and a wrong first part creates no upload", async () => {
    const path = await begin(owner, 10);
    const { socket } = sendPart(owner, path, "abcd", {
      "Upload-Offset": "0",
      "Content-Length": "10",
      "Upload-Checksum": sum("sha1", "abcdefghij"),
    });
    await Bun.sleep(200);
    socket.destroy();
    expect((await ask(owner, path)).offset).toBe(0);
    const { status, headers } = await create(
      owner,
      3,
      { filename: "x" },
      { "Upload-Checksum": sum("sha1", "abc") },
      "abd",
    );
    expect([status, headers.get("location")]).toEqual([460, null]);
  });
});

describe("an invalid request", () => {
  test("with a version other than 1.0.0 is refused, and the response has the supported version", async () => {
    const path = await begin(owner, 3);
    for (const [method, where] of [
      ["POST", uploads],
      ["HEAD", path],
      ["PATCH", path],
      ["DELETE", path],
    ] as const)
      for (const headers of [{}, { "Tus-Resumable": "0.2.2" }] as Record<string, string>[]) {
        const answer = await owner.request(method, where, { headers });
        expect([method, answer.status]).toEqual([method, 412]);
        expect(answer.headers.get("tus-version")).toBe("1.0.0");
      }
    expect((await ask(owner, path)).offset).toBe(0);
  });

  test.each(["application/octet-stream", "text/plain", ""])("with a part as %p is 415", async (type) => {
    const path = await begin(owner, 3);
    const { status, body } = await append(owner, path, 0, "abc", { "Content-Type": type });
    expect([status, body.error]).toEqual([415, `A part must have Content-Type: ${partType}.`]);
  });

  test("with a part that does not begin where the last one ends is 409", async () => {
    const path = await begin(owner, 6);
    await append(owner, path, 0, "abc");
    for (const offset of [0, 2, 4, 6]) {
      const { status, body } = await append(owner, path, offset, "x");
      expect([status, body.error]).toEqual([409, `"Upload-Offset" must be 3, the number of bytes received so far.`]);
    }
    for (const offset of ["", "-1", "1e3", "0x3", "3.0", "99999999999999999999"]) {
      expect((await append(owner, path, 3, "x", { "Upload-Offset": offset })).status).toBe(400);
    }
    expect((await ask(owner, path)).offset).toBe(3);
  });

  test("with more bytes than announced is 413, with a length or in chunks, and nothing is stored", async () => {
    const path = await begin(owner, 6);
    const chunks = new ReadableStream({
      start(controller) {
        for (const text of ["abc", "def", "ghi"]) controller.enqueue(Buffer.from(text));
        controller.close();
      },
    });
    expect((await append(owner, path, 0, "abcdefg")).status).toBe(413);
    expect((await append(owner, path, 0, chunks)).status).toBe(413);
    expect((await ask(owner, path)).offset).toBe(0);
  });

  test("for a file larger than the limit is 413, and without a length is 400", async () => {
    const { status, body } = await create(owner, limit + 1, { filename: "large.bin" });
    expect([status, body.error]).toEqual([413, `The file is larger than ${limit} bytes.`]);
    expect((await create(owner, limit, { filename: "large.bin" })).status).toBe(201);
    for (const length of ["", "-1", "many", "1e6"]) {
      const answer = await create(owner, 0, { filename: "x" }, { "Upload-Length": length });
      expect([answer.status, answer.body.field]).toEqual([400, "Upload-Length"]);
    }
  });
});
