// Runs on the embedded engines only: it is about the command line and the folder that it reads.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineEnv, isScaled } from "../../../tests/engine.ts";
import { client, password, signedIn } from "../../../tests/kit.ts";
import { bytesOf, quadrants } from "../../../tests/pictures.ts";
import {
  finish,
  readAnyFile,
  readUntil,
  runVitrine,
  runWithout,
  spawnVitrine,
  startVitrine,
} from "../../../tests/process.ts";

const scratch = mkdtempSync(join(tmpdir(), "vitrine-folder-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 180_000);
const createDirectory = (name: string) => mkdtempSync(join(scratch, `${name}-`));

type Environment = Record<string, string>;

async function createSite(...users: string[]): Promise<Environment> {
  const dataDir = createDirectory("data");
  const env = { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
  for (const user of users) {
    const made = await runVitrine(["user", "add", ...user.split(" "), "--create"], env, `${password}\n`);
    expect(made.stderr).toBe("");
  }
  return env;
}

const sha256 = (bytes: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** The hash of every file below a directory, by its path; null for a directory. */
async function treeOf(env: Environment, path: string): Promise<Record<string, string | null>> {
  await using server = await startVitrine(env);
  const owner = await signedIn(server, "ada");
  const list = async (directory: string): Promise<[string, string | null][]> => {
    const { body } = await owner.get(`/api/v1/files?path=${encodeURIComponent(directory)}`);
    const below = body.map(async (file: any) => {
      const name = `${directory}/${file.name}`;
      return [[name, file.sha256], ...(file.isDirectory ? await list(name) : [])];
    });
    return (await Promise.all(below)).flat();
  };
  return Object.fromEntries(await list(path));
}

describe("vitrine import", () => {
  test("copies a folder with its subfolders, and creates photos from the pictures", async () => {
    const env = await createSite("ada --role admin");
    const folder = join(createDirectory("folder"), "Lisbon");
    const picture = await bytesOf(quadrants(60, 40).jpeg());
    mkdirSync(join(folder, "two/three"), { recursive: true });
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "harbour.jpg"), picture);
    writeFileSync(join(folder, "none.txt"), "");
    writeFileSync(join(folder, "two/three/cafe\u0301.txt"), "coffee");
    const first = await runVitrine(["import", folder, "--photos"], env);
    expect([first.code, first.stderr, first.stdout.split("\n")]).toEqual([
      0,
      "",
      [
        "Files imported: 3 (0.0 MB); already imported: 0; not imported: 0.",
        "The server will create photos from the pictures: GET /api/v1/imports/1 shows the progress.",
        "",
      ],
    ]);
    expect(await treeOf(env, "/Lisbon")).toEqual({
      "/Lisbon/empty": null,
      "/Lisbon/two": null,
      "/Lisbon/two/three": null,
      "/Lisbon/two/three/caf\u00e9.txt": sha256("coffee"),
      "/Lisbon/harbour.jpg": sha256(picture),
      "/Lisbon/none.txt": sha256(""),
    });
    await using server = await startVitrine(env);
    const ada = await signedIn(server, "ada");
    while ((await ada.get("/api/v1/imports/1")).body.status === "running") await Bun.sleep(100);
    const { body: photos } = await client(server).get("/api/v1/photos");
    expect(photos).toMatchObject([{ title: "harbour", ownerID: ada.userID, width: 60, height: 40 }]);
  }, 180_000);

  test("run again skips existing files, and does not replace a file that differs", async () => {
    const env = await createSite("ada --role admin");
    const folder = createDirectory("folder");
    for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), name);
    const run = () => runVitrine(["import", folder, "--to", "/there/below"], env);
    expect((await run()).stdout).toStartWith("Files imported: 3 ");
    expect((await run()).stdout).toBe("Files imported: 0 (0.0 MB); already imported: 3; not imported: 0.\n");
    writeFileSync(join(folder, "b"), "B");
    writeFileSync(join(folder, "d"), "d");
    const { code, stdout } = await run();
    expect([code, stdout.split("\n")]).toEqual([
      1,
      [
        `Not imported: ${JSON.stringify(join(folder, "b"))}: There is already another file with this name.`,
        "Files imported: 1 (0.0 MB); already imported: 2; not imported: 1.",
        "",
      ],
    ]);
    expect(await treeOf(env, "/there/below")).toEqual({
      "/there/below/a": sha256("a"),
      "/there/below/b": sha256("b"),
      "/there/below/c": sha256("c"),
      "/there/below/d": sha256("d"),
    });
  }, 180_000);

  test("continues when it is run again after being killed", async () => {
    const env = await createSite("ada --role admin");
    const folder = createDirectory("folder");
    const count = isScaled ? 150 : 350;
    for (let i = 0; i < count; i++) writeFileSync(join(folder, `${i}.txt`), `file ${i}`);
    const child = spawnVitrine(["import", folder, "--to", "/"], env);
    expect(await readUntil(child.stdout, "so far")).toContain("100 files so far");
    child.kill("SIGKILL");
    await finish(child);
    const { code, stdout, stderr } = await runVitrine(["import", folder, "--to", "/"], env);
    expect([code, stderr]).toEqual([0, ""]);
    const [, imported, existing] = /imported: (\d+) .* already imported: (\d+);/.exec(stdout) ?? [];
    expect(Number(imported) + Number(existing)).toBe(count);
    expect(Number(existing)).toBeGreaterThanOrEqual(100);
    const tree = await treeOf(env, "");
    expect(Object.keys(tree).length).toBe(count);
    for (let i = 0; i < count; i++) expect(tree[`/${i}.txt`]).toBe(sha256(`file ${i}`));
  });

  test.if(!isScaled)(
    "needs no more memory for a large file than for a small one",
    async () => {
      const env = await createSite("ada --role admin");
      const measure = async (bytes: number) => {
        const folder = createDirectory("folder");
        writeFileSync(join(folder, "zeros"), "");
        truncateSync(join(folder, "zeros"), bytes);
        const child = spawnVitrine(["import", folder], env);
        expect((await finish(child)).code).toBe(0);
        return child.resourceUsage()?.maxRSS ?? NaN;
      };
      const small = await measure(2 ** 20);
      expect((await measure(400 * 2 ** 20)) - small).toBeLessThan(100 * 2 ** 20);
    },
    180_000,
  );

  test.if(process.platform === "linux")(
    "reports what it cannot import, does not follow symbolic links, and skips its own data",
    async () => {
      const env = await createSite("ada --role admin");
      const folder = createDirectory("folder");
      const outside = createDirectory("outside");
      writeFileSync(join(outside, "secret.txt"), "not for everybody");
      writeFileSync(join(folder, "good.txt"), "good");
      writeFileSync(join(folder, "Twin.txt"), "one");
      writeFileSync(join(folder, "twin.txt"), "other");
      writeFileSync(join(folder, "back\\slash.txt"), "x");
      writeFileSync(join(folder, "escape\u001b[31m.txt"), "x");
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0x66])]), "x");
      symlinkSync(join(outside, "secret.txt"), join(folder, "link.txt"));
      symlinkSync(outside, join(folder, "linked"));
      symlinkSync(folder, join(folder, "loop"));
      expect(Bun.spawnSync(["mkfifo", join(folder, "pipe")]).exitCode).toBe(0);
      const locked = [join(folder, "locked"), join(folder, "locked.txt")] as const;
      mkdirSync(locked[0]);
      writeFileSync(locked[1], "x");
      for (const path of locked) chmodSync(path, 0);
      const { code, stdout } = await runWithout(readAnyFile, ["import", folder, "--to", "odd"], env);
      for (const path of locked) chmodSync(path, 0o700);
      expect(code).toBe(1);
      expect(stdout).not.toContain("\u001b");
      const reasons = Object.fromEntries(
        [...stdout.matchAll(/^Not imported: "(?:.*\/)?(.*)": (.*)$/gm)].map(([, name, reason]) => [name, reason]),
      );
      expect(reasons).toEqual({
        "twin.txt": "There is already another file with this name.",
        "back\\\\slash.txt": expect.stringContaining("must not contain"),
        "escape\\u001b[31m.txt": expect.stringContaining("must not contain"),
        "f\ufffdf": "Its name is not valid UTF-8.",
        "link.txt": "It is a symbolic link.",
        linked: "It is a symbolic link.",
        locked: expect.stringMatching(/permission denied/i),
        "locked.txt": expect.stringMatching(/permission denied/i),
        loop: "It is a symbolic link.",
        pipe: "It is neither a file nor a directory.",
      });
      expect(stdout).toContain("Files imported: 2 (0.0 MB); already imported: 0; not imported: 10.");
      expect(await treeOf(env, "/odd")).toEqual({
        "/odd/locked": null,
        "/odd/good.txt": sha256("good"),
        "/odd/Twin.txt": sha256("one"),
      });
    },
    180_000,
  );

  test("never imports the data directory", async () => {
    const env = await createSite("ada --role admin");
    const dataDir = env.DATA_DIR ?? "";
    for (const inside of [dataDir, isScaled ? dataDir : join(dataDir, "blobs")]) {
      const { code, stderr } = await runVitrine(["import", inside], env);
      expect([code, stderr]).toEqual([1, `vitrine: ${inside} is in the data directory of this site.\n`]);
    }
    const above = createDirectory("above");
    const inner = { ...env, DATA_DIR: join(above, "data") };
    await runVitrine(["user", "add", "bob", "--role", "author", "--create"], inner, `${password}\n`);
    mkdirSync(join(above, "data"), { recursive: true });
    writeFileSync(join(above, "note.txt"), "note");
    const { stdout } = await runVitrine(["import", above, "--to", "/", "--owner", "bob"], inner);
    expect(stdout).toContain("It is the data directory of this site.");
    expect(stdout).toContain("Files imported: 1 ");
  }, 180_000);

  test("respects the quota of the owner", async () => {
    const env = { ...(await createSite("ada --role author")), QUOTA_BYTES: "2500" };
    const folder = createDirectory("folder");
    for (const [name, size] of [
      ["a", 1000],
      ["b", 2000],
      ["c", 1000],
    ] as const) {
      writeFileSync(join(folder, name), name.repeat(size));
    }
    const { code, stdout } = await runVitrine(["import", folder, "--to", "/full", "--owner", "ada"], env);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("This would bring ada's storage to 3000 bytes, over the limit of 2500."),
    ]);
    expect(stdout).toContain("Files imported: 2 (0.0 MB); already imported: 0; not imported: 1.");
    expect(Object.keys(await treeOf(env, "/full"))).toEqual(["/full/a", "/full/c"]);
  }, 180_000);

  test("runs while servers are running only if storage and database are shared", async () => {
    const env = await createSite("ada --role admin");
    const folder = createDirectory("folder");
    writeFileSync(join(folder, "a.txt"), "a");
    await using server = await startVitrine(env);
    const { code, stdout, stderr } = await runVitrine(["import", folder, "--to", "/beside"], env);
    if (isScaled) {
      expect([code, stdout]).toEqual([0, expect.stringContaining("Files imported: 1 ")]);
      expect((await client(server).get("/api/v1/files/dir/beside")).body).toMatchObject([{ name: "a.txt" }]);
    } else {
      expect([code, stderr]).toEqual([
        1,
        `vitrine: ${env.DATA_DIR} is in use by another server: stop that one, or choose another DATA_DIR.\n`,
      ]);
    }
  });

  test("explains invalid arguments", async () => {
    const env = await createSite("ada --role admin", "eve --role admin", "rob --role reader");
    const folder = createDirectory("folder");
    writeFileSync(join(folder, "file"), "");
    const refusal = async (...words: string[]) => {
      const { code, stdout, stderr } = await runVitrine(["import", ...words], env);
      return [code, stdout, stderr];
    };
    expect(await refusal(folder)).toEqual([
      1,
      "",
      "vitrine: There is more than one admin: choose the owner of the files with --owner NAME.\n",
    ]);
    expect(await refusal(folder, "--owner", "nobody")).toEqual([1, "", "vitrine: There is no user nobody.\n"]);
    expect(await refusal(folder, "--owner", "rob")).toEqual([
      1,
      "",
      "vitrine: rob is a reader: only authors and admins can own files.\n",
    ]);
    for (const wrong of ["nowhere", "file"]) {
      expect(await refusal(join(folder, wrong), "--owner", "ada")).toEqual([
        1,
        "",
        expect.stringMatching(new RegExp(`^vitrine: ${join(folder, wrong)} cannot be imported: .*\\n$`)),
      ]);
    }
    expect(await refusal(folder, "--owner", "ada", "--to", "/a/../b")).toEqual([
      1,
      "",
      'vitrine: "--to" must not be "..".\n',
    ]);
  }, 180_000);
});
