// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrateEngine } from "../../src/commands/migrate-engine.ts";
import { readConfig } from "../../src/config.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { type ProgramKind, startHeartbeat } from "../../src/platform/database/programs.ts";
import { describeScaled, engineEnv, isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { finish, readUntil, runVitrine, spawnVitrine, startVitrine } from "../kit/process.ts";
import { isLong } from "../kit/long.ts";

const scratch = useScratch();

type Environment = Record<string, string>;

const small = (): Environment => ({ DATA_DIR: newDirectory(scratch) });
/** On the engines of the tests: PostgreSQL and S3, or otherwise SQLite and disk. */
const large = async (): Promise<Environment> => {
  const dataDir = newDirectory(scratch);
  return { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
};

describeScaled("moving to other engines", () => {
  test("a site is copied to PostgreSQL and S3 and back, with its ids, its trash, its tokens and every byte", async () => {
    const [source, target, back] = [small(), await large(), small()];
    const token = await fill(source);
    const before = await readSite(source, token);

    const moved = await move(source, target);
    expect([moved.code, moved.stderr]).toEqual([0, ""]);
    expect(moved.stdout).toContain("Done");
    expect(await readSite(target, token)).toEqual(before);
    expect(await repeatAlbum(target, token)).toEqual(["true", [1]]);
    expect(await nextID(target, token)).toBe(await nextID(source, token));

    const again = await move(source, target);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("already");

    expect((await move(target, back)).code).toBe(0);
    expect((await readSite(back, token)).photos).toEqual((await readSite(target, token)).photos);
    expect((await repeatAlbum(back, token))[0]).toBe("true");
    expect(await nextID(back, token)).toBe(await nextID(target, token));
  });

  test.skipIf(!isLong)(
    "it is refused while a server uses the source or the target, and works after that has stopped",
    async () => {
      const [source, target] = [await large(), await large()];
      const token = await fill(source);
      await using atSource = await startVitrine(source);
      const fromUsed = await move(source, target);
      expect([fromUsed.code, fromUsed.stderr.trim().split("\n")]).toEqual([
        1,
        [expect.stringContaining("The source is in use by a server")],
      ]);
      expect((await client(atSource, token).get("/api/v1/me")).status).toBe(200);
      await atSource.close();

      await using atTarget = await startVitrine(target);
      const toUsed = await move(source, target);
      expect([toUsed.code, toUsed.stderr.trim().split("\n")]).toEqual([
        1,
        [expect.stringContaining("The target is in use by a server")],
      ]);
      await atTarget.close();

      expect((await move(source, target)).code).toBe(0);
      expect(await readSite(target, token)).toEqual(await readSite(source, token));
    },
  );

  test.if(isLong)("a server that was killed delays it by at most half a minute", async () => {
    const [source, target] = [await large(), await large()];
    const token = await fill(source);
    const server = await startVitrine(source);
    server.process.kill("SIGKILL");
    await server.process.exited;
    const moving = startMove(source, target);
    await readUntil(moving.stdout, "Waiting");
    await expire(source, "server");
    expect((await finish(moving)).stdout).toContain("Done");
    expect(await readSite(target, token)).toEqual(await readSite(source, token));
  });

  test("no server starts in the meantime", async () => {
    const source = await large();
    const db = await openPostgres(source.DATABASE_URL ?? "");
    const heartbeat = await startHeartbeat(db, "migrate-engine");
    const { code, stderr } = await runVitrine(["serve"], { ...source, PORT: "0" });
    await heartbeat.stop();
    await db.close();
    expect([code, stderr.trim().split("\n")]).toEqual([
      1,
      [expect.stringContaining("being copied by a migrate-engine")],
    ]);
    await (await startVitrine(source)).close();
  });
});

test("the target of an interrupted move cannot be used until the move has been finished", async () => {
  const [source, target] = [small(), await large()];
  const token = await fill(source);
  const before = await readSite(source, token);
  await interrupt(startMove(source, target), "users: 1\n");

  for (const words of [["serve"], ["user", "add", "somebody"], ["user", "list"]]) {
    const { code, stderr } = await runVitrine(words, { ...target, PORT: "0" }, `${password}\n`);
    expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringContaining("unfinished target of a move")]]);
  }
  const onwards = await move(target, small());
  expect([onwards.code, onwards.stderr]).toEqual([1, expect.stringContaining("unfinished target of a move")]);
  if (isScaled) await expire(target, "migrate-engine");
  const resumed = await move(source, target);
  expect([resumed.code, resumed.stderr]).toEqual([0, ""]);
  expect(await readSite(target, token)).toEqual(before);
});

