import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineEnv, isScaled } from "./engine.ts";
import { client, password, png } from "./kit.ts";
import { runVitrine, startVitrine } from "./process.ts";

const scratch = mkdtempSync(join(tmpdir(), "vitrine-move-"));
const fresh = () => mkdtempSync(join(scratch, "data-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Environment = Record<string, string>;

describe.if(isScaled)("moving house", () => {
  test("a site goes to PostgreSQL and S3 and back, with its ids, its trash, its tokens and every byte", async () => {
    const small: Environment = { DATA_DIR: fresh() };
    const large: Environment = { ...(await engineEnv(scratch)), DATA_DIR: fresh() };
    const back: Environment = { DATA_DIR: fresh() };
    const token = await fill(small);
    const before = await readSite(small, token);

    const toLarge = [
      "migrate-engine",
      "--to-database",
      large.DATABASE_URL ?? "",
      "--to-storage",
      large.STORAGE_URL ?? "",
    ];
    const moved = await runVitrine(toLarge, {
      ...large,
      DATABASE_URL: "",
      STORAGE_URL: "",
      DATA_DIR: small.DATA_DIR ?? "",
    });
    expect([moved.code, moved.stderr]).toEqual([0, ""]);
    expect(moved.stdout).toContain("Done");
    expect(await readSite(large, token)).toEqual(before);
    expect(await nextID(large, token)).toBe(await nextID(small, token));

    const again = await runVitrine(toLarge, {
      ...large,
      DATABASE_URL: "",
      STORAGE_URL: "",
      DATA_DIR: small.DATA_DIR ?? "",
    });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("already");

    const home = ["migrate-engine", "--to-database", "sqlite", "--to-storage", "disk", "--to-dir", back.DATA_DIR ?? ""];
    expect((await runVitrine(home, large)).code).toBe(0);
    expect((await readSite(back, token)).photos).toEqual((await readSite(large, token)).photos);
    expect(await nextID(back, token)).toBe(await nextID(large, token));
  }, 60_000);
});

/** A little of everything, some of it in the trash; answers a token. */
async function fill(env: Environment): Promise<string> {
  await using server = await startVitrine(env);
  await client(server).post("/signup", { username: "owner", password });
  const { token } = (await client(server).post("/signin", { username: "owner", password })).body;
  const owner = client(server, token);
  for (const number of [1, 2, 3]) {
    const { body: file } = await owner.upload(`photo ${number}.png`, png(number, 2), { path: "/2026/Lisboa" });
    await owner.post("/api/v1/photos", { title: `Photo ${number}`, fileID: file.id });
  }
  for (const text of ["old", "new"]) {
    await owner.upload("notes.txt", text, { path: "/2026/Lisboa", onConflict: "replace" });
  }
  await owner.post("/api/v1/blog", { title: "Post", content: "Text with é and 💥", coverID: 1 });
  await owner.post("/api/v1/comments", { content: "First", blogPostID: 1 });
  await owner.post("/api/v1/albums", { name: "Album" });
  for (const photoID of [3, 1]) await owner.post("/api/v1/albums/1/photos", { photoID });
  await owner.delete("/api/v1/photos/2");
  return token;
}

async function readSite(env: Environment, token: string) {
  await using server = await startVitrine(env);
  const reader = client(server, token);
  const read = async (path: string) => (await reader.get(path)).body;
  const files = await read("/api/v1/files/dir/2026/Lisboa");
  const [version] = await read(`/api/v1/files/${files[0].id}/versions`);
  return {
    me: await read("/api/v1/me"),
    photos: await read("/api/v1/photos"),
    blog: await read("/api/v1/blog"),
    comments: await read("/api/v1/comments?blogPostID=1"),
    album: await read("/api/v1/albums/1"),
    files,
    version,
    before: await read(version.url),
    bytes: await Promise.all(files.map(async (file: any) => (await fetch(reader.url(file.url))).bytes())),
  };
}

/** The id of a photo that is made now. */
async function nextID(env: Environment, token: string): Promise<number> {
  await using server = await startVitrine(env);
  return (await client(server, token).post("/api/v1/albums", { name: "next" })).body.id;
}
