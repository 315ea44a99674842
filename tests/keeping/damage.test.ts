// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { change, type Environment } from "../kit/doctor-kit.ts";
import { engineEnv, isScaled } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { finish, readUntil, runVitrine, spawnVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();

const check = (env: Environment, ...words: string[]) => runVitrine(["doctor", ...words], env);
const consistent = "The database is consistent.";

/** A site with a photo, a post, a comment, an album and files. */
async function makeSite(env: Environment): Promise<{ fileID: number; photoID: number }> {
  const server = await startVitrine(env);
  await client(server).post("/signup", { username: "ada", password });
  const { token } = (await client(server).post("/signin", { username: "ada", password })).body;
  const ada: Client = client(server, token);
  const { body: file } = await ada.upload("harbour.png", png(20, 10), { path: "/2026/june" });
  const { body: photo } = await ada.post("/api/v1/photos", { title: "Harbour", fileID: file.id });
  const { body: post } = await ada.post("/api/v1/blog", {
    title: "A walk",
    content: "To the lighthouse.",
    tags: ["walks"],
  });
  await ada.post("/api/v1/comments", { blogPostID: post.id, content: "Nice." });
  const { body: album } = await ada.post("/api/v1/albums", { name: "Coast" });
  await ada.post(`/api/v1/albums/${album.id}/photos/${photo.id}`);
  for (let index = 0; index < 50; index++) {
    await ada.post("/api/v1/blog", { title: `Post ${index}`, content: `${crypto.randomUUID()} `.repeat(100) });
  }
  await server.close();
  return { fileID: file.id, photoID: photo.id };
}

describe("vitrine doctor", () => {
  let env: Environment;
  let fileID: number;
  let photoID: number;
  beforeAll(async () => {
    const dataDir = newDirectory(scratch);
    env = { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
    ({ fileID, photoID } = await makeSite(env));
    expect(await check(env, "--hash")).toMatchObject({ code: 0, stderr: "" });
  });

  test("says what it has compared, and changes nothing", async () => {
    const { stdout } = await check(env);
    expect(stdout).toBe(
      `${consistent}\nAll 1 files are present and have the right size; --hash also compares their bytes.\n`,
    );
    expect((await check(env, "--hash")).stdout).toBe(`${consistent}\nAll 1 files are present and intact.\n`);
  });

  /** Changes rows as nothing in the program could, looks, and changes them back. */
  async function damaged(damage: string, repair: string): Promise<{ code: number; lines: string[] }> {
    await change(env, damage);
    const { code, stdout, stderr } = await check(env, "--hash");
    expect(stderr).toBe("");
    await change(env, repair);
    expect((await check(env)).code).toBe(0);
    return { code, lines: stdout.trim().split("\n") };
  }

  test("finds a photo whose file does not exist", async () => {
    const { code, lines } = await damaged(
      `UPDATE photos SET file_id = 999 WHERE id = ${photoID}`,
      `UPDATE photos SET file_id = ${fileID} WHERE id = ${photoID}`,
    );
    expect(code).toBe(1);
    const found = lines.indexOf(`error    photos  1 row whose file_id does not exist in files (${photoID})`);
    expect(lines[found + 1]?.trim()).toBe("delete these photos, or choose another file for them");
    expect(lines).not.toContain(consistent);
  });

  test("finds an owner that does not exist", async () => {
    const { code, lines } = await damaged(
      "UPDATE albums SET owner_id = 999",
      "UPDATE albums SET owner_id = (SELECT min(id) FROM users)",
    );
    expect(code).toBe(1);
    const found = lines.indexOf("error    albums  1 row whose owner_id does not exist in users (1)");
    expect(lines[found + 1]?.trim()).toBe("restore a backup from before the damage");
  });

  test("finds a file in a directory that does not exist", async () => {
    const { code, lines } = await damaged(
      `UPDATE files SET parent_id = parent_id + 900 WHERE id = ${fileID}`,
      `UPDATE files SET parent_id = parent_id - 900 WHERE id = ${fileID}`,
    );
    expect(code).toBe(1);
    expect(lines.join("\n")).toMatch(new RegExp(`^error +files +1 row whose parent_id .* \\(${fileID}\\)`, "m"));
  });

  test("finds counts that are wrong, and names the command that corrects them", async () => {
    await change(env, "UPDATE list_counts SET live = live + 3 WHERE list = 'posts' AND size = 0");
    const { code, stdout } = await check(env);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^error +posts +\d stored counts? (is|are) wrong\n +run "vitrine rebuild counts"/m),
    ]);
    // The check has only looked.
    expect((await check(env)).stdout).toBe(stdout);
    expect((await runVitrine(["rebuild", "counts"], env)).code).toBe(0);
    expect((await check(env)).code).toBe(0);
  });

  test("finds records that search does not find, and names the command that indexes them", async () => {
    if (!isScaled)
      for (const table of ["documents_waiting", "documents_index"]) await change(env, `DELETE FROM ${table}`);
    await change(env, "DELETE FROM documents WHERE kind = 'album'");
    const { code, stdout } = await check(env);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^error +search +\d+ records? cannot be found\n +run "vitrine rebuild search" and start the server/m,
      ),
    ]);
    expect((await runVitrine(["rebuild", "search"], env)).code).toBe(0);
    const server = await startVitrine(env);
    const find = async (word: string) => (await client(server).get(`/api/v1/search?q=${word}`)).body.length;
    for (const word of ["lighthouse", "coast"]) await until(() => find(word));
    await server.close();
    expect(await check(env)).toMatchObject({ code: 0 });
  });

  test("finds no damage in records that a server is going to index", async () => {
    const server = await startVitrine(env);
    await change(env, "DELETE FROM documents WHERE kind = 'album'");
    const { code, stdout } = await check(env);
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^warning +search +\d+ records? cannot be found yet$/m)]);
    await server.close();
    expect((await check(env)).code).toBe(1);
    expect((await check(env, "--fix")).code).toBe(0);
  });

  test("finds records in the index that do not exist", async () => {
    const { code, lines } = await damaged(
      "INSERT INTO documents (kind, record_id, title_words, text_words) VALUES ('post', 999, ' x ', ' y ')",
      "DELETE FROM documents WHERE record_id = 999",
    );
    expect([code, lines]).toEqual([
      1,
      expect.arrayContaining([expect.stringContaining("1 record in the index does not exist")]),
    ]);
  });
});

