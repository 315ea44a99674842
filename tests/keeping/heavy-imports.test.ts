// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about the files of SQLite and of the local disk, and about time and memory.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flickrKind } from "../../convert/sources/flickr.ts";
import { takeoutKind } from "../../convert/sources/takeout.ts";
import { wpComment, wpPost, wxr } from "../bad-sources/odd-blogs.ts";
import { client, type Client } from "../kit/client.ts";
import { password, signedIn } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { describeOnSmallDisk, useSmallDisk } from "../kit/faults/small-disk.ts";
import { useScratch } from "../kit/scratch.ts";
import { readItems, treeOf } from "../kit/trees.ts";
import { until } from "../kit/until.ts";
import { sha256Of } from "../kit/sha256.ts";

/** What takes minutes on a small machine: `npm run test:long`. */

const scratch = useScratch();

const createAdmin = (env: { DATA_DIR: string }) =>
  runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);

function createFolder(name: string, megabytes: number): string {
  const path = join(scratch, "sources", name);
  mkdirSync(path, { recursive: true });
  for (let number = 0; number < megabytes; number++)
    writeFileSync(join(path, `${number}.bin`), Buffer.alloc(2 ** 20, `${name} ${number} `));
  return path;
}

const resize = (path: string, mebibytes: number) =>
  expect(Bun.spawnSync(["mount", "-o", `remount,size=${mebibytes}m`, path]).success).toBe(true);

async function listHashes(ada: Client, path: string): Promise<Record<string, string>> {
  const { body } = await ada.get(`/api/v1/files?path=${path}&pageSize=1000`);
  return Object.fromEntries(body.map((file: any) => [file.name, file.sha256]));
}

const hashesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, sha256Of(readFileSync(join(folder, name)))]));

(isLong ? describeOnSmallDisk : describe.skip)("a disk that is full during an import", () => {
  const disk = useSmallDisk(100);
  const env = { DATA_DIR: join(disk, "data"), IMPORT_DIR: join(scratch, "sources") };
  let stored = 0;

  test("ends the command with a sentence; with more space, it goes on to the same result", async () => {
    mkdirSync(env.DATA_DIR);
    await createAdmin(env);
    const folder = createFolder("command", 110);
    const full = await runVitrine(["import", folder], env);
    expect([full.code, full.stderr.trim().split("\n")]).toEqual([1, [expect.stringMatching(/full|no space/i)]]);
    resize(disk, 300);
    const doctor = await runVitrine(["doctor", "--hash"], env);
    // No server has started on it so far, which is the one warning. The first batch is there.
    expect(doctor.stdout).toMatch(/All [1-9]\d* files are present and intact[\s\S]*\n0 errors, 1 warning/);
    const again = await runVitrine(["import", folder], env);
    expect([again.code, again.stderr, again.stdout]).toEqual([0, "", expect.stringContaining("110 added")]);
    await using server = await startVitrine(env);
    expect(await listHashes(await signedIn(server, "ada"), "/command")).toEqual(hashesOf(folder));
    stored = 110;
  });

  test("is waited for by the server, which says so", async () => {
    const folder = createFolder("server", 60);
    resize(disk, stored + 50);
    await using server = await startVitrine(env);
    const ada = await signedIn(server, "ada");
    const { body } = await ada.post("/api/v1/imports", { folder: "server", to: "/server" });
    const read = async () => (await ada.get(`/api/v1/imports/${body.id}`)).body;
    expect(await until(read, ({ failure }) => failure !== null, 180_000)).toMatchObject({
      status: "running",
      failure: expect.stringContaining("is full"),
    });
    resize(disk, 400);
    expect(await until(read, ({ status }) => status !== "running", 180_000)).toMatchObject({
      status: "finished",
      failure: null,
      items: { added: 60, refused: 0 },
    });
    expect(await listHashes(ada, "/server")).toEqual(hashesOf(folder));
  });
});

test.if(isLong)("100,000 comments on one post are undone by a server that serves, and can be cancelled", async () => {
  const env = { DATA_DIR: join(scratch, "comments"), IMPORT_DIR: scratch };
  mkdirSync(env.DATA_DIR);
  await createAdmin(env);
  const comments = Array.from({ length: 100_000 }, (_, number) =>
    wpComment(number + 1, 0).replace("Zoë", `P${number % 20_000}`),
  );
  const [before, after] = [join(scratch, "before.xml"), join(scratch, "after.xml")];
  writeFileSync(before, wxr([wpPost()]));
  writeFileSync(after, wxr([wpPost({ more: comments.join("") })]));
  // The post is not a part of the second import: each comment goes to the trash by itself.
  for (const path of [before, after]) expect((await runVitrine(["import", path], env)).code).toBe(0);
  await using server = await startVitrine(env);
  const [ada, guest] = [await signedIn(server, "ada"), client(server)];
  const read = async () => (await ada.get("/api/v1/imports/2")).body.status;
  const undo = ada.post("/api/v1/imports/2/undo");
  await until(read, (status) => status === "undoing");
  const readTrash = async () => (await ada.get("/api/v1/trash?cursor=")).body;
  await until(readTrash, ({ length }) => length > 0);
  expect((await guest.get("/blog/post-1", { Accept: "text/html" })).status).toBe(200);
  expect((await ada.delete("/api/v1/imports/2")).body.status).toBe("cancelled");
  await undo;
  expect((await ada.get("/api/v1/comments?blogPostID=1&cursor=")).body.length).toBeGreaterThan(0);
  await ada.post("/api/v1/imports/2/undo");
  const readMeanwhile = async () => {
    expect((await guest.get("/blog/post-1", { Accept: "text/html" })).status).toBe(200);
    return read();
  };
  expect(await until(readMeanwhile, (status) => status !== "undoing", 180_000)).toBe("undone");
  expect((await ada.get("/api/v1/comments?blogPostID=1&cursor=")).body).toEqual([]);
  expect((await ada.get("/api/v1/users")).body.length).toBe(1);
});

const usual = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "public" as const };

test.if(isLong)("an album with 50,000 pictures, and a picture in 10,000 albums, are read", async () => {
  const album: Record<string, string> = {};
  for (let number = 0; number < 50_000; number++) {
    const path = `Takeout/Google Photos/All/IMG_${number}.jpg`;
    album[path] = "x";
    album[`${path}.json`] = '{"photoTakenTime":{"timestamp":"1562340000"}}';
  }
  album["Takeout/Google Photos/All/metadata.json"] = '{"title":"All"}';
  const items = await readItems(takeoutKind, treeOf(album), usual);
  expect(items.filter((item) => item.kind === "file" && item.albums.length === 1).length).toBe(50_000);
  const albums = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    title: `${id}`,
    cover_photo: "12345678",
    photos: ["12345678"],
  }));
  const files = {
    "photo_12345678.json": JSON.stringify({ id: "12345678", privacy: "public" }),
    "a_12345678_o.jpg": "x",
    "albums.json": JSON.stringify({ albums }),
  };
  const read = await readItems(flickrKind, treeOf(files), usual);
  expect(read.findLast((item) => item.kind === "file")?.albums.length).toBe(10_000);
});
