import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { type Client, form, isoTime, type Part } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { member, person } from "../../../tests/kit/people.ts";
import { startServer, type TestServer } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const files = "/api/v1/files";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");
const stranger = server.person("stranger");

const send = (who: Client, ...parts: Part[]) => who.request("POST", files, form(...parts));
const field = (name: string, value: string): Part => ({ name, value });
const file = (filename: string, value = "bytes"): Part => ({ name: "file", filename, value });
const list = async (path = "/") => (await guest.get(`${files}?path=${encodeURIComponent(path)}`)).body;
const names = async (path = "/") => (await list(path)).map((entry: any) => entry.name);
const add = async (name: string) => (await owner.upload(name, name, { path: "/taken" })).body.name;
const levels = (count: number) => Array(count).fill("d").join("/");
const onDisk = ({ dataDir }: TestServer) => new Set(readdirSync(dataDir, { recursive: true, encoding: "utf8" }));
const bytesOf = async (entry: any) => (await guest.get(entry.url)).body;

describe("an upload", () => {
  test("returns a file object with the hash of its bytes, and the bytes can be downloaded unchanged", async () => {
    const bytes = png(30, 20);
    const { status, body } = await owner.upload("harbour.png", bytes, { path: "/shape" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "harbour.png",
      path: "/shape",
      isDirectory: false,
      size: bytes.length,
      contentType: "image/png",
      url: `/api/v1/files/${body.id}/content`,
      sha256: sha256Of(bytes),
      visibility: "public",
      ownerID: owner.userID,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: body.createdAt,
    });
    expect((await owner.get("/api/v1/files?path=/shape")).body).toEqual([body]);
    const read = await fetch(server.url + body.url);
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes);
  });

  test("may be empty, and may contain any bytes", async () => {
    const empty = (await owner.upload("empty.bin", "", { path: "/any" })).body;
    expect(empty).toMatchObject({ size: 0, isDirectory: false });
    expect(await bytesOf(empty)).toBe("");
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { url } = (await owner.upload("all.bin", all, { path: "/any" })).body;
    expect(new Uint8Array(await (await fetch(server.url + url)).arrayBuffer())).toEqual(all);
  });

  test("goes to the root if no path is sent", async () => {
    expect((await send(owner, file("at-the-root.txt"))).body).toMatchObject({ path: "/", name: "at-the-root.txt" });
    expect(await names()).toContain("at-the-root.txt");
  });

  test.each(["ends/none", "/ends/none", "ends/none/", "/ends/none/"])(
    "goes to the same directory for %s",
    async (path) => {
      expect((await owner.upload("same.txt", "x", { path })).body.path).toBe("/ends/none");
    },
  );

  test("creates the missing directories of its path, owned by the caller", async () => {
    await owner.upload("deep.txt", "x", { path: "/made/on/the way" });
    expect(await names("/made")).toEqual(["on"]);
    expect(await list("/made/on")).toMatchObject([
      { name: "the way", path: "/made/on", isDirectory: true, ownerID: owner.userID, url: null, sha256: null, size: 0 },
    ]);
  });

  test("uses an existing directory regardless of the case of the path", async () => {
    await owner.upload("one.txt", "x", { path: "/Case/Inner" });
    expect((await owner.upload("two.txt", "x", { path: "/CASE/inner" })).body.path).toBe("/Case/Inner");
    expect(await names("/Case")).toEqual(["Inner"]);
  });

  test("accepts fields before and after the file", async () => {
    const before = await send(owner, field("path", "/order"), field("onConflict", "fail"), file("before.txt"));
    const after = await send(owner, file("after.txt"), field("path", "/order"), field("onConflict", "fail"));
    expect([before.status, after.status]).toEqual([201, 201]);
    expect(await names("/order")).toEqual(["after.txt", "before.txt"]);
    expect((await send(owner, file("after.txt"), field("onConflict", "fail"), field("path", "/order"))).status).toBe(
      400,
    );
    expect((await send(stranger, file("late.txt"), field("path", "/order"))).status).toBe(403);
    expect(await names("/order")).toEqual(["after.txt", "before.txt"]);
    expect(await names()).not.toContain("late.txt");
  });

  test("is the part named file: other parts are ignored, like every unknown field", async () => {
    const other = { name: "attachment", filename: "elsewhere.txt", value: "in a field of another name" };
    expect((await send(owner, other)).status).toBe(400);
    expect(await names()).not.toContain("elsewhere.txt");
  });

  test("requires a complete form with a file in it", async () => {
    const before = await names();
    for (const init of [
      form(field("path", "/")),
      form(field("file", "text, not a file")),
      form(file("", "no name")),
      form(),
      { body: "bytes", headers: { "Content-Type": "application/octet-stream" } },
      { body: `{"file":"bytes"}`, headers: { "Content-Type": "application/json" } },
      { body: "bytes", headers: { "Content-Type": "multipart/form-data" } },
      { body: form(file("cut.txt")).body.slice(0, -20), headers: form().headers },
    ]) {
      const { status, body } = await owner.request("POST", files, init);
      expect([init.body, status]).toEqual([init.body, 400]);
      expect(body.error).toBeString();
    }
    expect(await names()).toEqual(before);
  });
});