test("all files that are missing or damaged are named in one report, and the next run sends only them", async () => {
  const [source, target] = [small(), await large()];
  const server = await startServer({ ...source, DATABASE_URL: "", STORAGE_URL: "", REDIS_URL: "" });
  await client(server).post("/signup", { username: "owner", password });
  const owner = client(server, (await client(server).post("/signin", { username: "owner", password })).body.token);
  // Other tests use the same bucket: no other has these bytes.
  const upload = async (_: unknown, index: number) =>
    (await owner.upload(`${index}.txt`, crypto.randomUUID())).body.sha256;
  const names = await Promise.all(Array.from({ length: 40 }, upload));
  await server.close();
  const pathOf = (sha256: string) => join(source.DATA_DIR ?? "", "blobs", sha256.slice(0, 2), sha256);
  const [lost, other, changed] = names as [string, string, string];
  const kept = new Map([lost, other, changed].map((name) => [name, readFileSync(pathOf(name))]));
  for (const name of [lost, other]) rmSync(pathOf(name));
  writeFileSync(pathOf(changed), "other");

  const said: string[] = [];
  const run = () =>
    migrateEngine(readConfig(source), readConfig({ ...target }), schemaOf(modules), {
      say: (line) => void said.push(line),
    });
  expect(run()).rejects.toThrow("The bytes of 3 files are missing from the source, or damaged there");
  const reported = said.flatMap((line) => /^missing or damaged: (\w+) \(file \d+\)$/.exec(line)?.[1] ?? []);
  expect(reported).toEqual([lost, other, changed].toSorted());
  for (const [name, bytes] of kept) writeFileSync(pathOf(name), bytes);
  said.length = 0;
  await run();
  expect(said).toContain("files: 40, 3 of them sent now");
  expect(said.at(-1)).toContain("Done");
});

function startMove(from: Environment, to: Environment) {
  const words = [
    "migrate-engine",
    "--to-database",
    to.DATABASE_URL ?? "sqlite",
    "--to-storage",
    to.STORAGE_URL ?? "disk",
  ];
  return spawnVitrine([...words, "--to-dir", to.DATA_DIR ?? ""], { ...awsKeys(to), ...from });
}

const awsKeys = ({ AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" }: Environment): Environment => ({
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
});

const move = (from: Environment, to: Environment) => finish(startMove(from, to));

/** Kills it as soon as it has printed these words. */
async function interrupt(child: ReturnType<typeof spawnVitrine>, words: string): Promise<void> {
  await readUntil(child.stdout, words);
  child.kill("SIGKILL");
  await child.exited;
}

/** Makes it appear that half a minute has passed since a program of this kind was killed. */
async function expire({ DATABASE_URL = "" }: Environment, kind: ProgramKind): Promise<void> {
  const db = new SQL(DATABASE_URL, { max: 1 });
  await db`UPDATE programs SET seen_at = seen_at - 30000 WHERE kind = ${kind}`;
  await db.close();
}

/** Adds records of every kind, some of them in the trash; returns a token. */
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
  await owner.post("/api/v1/albums", ...keyedAlbum);
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

const keyedAlbum = [{ name: "Album" }, { "Idempotency-Key": "album" }] as const;

/** Sends a request again that was carried out before the move; returns whether this is said, and the albums of its name. */
async function repeatAlbum(env: Environment, token: string) {
  await using server = await startVitrine(env);
  const owner = client(server, token);
  const { headers } = await owner.post("/api/v1/albums", ...keyedAlbum);
  const { body: albums } = await owner.get<{ id: number; name: string }[]>("/api/v1/albums");
  return [headers.get("idempotent-replayed"), albums.filter(({ name }) => name === "Album").map(({ id }) => id)];
}

/** The id of a photo that is created now. */
async function nextID(env: Environment, token: string): Promise<number> {
  await using server = await startVitrine(env);
  return (await client(server, token).post("/api/v1/albums", { name: "next" })).body.id;
}
