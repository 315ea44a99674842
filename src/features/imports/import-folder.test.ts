// Runs only with TEST_LONG: it starts the program for each story; imports.test.ts has the import of the API.
// Runs on the embedded engines only: it is about the command line and the folder that it reads.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import { client } from "../../../tests/kit/client.ts";
import { password, signedIn } from "../../../tests/kit/people.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import {
  finish,
  readAnyFile,
  readUntil,
  runVitrine,
  runWithout,
  spawnVitrine,
  startVitrine,
} from "../../../tests/kit/process.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";
import { until } from "../../../tests/kit/until.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const scratch = useScratch();

type Environment = Record<string, string>;

async function createSite(...users: string[]): Promise<Environment> {
  const dataDir = newDirectory(scratch);
  const env = { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
  for (const user of users) {
    const made = await runVitrine(["user", "add", ...user.split(" "), "--create"], env, `${password}\n`);
    expect(made.stderr).toBe("");
  }
  return env;
}

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
    const folder = join(newDirectory(scratch), "Lisbon");
    const picture = await bytesOf(quadrants(60, 40).jpeg());
    mkdirSync(join(folder, "two/three"), { recursive: true });
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "harbour.jpg"), picture);
    writeFileSync(join(folder, "none.txt"), "");
    writeFileSync(join(folder, "two/three/cafe\u0301.txt"), "coffee");
    const first = await runVitrine(["import", folder, "--photos", "--visibility", "public"], env);
    expect([first.code, first.stderr, first.stdout.split("\n")]).toEqual([
      0,
      "",
      [
        expect.stringMatching(/^Taken for a folder of files, .* with 3 entries\. Everyone will see /),
        "Import 1: 3 added (0.0 MB), 0 known already, 0 changed, 0 refused.",
        "The server creates the photos: GET /api/v1/imports/1 shows the progress.",
        "",
      ],
    ]);
    expect(await treeOf(env, "/Lisbon")).toEqual({
      "/Lisbon/empty": null,
      "/Lisbon/two": null,
      "/Lisbon/two/three": null,
      "/Lisbon/two/three/caf\u00e9.txt": sha256Of("coffee"),
      "/Lisbon/harbour.jpg": sha256Of(picture),
      "/Lisbon/none.txt": sha256Of(""),
    });
    await using server = await startVitrine(env);
    const ada = await signedIn(server, "ada");
    await until(
      () => ada.get("/api/v1/imports/1"),
      ({ body }) => body.status !== "running",
    );
    const { body: photos } = await client(server).get("/api/v1/photos");
    expect(photos).toMatchObject([{ title: "harbour", ownerID: ada.userID, width: 60, height: 40 }]);
  });

  testLong(
    "run again, it adds nothing; what has changed in the source is a new version, unless it was changed in the site, too",
    async () => {
      const env = await createSite("ada --role admin");
      const folder = newDirectory(scratch);
      for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), name);
      const run = (...more: string[]) => runVitrine(["import", folder, "--to", "/there/below", ...more], env);
      expect((await run("--dry-run")).stdout).toEndWith(
        "\nNothing was written. An import would have: 3 added (0.0 MB), 0 known already, 0 changed, 0 refused.\n",
      );
      expect((await run()).stdout).toEndWith("\nImport 1: 3 added (0.0 MB), 0 known already, 0 changed, 0 refused.\n");
      expect((await run()).stdout).toEndWith("\nImport 2: 0 added (0.0 MB), 3 known already, 0 changed, 0 refused.\n");
      await using server = await startVitrine(env);
      const ada = await signedIn(server, "ada");
      const { body: there } = await ada.get("/api/v1/files?path=/there/below");
      await ada.upload("c", "mine", { path: "/there/below", onConflict: "replace" });
      for (const name of ["b", "c"]) writeFileSync(join(folder, name), `newer ${name}`);
      writeFileSync(join(folder, "d"), "d");
      const { code, stdout } = await run();
      expect([code, stdout.split("\n")]).toEqual([
        1,
        [
          expect.stringMatching(/^Taken for /),
          'Not imported: "c": There is already another file with this name.',
          "Import 3: 1 added (0.0 MB), 1 known already, 1 changed, 1 refused.",
          "",
        ],
      ]);
      const { body: files } = await ada.get("/api/v1/files?path=/there/below");
      const hashes = Object.fromEntries(
        files.map((file: { name: string; sha256: string }) => [file.name, file.sha256]),
      );
      expect(hashes).toEqual({ a: sha256Of("a"), b: sha256Of("newer b"), c: sha256Of("mine"), d: sha256Of("d") });
      const { id: changed } = there.find((file: { name: string }) => file.name === "b");
      expect((await ada.get(`/api/v1/files/${changed}/versions`)).body).toMatchObject([{ sha256: sha256Of("b") }]);
    },
  );

  test.skipIf(!isLong)("an undone import is in the trash, and can be imported again", async () => {
    const env = await createSite("ada --role admin");
    const folder = newDirectory(scratch);
    mkdirSync(join(folder, "Sea/Harbour"), { recursive: true });
    const picture = await bytesOf(quadrants(60, 40).jpeg());
    for (const name of ["Sea/Harbour/a.jpg", "Sea/the same.jpg"]) writeFileSync(join(folder, name), picture);
    writeFileSync(join(folder, "note.txt"), "note");
    await using server = await startVitrine(env);
    const ada = await signedIn(server, "ada");
    await ada.upload("kept.txt", "kept", { path: "/moved" });
    const run = () => runVitrine(["import", folder, "--to", "/moved", "--albums", "--visibility", "public"], env);
    expect((await run()).stdout).toContain("Import 1: 5 added");
    await until(
      () => ada.get("/api/v1/imports/1"),
      ({ body }) => body.status !== "running",
    );
    const { body: albums } = await ada.get("/api/v1/albums");
    const [sea, harbour] = ["Sea", "Harbour"].map((name) =>
      albums.find((album: { name: string }) => album.name === name),
    );
    expect(harbour).toMatchObject({ parentID: sea.id, photoCount: 1 });
    const inSea = (await ada.get(`/api/v1/albums/${sea.id}`)).body.photos;
    expect(inSea).toEqual((await ada.get(`/api/v1/albums/${harbour.id}`)).body.photos);
    expect(inSea).toHaveLength(1);
    const undone = await runVitrine(["import", "--undo", "1"], env);
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining("is undone: 8 records")]);
    expect((await ada.get("/api/v1/photos")).body).toEqual([]);
    expect((await ada.get("/api/v1/albums")).body).toEqual([]);
    expect((await ada.get("/api/v1/files?path=/moved")).body).toMatchObject([{ name: "kept.txt" }]);
    expect((await run()).stdout).toContain("Import 2: 5 added");
  });

  testLong("continues when it is run again after being killed", async () => {
    const env = await createSite("ada --role admin");
    const folder = newDirectory(scratch);
    const count = isScaled ? 150 : 350;
    for (let i = 0; i < count; i++) writeFileSync(join(folder, `${i}.txt`), `file ${i}`);
    const child = spawnVitrine(["import", folder, "--to", "/"], env);
    await readUntil(child.stdout, "so far");
    child.kill("SIGKILL");
    await finish(child);
    const { code, stdout, stderr } = await runVitrine(["import", folder, "--to", "/"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Import 1: ${count} added`);
    const tree = await treeOf(env, "");
    expect(Object.keys(tree).length).toBe(count);
    for (let i = 0; i < count; i++) expect(tree[`/${i}.txt`]).toBe(sha256Of(`file ${i}`));
  });

  test.if(isLong && !isScaled)("needs no more memory for a large file than for a small one", async () => {
    const env = await createSite("ada --role admin");
    const measure = async (bytes: number) => {
      const folder = newDirectory(scratch);
      writeFileSync(join(folder, "zeros"), "");
      truncateSync(join(folder, "zeros"), bytes);
      const child = spawnVitrine(["import", folder], env);
      expect((await finish(child)).code).toBe(0);
      return child.resourceUsage()?.maxRSS ?? NaN;
    };
    const small = await measure(2 ** 20);
    expect((await measure(400 * 2 ** 20)) - small).toBeLessThan(100 * 2 ** 20);
  });

  test.if(process.platform === "linux")(
    "reports what it cannot import, does not follow symbolic links, and skips its own data",
    async () => {
      const env = await createSite("ada --role admin");
      const folder = newDirectory(scratch);
      const outside = newDirectory(scratch);
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
        "twin.txt": 'There is already a file or directory named "twin.txt" here.',
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
      expect(stdout).toContain("Import 1: 2 added (0.0 MB), 0 known already, 0 changed, 10 refused.");
      expect(await treeOf(env, "/odd")).toEqual({
        "/odd/locked": null,
        "/odd/good.txt": sha256Of("good"),
        "/odd/Twin.txt": sha256Of("one"),
      });
    },
  );

  testLong("never imports the data directory", async () => {
    const env = await createSite("ada --role admin");
    const dataDir = env.DATA_DIR ?? "";
    for (const inside of [dataDir, isScaled ? dataDir : join(dataDir, "blobs")]) {
      const { code, stderr } = await runVitrine(["import", inside], env);
      expect([code, stderr]).toEqual([1, `vitrine: ${inside} is in the data directory of this site.\n`]);
    }
    const above = newDirectory(scratch);
    const inner = { ...env, DATA_DIR: join(above, "data") };
    await runVitrine(["user", "add", "bob", "--role", "author", "--create"], inner, `${password}\n`);
    mkdirSync(join(above, "data"), { recursive: true });
    writeFileSync(join(above, "note.txt"), "note");
    const { stdout } = await runVitrine(["import", above, "--to", "/", "--owner", "bob"], inner);
    expect(stdout).toContain("It is the data directory of this site.");
    expect(stdout).toContain(": 1 added ");
  });

  test("respects the quota of the owner", async () => {
    const env = { ...(await createSite("ada --role author")), QUOTA_BYTES: "2500" };
    const folder = newDirectory(scratch);
    for (const [name, size] of [
      ["a", 1000],
      ["b", 3000],
      ["c", 1000],
    ] as const) {
      writeFileSync(join(folder, name), name.repeat(size));
    }
    const { code, stdout } = await runVitrine(["import", folder, "--to", "/full", "--owner", "ada"], env);
    expect([code, stdout]).toEqual([
      1,
      // Files are received side by side: what the others have is counted, or not yet.
      expect.stringMatching(/This would bring ada's storage to [345]000 bytes, over the limit of 2500\./),
    ]);
    expect(stdout).toContain("Import 1: 2 added (0.0 MB), 0 known already, 0 changed, 1 refused.");
    expect(Object.keys(await treeOf(env, "/full"))).toEqual(["/full/a", "/full/c"]);
  });

  test("runs while a server is running, which shows what it adds", async () => {
    const env = await createSite("ada --role admin");
    const folder = newDirectory(scratch);
    writeFileSync(join(folder, "a.txt"), "a");
    await using server = await startVitrine(env);
    const list = () => client(server).get("/api/v1/files/dir/beside");
    expect((await list()).status).toBe(404);
    const { code, stdout } = await runVitrine(["import", folder, "--to", "/beside", "--visibility", "public"], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining(": 1 added ")]);
    expect((await list()).body).toMatchObject([{ name: "a.txt" }]);
  });

  testLong("explains invalid arguments", async () => {
    const env = await createSite("ada --role admin", "eve --role admin", "rob --role reader");
    const folder = newDirectory(scratch);
    writeFileSync(join(folder, "file"), "");
    const refusal = async (...words: string[]) => {
      const { code, stdout, stderr } = await runVitrine(["import", ...words], env);
      return [code, stdout, stderr];
    };
    expect(await refusal(folder)).toEqual([
      1,
      "",
      "vitrine: There is more than one admin: choose the owner with --owner NAME.\n",
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
  });
});