describe("an upload whose name is taken", () => {
  test("keeps both: a number is added before the extension of the new one", async () => {
    expect(await add("a.tar.gz")).toBe("a.tar.gz");
    expect(await add("a.tar.gz")).toBe("a.tar (1).gz");
    expect(await add("A.TAR.GZ")).toBe("A.TAR (2).GZ");
    expect(await add("README")).toBe("README");
    expect(await add("readme")).toBe("readme (1)");
    expect(await add("Caf\u00e9.txt")).toBe("Caf\u00e9.txt");
    expect(await add("cafe\u0301.txt")).toBe("caf\u00e9 (1).txt");
    expect(await names("/taken")).toHaveLength(7);
  });

  test("is refused with onConflict=fail, and the first one keeps its bytes", async () => {
    const first = (await owner.upload("fail.txt", "first", { path: "/fail" })).body;
    const { status, body } = await owner.upload("FAIL.txt", "second", { path: "/fail", onConflict: "fail" });
    expect(status).toBe(400);
    expect(body.error).toContain("FAIL.txt");
    expect(await list("/fail")).toEqual([first]);
    expect(await bytesOf(first)).toBe("first");
  });

  test("replaces the content with onConflict=replace: the file keeps its id, and photos show the new bytes", async () => {
    const first = (await owner.upload("image.png", png(1, 1), { path: "/replace" })).body;
    const photo = (await owner.post("/api/v1/photos", { title: "Shown", fileID: first.id })).body;
    const answer = await owner.upload("image.png", png(9, 9), { path: "/replace", onConflict: "replace" });
    expect(answer.status).toBeOneOf([200, 201]);
    expect(answer.body).toMatchObject({ id: first.id, createdAt: first.createdAt, url: first.url });
    expect(answer.body.sha256).not.toBe(first.sha256);
    expect(await list("/replace")).toEqual([answer.body]);
    expect((await guest.get(`/api/v1/photos/${photo.id}`)).body.file).toEqual(answer.body);
  });

  test("creates a new file with onConflict=replace if the name is not taken", async () => {
    for (const onConflict of ["rename", "replace", "fail"]) {
      const { status, body } = await owner.upload(`${onConflict}.txt`, "x", { path: "/free", onConflict });
      expect([status, body.name]).toEqual([201, `${onConflict}.txt`]);
    }
  });

  test("never replaces a directory or a file of another user", async () => {
    const directory = (await owner.post("/api/v1/directories", { name: "solid" })).body;
    const mine = (await owner.upload("mine.txt", "mine")).body;
    expect((await owner.upload("solid", "x", { onConflict: "replace" })).status).toBe(400);
    expect((await stranger.upload("mine.txt", "theirs", { onConflict: "replace" })).status).toBe(403);
    expect(await list()).toContainEqual(directory);
    expect(await list()).toContainEqual(mine);
    expect(await bytesOf(mine)).toBe("mine");
  });

  test("fifty times concurrently gets fifty names, each with its own bytes", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => owner.upload("same.txt", `bytes ${index}`, { path: "/fifty" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.name)).size).toBe(50);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50);
    expect(new Set(await names("/fifty"))).toEqual(new Set(answers.map(({ body }) => body.name)));
    const bytes = await Promise.all(answers.map(({ body }) => bytesOf(body)));
    expect(bytes).toEqual(Array.from({ length: 50 }, (_, index) => `bytes ${index}`));
    expect((await names()).filter((name: string) => name === "fifty")).toHaveLength(1);
  });
});

