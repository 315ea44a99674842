// Runs only with TEST_LONG: it builds or starts the whole program several times.
// Runs on the embedded engines only: what is inside an executable does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childEnvironment } from "../../src/platform/own-command.ts";
import { buildForBrowsers } from "../kit/built.ts";
import { person } from "../kit/people.ts";
import { finish, readUntil } from "../kit/process.ts";
import { slowCommits } from "../../src/platform/database/writer.ts";
import { describeOnSlowDisk, useSlowDisk } from "../kit/faults/slow-disk.ts";
import { useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";
import { isLong } from "../kit/long.ts";

const scratch = useScratch();
/** Nothing but the executable is here. */
const home = join(scratch, "home");
const program = join(home, "vitrine");
const picture = readFileSync(join(root, "docs/harbour.jpg"));
let announced = "";

beforeAll(async () => {
  buildForBrowsers();
  const words = [process.execPath, join(root, "bin/executable.ts"), "--out", join(scratch, "built")];
  const build = Bun.spawn(words, { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  const { code, stdout, stderr } = await finish(build);
  expect([code, stderr]).toEqual([0, ""]);
  announced = stdout;
  mkdirSync(home);
  copyFileSync(join(scratch, "built"), program);
});

function spawn(words: string[], env: Record<string, string> = {}) {
  const limits = { RATE_LIMIT_BURST: "100000", PORT: "0", HOST: "127.0.0.1", DRAIN_SECONDS: "0", LOG_LEVEL: "warn" };
  const streams = { stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const;
  return Bun.spawn([program, ...words], { cwd: home, env: { ...limits, ...env }, ...streams });
}

const run = (...words: string[]) => finish(spawn(words));

async function serve(env: Record<string, string> = {}) {
  const child = spawn([], env);
  const said = await readUntil(child.stdout, "user add NAME");
  const url = /running at (\S+)\n/.exec(said)?.[1] ?? `${said}${await readUntil(child.stderr)}`;
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url, said, stderr: child.stderr, [Symbol.asyncDispose]: stop };
}

/** What a picture looks like that was decoded, scaled and encoded. */
async function readVariant(server: { url: string }, photo: number, format: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/photos/${photo}/image?w=320`, { headers: { Accept: format } });
  return `${response.status} ${response.headers.get("content-type")} ${(await response.bytes()).length > 1000}`;
}

const librariesIn = (cache: string) =>
  readdirSync(cache, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    isFile: entry.isFile(),
  }));

test("the command prints its size and how long it takes to start, and nothing of this machine is inside", () => {
  expect(announced).toMatch(/^built: \d+ MB, starts in \d+ ms\n$/);
  expect(readFileSync(program).includes(root)).toBe(false);
});

test("one file in an empty directory is a whole site", async () => {
  {
    await using server = await serve();
    expect(server.said).toContain(`command line: ${program} user add`);
    const ada = await person(server, "ada");
    const file = await ada.upload("harbour.jpg", picture);
    const photo = await ada.post("/api/v1/photos", { title: "Harbour", fileID: file.body.id });
    expect([photo.status, photo.body.width]).toEqual([201, 1600]);
    expect(await readVariant(server, photo.body.id, "image/avif")).toBe("200 image/avif true");
    const heic = await ada.upload("a.heic", readFileSync(join(root, "tests/fixtures/quadrants.heic")));
    expect((await ada.post("/api/v1/photos", { title: "Quadrants", fileID: heic.body.id })).status).toBe(201);
    const post = await ada.post("/api/v1/blog", { title: "Code", content: "```js\nconst a = 1;\n```\n" });
    expect((await ada.get(`/api/v1/blog/${post.body.id}`)).body.html).toContain('class="hljs-keyword"');
    for (const path of ["/", "/docs", "/assets/docs.js", "/api/v1/search?q=harbour"]) {
      expect([path, (await ada.get(path)).status]).toEqual([path, 200]);
    }
    const { body: page } = await ada.get("/studio");
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    expect((await ada.get(script)).headers.get("content-type")).toStartWith("text/javascript");
  }
  expect(readdirSync(home).toSorted()).toEqual(["data", "vitrine"]);
  expect(await run("doctor", "--hash")).toMatchObject({ code: 0, stderr: "" });
  expect(await run("backup", "create", "--to", "saved")).toMatchObject({ code: 0, stderr: "" });
  expect(await run("backup", "restore", "--from", "saved", "--data", "copy")).toMatchObject({ code: 0 });
  expect(await run("doctor", "--hash", "--data", "copy")).toMatchObject({ code: 0, stderr: "" });
});

test("its libraries are private, and copies that were changed are not used", async () => {
  const cache = join(home, "data/.cache");
  const before = librariesIn(cache);
  const files = before.filter(({ isFile }) => isFile).map(({ path }) => path);
  expect(files).toHaveLength(3);
  for (const { path, isFile } of before) expect(statSync(path).mode & 0o777).toBe(isFile ? 0o600 : 0o700);
  const whole = new Map(files.map((path) => [path, readFileSync(path)]));
  // One as a power cut leaves it, and others that were changed.
  for (const [index, [path, bytes]] of [...whole].entries()) writeFileSync(path, bytes.subarray(0, index * 1000));
  await using server = await serve();
  expect(await readVariant(server, 1, "image/webp")).toBe("200 image/webp true");
  expect(files.filter((path) => !whole.get(path)?.equals(readFileSync(path)))).toEqual([]);
});

(isLong ? describeOnSlowDisk : describe.skip)("on a slow disk", () => {
  const slowDir = join(scratch, "slow");
  const slowDisk = useSlowDisk(slowDir);

  test("it is also the program of the thread that writes", async () => {
    await using server = await serve({ DATA_DIR: slowDir, ...slowDisk.env });
    const ada = await person(server, "ada");
    const addAlbum = () => ada.post("/api/v1/albums", { name: "One" });
    for (let count = 0; count < slowCommits; count++) expect((await addAlbum()).status).toBe(201);
    expect(await readUntil(server.stderr, "\n")).toContain("a thread of its own writes to the database");
    expect((await addAlbum()).status).toBe(201);
  });
});

test("the cache of the user is used if it is set, and a cache that cannot be used stops the start with a sentence", async () => {
  const cache = join(scratch, "cache");
  mkdirSync(join(cache, "vitrine/libraries-of-another-version"), { recursive: true });
  {
    await using server = await serve({ DATA_DIR: join(scratch, "other"), XDG_CACHE_HOME: cache });
    expect(server.url).toStartWith("http://");
  }
  expect(readdirSync(join(cache, "vitrine"))).toEqual([expect.stringMatching(/^libraries-[\da-f]{16}$/)]);
  const child = await finish(spawn(["serve"], { XDG_CACHE_HOME: program }));
  expect([child.code, child.stderr]).toEqual([1, expect.stringMatching(/^vitrine: \S+ cannot be used: ENOTDIR.*\n$/)]);
});

test("a .env file in the current directory is read, but not by child processes", async () => {
  const file = join(home, ".env");
  writeFileSync(file, "QUOTA_BYTES=wrong\n");
  const list = (env: Record<string, string>) => finish(spawn(["user", "list"], env));
  expect(await list({})).toMatchObject({ code: 1, stderr: expect.stringContaining("QUOTA_BYTES") });
  expect(await list(childEnvironment)).toMatchObject({ code: 0, stderr: "" });
  rmSync(file);
});
