// Runs on other engines only with TEST_LONG: the other tests of backups run on them.
import { beforeAll, expect } from "bun:test";
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBucket } from "../kit/backup-kit.ts";
import { makeDatabase, testScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { scriptsOf, startVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";

const runScripts = scriptsOf("docs/operate/backup.md");

const scratch = useScratch();

/** A machine on which `vitrine` is installed. */
const programs = join(scratch, "bin");
beforeAll(() => {
  const launcher = fileURLToPath(new URL("../../bin/vitrine", import.meta.url));
  mkdirSync(programs);
  symlinkSync(launcher, join(programs, "vitrine"));
  chmodSync(launcher, 0o755);
});

const run = (name: string, env: Record<string, string>) =>
  runScripts([`story: ${name}`], {
    cwd: scratch,
    env: { ...env, PATH: `${programs}:${process.env.PATH}`, HOME: scratch },
  });

/** Needs a bucket; the site itself is on SQLite, and is restored on other engines. */
testScaled(
  "the commands of docs/operate/backup.md lead from an empty machine to nightly encrypted backups on S3, and a restored site elsewhere",
  async () => {
    const { url: REPO, ...keys } = await makeBucket();
    const BACKUP_PASSPHRASE_FILE = join(scratch, "passphrase");
    const PASSWORD_FILE = join(scratch, "password");
    writeFileSync(PASSWORD_FILE, `${password}\n${password}\n`);
    const shared = { ...keys, REPO, BACKUP_PASSPHRASE_FILE, PASSWORD_FILE };
    const site = { ...shared, DATA_DIR: join(scratch, "site") };
    await run("create a passphrase and the site", site);
    expect(statSync(BACKUP_PASSPHRASE_FILE).mode & 0o777).toBe(0o600);

    const server = await startVitrine(site);
    const { token } = (await client(server).post("/signin", { username: "ada", password })).body;
    const file = (await client(server, token).upload("letter.txt", "bytes of a letter")).body;
    const nights = [await run("every night", site)];
    await client(server, token).post("/api/v1/blog", { title: "second day", content: "x" });
    nights.push(await run("every night", site));
    await server.close();
    for (const night of nights) expect(night).toContain("is complete.");
    expect(await run("every week", site)).toContain("all are as they were stored");

    const bucket = await makeBucket();
    const directory = { ...shared, DATA_DIR: join(scratch, "other machine") };
    const engines = {
      ...shared,
      DATA_DIR: join(scratch, "other engines"),
      DATABASE_URL: await makeDatabase(),
      STORAGE_URL: bucket.url,
    };
    for (const restored of [directory, engines]) {
      expect(await run("restore on another machine", restored)).toContain("The database is consistent.");
      await using other = await startVitrine(restored);
      const reader = client(other, token);
      const titles = (await reader.get("/api/v1/blog")).body.map((post: { title: string }) => post.title);
      expect(titles).toEqual(["second day"]);
      const content = await fetch(`${other.url}/api/v1/files/${file.id}/content`);
      expect([content.status, await content.text()]).toEqual([200, "bytes of a letter"]);
    }
  },
);