describe("isDirectory=true", () => {
  const isDirectory = field("isDirectory", "true");

  test.each<[string, Part[], string, string]>([
    ["the field name", [isDirectory, field("name", "by-name"), field("path", "/d")], "/d", "by-name"],
    [
      "the field name before a filename",
      [field("name", "wins"), file("loses"), field("path", "/d"), isDirectory],
      "/d",
      "wins",
    ],
    ["the filename of the file part", [field("path", "/d"), file("by-file", ""), isDirectory], "/d", "by-file"],
    ["the last step of the path", [field("path", "/d/by-path/"), isDirectory], "/d", "by-path"],
    ["the last step of the path, field first", [isDirectory, field("path", "e")], "/", "e"],
  ])("creates a directory named by %s", async (_how, parts, path, name) => {
    const { status, body } = await send(owner, ...parts);
    expect(status).toBe(201);
    expect(body).toMatchObject({ path, name, isDirectory: true, size: 0, url: null, contentType: null, sha256: null });
    expect(await list(path)).toContainEqual(body);
    expect(await list(`${path}/${name}`)).toEqual([]);
    expect(await names(path)).not.toContain("loses");
  });

  test("also works with a URL-encoded form", async () => {
    const body = new URLSearchParams({ isDirectory: "true", path: "/plain/form" });
    expect((await owner.request("POST", files, { body })).body).toMatchObject({ path: "/plain", name: "form" });
  });

  test("without any name is refused", async () => {
    const before = await names();
    for (const parts of [[isDirectory], [isDirectory, field("path", "/")]]) {
      const { status, body } = await send(owner, ...parts);
      expect(status).toBe(400);
      expect(body.error).toContain("name");
    }
    expect(await names()).toEqual(before);
  });

  test("a name that is taken by a directory or a file is refused, regardless of case", async () => {
    await owner.post("/api/v1/directories", { name: "occupied" });
    await owner.upload("occupied.txt", "x");
    const before = await list();
    for (const name of ["occupied", "OCCUPIED", "Occupied.TXT"]) {
      for (const which of ["name", "path"]) {
        const { status } = await send(owner, isDirectory, field(which, name));
        expect([which, name, status]).toEqual([which, name, 400]);
      }
    }
    expect(await list()).toEqual(before);
  });

  test("a name that is taken in the root is refused equally in any order of the fields", async () => {
    await owner.post("/api/v1/directories", { name: "engaged" });
    expect((await send(stranger, isDirectory, field("path", "/engaged"))).status).toBe(400);
    expect((await send(stranger, field("path", "/engaged"), isDirectory)).status).toBe(400);
  });

  test.each(["TRUE", "True", "1"])("%j creates a directory like true", async (value) => {
    const { status, body } = await send(
      owner,
      field("path", `/${value.codePointAt(1)}/made`),
      field("isDirectory", value),
    );
    expect([status, body.isDirectory, body.size]).toEqual([201, true, 0]);
  });

  test.each(["FALSE", "False", "0", ""])("%j creates a file like false", async (value) => {
    const { status, body } = await send(owner, field("isDirectory", value), file("written.txt"), field("path", "/g"));
    expect([status, body.isDirectory, body.path]).toEqual([201, false, "/g"]);
  });

  test.each(["yes", "on", " true", "2", "01", "null"])("%j is neither true nor false", async (value) => {
    const before = await list();
    const { status, body } = await send(owner, field("isDirectory", value), field("name", "x"), file("x"));
    expect(status).toBe(400);
    expect(body.error).toContain("isDirectory");
    expect(await list()).toEqual(before);
  });

  test("false creates a file, like omitting the field", async () => {
    const { status, body } = await send(owner, field("isDirectory", "false"), file("plain.txt"), field("path", "/f"));
    expect([status, body.isDirectory, body.name]).toEqual([201, false, "plain.txt"]);
  });
});

