// Runs on the embedded engines only: it is about the files of SQLite.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { client } from "../kit/client.ts";
import { signUp } from "../kit/backup-kit.ts";
import { testLong } from "../kit/long.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();

type Site = { DATA_DIR: string; DATABASE_DIR: string };
const newSite = (): Site => ({ DATA_DIR: newDirectory(scratch), DATABASE_DIR: newDirectory(scratch) });

async function succeed(words: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runVitrine(words, env);
  expect([words.join(" "), code, code === 0 ? "" : stderr]).toEqual([words.join(" "), 0, ""]);
  return stdout;
}

const text = "bytes that lie on the share";

describe("a site whose database is not beside its files", () => {
  let site: Site;
  let server: Awaited<ReturnType<typeof startVitrine>>;
  let fileID = 0;
  beforeAll(async () => {
    site = newSite();
    server = await startVitrine(site);
    const token = await signUp(server);
    fileID = (await client(server, token).upload("kept.txt", text)).body.id;
  });
  afterAll(() => server.close());

  /** On a server of its own. */
  async function expectWhole(env: Record<string, string>): Promise<void> {
    await using other = await startVitrine(env);
    const response = await fetch(`${other.url}/api/v1/files/${fileID}/content`);
    expect([response.status, await response.text()]).toEqual([200, text]);
  }

  test("has its database and its lock there, and nothing of them in the data directory", async () => {
    expect(readdirSync(site.DATABASE_DIR).toSorted()).toEqual([
      "lock",
      "reserve",
      "vitrine.db",
      "vitrine.db-shm",
      "vitrine.db-wal",
    ]);
    const ofFiles = readdirSync(site.DATA_DIR);
    for (const name of ["format", "jwt-secret", "blobs"]) expect(ofFiles).toContain(name);
    expect(ofFiles.filter((name) => name === "lock" || name.startsWith("vitrine.db"))).toEqual([]);
    const { stderr } = await runVitrine(["serve"], { ...site, PORT: "0" });
    expect(stderr).toStartWith(`vitrine: ${site.DATABASE_DIR} is in use by another server`);
    const without = await runVitrine(["user", "list"], { DATA_DIR: site.DATA_DIR });
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("There is no site in")]);
  });

  test("is backed up beside the server, and restored to two directories", async () => {
    const repo = newDirectory(scratch);
    await succeed(["backup", "create", "--to", repo], site);
    expect(await succeed(["user", "list"], site)).toContain("writer");
    await succeed(["doctor", "--hash"], site);
    const restored = newSite();
    const inUse = await runVitrine(["backup", "restore", "--from", repo], { ...site, DATA_DIR: restored.DATA_DIR });
    expect([inUse.code, inUse.stderr]).toEqual([
      1,
      `vitrine: ${site.DATABASE_DIR} has a site already: set DATABASE_DIR to an empty directory.\n`,
    ]);
    await succeed(["backup", "restore", "--from", repo], restored);
    expect([restored.DATA_DIR, restored.DATABASE_DIR].map((path) => existsSync(join(path, "vitrine.db")))).toEqual([
      false,
      true,
    ]);
    await expectWhole(restored);
  });

  testLong("is exported, rescued, copied to one directory and back, and never mixed with another", async () => {
    await succeed(["export", join(newDirectory(scratch), "export")], site);
    await server.close();
    const rescued = newSite();
    await succeed(["rescue", rescued.DATA_DIR, "--to-database-dir", rescued.DATABASE_DIR], site);
    await expectWhole(rescued);
    const copy = newDirectory(scratch);
    const engines = ["--to-database", "sqlite", "--to-storage", "disk"];
    await succeed(["migrate-engine", ...engines, "--to-dir", copy], site);
    await expectWhole({ DATA_DIR: copy });
    const other = newSite();
    const to = ["--to-dir", other.DATA_DIR, "--to-database-dir", other.DATABASE_DIR];
    await succeed(["migrate-engine", ...engines, ...to], { DATA_DIR: copy });
    await expectWhole(other);

    const mixed = await runVitrine(["user", "list"], { ...site, DATA_DIR: copy });
    expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining("There is a database in")]);
  });
});