describe.if(!isScaled)("a damaged database", () => {
  let whole: string;
  beforeAll(async () => {
    whole = newDirectory(scratch);
    await makeSite({ DATA_DIR: whole });
    expect(readdirSync(whole)).not.toContain("vitrine.db-wal");
  });

  function damage(how: (database: string, dataDir: string) => void): Environment {
    const dataDir = newDirectory(scratch);
    cpSync(whole, dataDir, { recursive: true });
    how(join(dataDir, "vitrine.db"), dataDir);
    return { DATA_DIR: dataDir, PORT: "0" };
  }
  const overwrite = (path: string, position: number, bytes: Uint8Array) => {
    const file = openSync(path, "r+");
    writeSync(file, bytes, 0, bytes.length, position);
    closeSync(file);
  };
  const noise = (length: number) => crypto.getRandomValues(new Uint8Array(length));

  test("every page with other bytes is found by check, which says one thing per line and no more", async () => {
    const pages = statSync(join(whole, "vitrine.db")).size / 4096;
    const chosen = [1, 2, 3, 7, Math.floor(pages / 3), Math.floor(pages / 2), pages - 2];
    for (const page of chosen) {
      const env = damage((database) => overwrite(database, page * 4096, noise(4096)));
      const { code, stdout, stderr } = await check(env);
      expect([page, code]).toEqual([page, 1]);
      expect(stdout + stderr).toMatch(/damaged/);
      expect(stdout + stderr).not.toMatch(/\bat .*\.ts|SQLiteError|consistent|intact/);
      expect(stderr.split("\n").length).toBeLessThanOrEqual(2);
      // A server that does not read the page starts; one that does says one sentence.
      const child = spawnVitrine(["serve"], { ...env, DRAIN_SECONDS: "0", LOG_LEVEL: "error" });
      const announced = await readUntil(child.stdout, "Data is in");
      child.kill("SIGINT");
      const ended = await finish(child);
      if (!announced) expect(ended.stderr).toMatch(/^vitrine: [^\n]*damaged[^\n]*\n$/);
    }
  });

  test.each<[string, (database: string, dataDir: string) => void]>([
    ["whose schema has other bytes", (database) => overwrite(database, 100, noise(3996))],
    [
      "that is cut off in the middle",
      (database) => truncateSync(database, Math.floor(statSync(database).size / 8192) * 4096),
    ],
    ["that is cut off within the first page", (database) => truncateSync(database, 2000)],
    ["that is empty", (database) => truncateSync(database, 0)],
    ["that is missing", (database) => rmSync(database)],
    ["that is another file", (database) => writeFileSync(database, "This is not a database.".repeat(1000))],
    [
      "that is a directory",
      (database) => (rmSync(database), cpSync(join(whole, "blobs"), database, { recursive: true })),
    ],
    ["of a newer format", (_, dataDir) => writeFileSync(join(dataDir, "format"), "9999\n")],
    ["with a format that is not a number", (_, dataDir) => writeFileSync(join(dataDir, "format"), "new\n")],
    [
      "of a newer version",
      (database) => void new Database(database).run("INSERT INTO migrations VALUES ('9999_new.sql', 1)"),
    ],
    ["without one of its tables", (database) => void new Database(database).run("DROP TABLE users")],
  ])("a database %s stops a start with one sentence, and so does a check", async (_, how) => {
    for (const words of [["serve"], ["doctor"], ["user", "list"]]) {
      const env = damage(how);
      const { code, stdout, stderr } = await runVitrine(words, env, "");
      expect([words, code]).toEqual([words, 1]);
      expect(stdout).not.toMatch(/consistent|intact|running/);
      if (words[0] === "doctor" && stdout) continue;
      expect(stderr).toMatch(/^vitrine: [^\n]*\.\n$/);
    }
  });
});