describe("limits", () => {
  test("a name has up to 255 bytes, even after a number is added", async () => {
    const longest = `${"ü".repeat(125)}.jpeg`;
    expect((await owner.upload(longest, "x", { path: "/long" })).body.name).toBe(longest);
    const second = (await owner.upload(longest, "x", { path: "/long" })).body.name;
    expect(second).toEndWith(" (1).jpeg");
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
    expect((await owner.upload(`${longest}x`, "x", { path: "/long" })).status).toBe(400);
    expect(await names("/long")).toHaveLength(2);
  });

  test("the tree has up to 64 levels", async () => {
    expect((await owner.upload("bottom.txt", "x", { path: levels(63) })).body.path).toBe(`/${levels(63)}`);
    const tooDeep = await owner.upload("below.txt", "x", { path: levels(64) });
    expect(tooDeep.status).toBe(400);
    expect(tooDeep.body.error).toContain("path");
    expect((await owner.post("/api/v1/directories", { name: "d", path: levels(63) })).status).toBe(201);
    expect((await owner.post("/api/v1/directories", { name: "d", path: levels(64) })).status).toBe(400);
    expect(await names(levels(64))).toEqual([]);
  });

  test("more than MAX_UPLOAD_BYTES is refused, and nothing is left on the disk", async () => {
    await using small = await startServer({ MAX_UPLOAD_BYTES: "1000" });
    const someone = await person(small, "someone");
    expect((await someone.upload("fits.bin", "x".repeat(1000))).status).toBe(201);
    const before = onDisk(small);
    for (const size of [1001, 4_000_000]) {
      const { status, body } = await someone.upload("large.bin", "y".repeat(size), { path: "/new" });
      expect(status).toBe(400);
      expect(body.error).toContain("1000");
    }
    expect((await someone.get(files)).body.map((entry: any) => entry.name)).toEqual(["fits.bin"]);
    expect(onDisk(small)).toEqual(before);
  });
});

describe("the owner of a directory", () => {
  test("only the owner and admins may add to it, directly or below it", async () => {
    const admin = await member(server, "admin", "admin");
    await owner.post("/api/v1/directories", { name: "house" });
    await admin.post("/api/v1/directories", { name: "annex", path: "/house" });
    for (const path of ["/house", "/house/new/rooms", "/house/annex", "HOUSE"]) {
      expect((await stranger.upload("x.txt", "x", { path })).status).toBe(403);
      expect((await stranger.post("/api/v1/directories", { name: "x", path })).status).toBe(403);
      expect((await send(stranger, field("isDirectory", "true"), field("name", "x"), field("path", path))).status).toBe(
        403,
      );
    }
    expect((await owner.upload("x.txt", "x", { path: "/house/annex" })).status).toBe(403);
    expect(await names("/house")).toEqual(["annex"]);
    expect(await names("/house/annex")).toEqual([]);
    expect((await owner.upload("x.txt", "x", { path: "/house" })).status).toBe(201);
    expect((await admin.upload("y.txt", "y", { path: "/house" })).body.ownerID).toBe(admin.userID);
  });

  test("everyone may add to the root", async () => {
    expect((await stranger.upload("everybody.txt", "x")).status).toBe(201);
    expect((await stranger.post("/api/v1/directories", { name: "everybody" })).body.ownerID).toBe(stranger.userID);
  });

  test("a path cannot lead through a file", async () => {
    await owner.upload("wall.txt", "x");
    for (const path of ["/wall.txt", "/wall.txt/behind"]) {
      expect((await owner.upload("x.txt", "x", { path })).status).toBe(400);
      expect((await owner.post("/api/v1/directories", { name: "x", path })).status).toBe(400);
    }
    expect((await guest.get(`${files}/dir/wall.txt/behind`)).status).toBe(404);
  });
});
