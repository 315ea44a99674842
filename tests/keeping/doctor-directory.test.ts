// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about the files of SQLite and of the local disk.
import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describeSpace } from "../../src/commands/doctor-directory.ts";
import { type Environment, examine, makeSite } from "../kit/doctor-kit.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { describeOnSmallDisk, takeTheRest, useSmallDisk } from "../kit/faults/small-disk.ts";
import { needs } from "../kit/optional.ts";

const scratch = useScratch();
const { test: testAsRoot } = needs("root on Linux", process.getuid?.() === 0);

describe("the files of a site", () => {
  let whole: Environment;
  beforeAll(async () => {
    whole = await makeSite(join(scratch, "whole"));
  });

  function damage(how: (dataDir: string) => void): Environment {
    const dataDir = newDirectory(scratch);
    cpSync(whole.DATA_DIR ?? "", dataDir, { recursive: true });
    how(dataDir);
    return { DATA_DIR: dataDir };
  }

  test.each<[string, string, number, (dataDir: string) => void]>([
    ["jwt-secret that others can read", "jwt-secret", 1, (dir) => chmodSync(join(dir, "jwt-secret"), 0o644)],
    ["jwt-secret that is cut off", "jwt-secret", 1, (dir) => writeFileSync(join(dir, "jwt-secret"), "ab")],
    ["jwt-secret that is missing", "jwt-secret", 3, (dir) => rmSync(join(dir, "jwt-secret"))],
    ["format that is damaged", "format", 1, (dir) => writeFileSync(join(dir, "format"), "x")],
    ["format of a newer version", "format", 1, (dir) => writeFileSync(join(dir, "format"), "9999\n")],
    [
      "database that others can read",
      "data directory",
      3,
      (dir) => (chmodSync(dir, 0o755), chmodSync(join(dir, "vitrine.db"), 0o644)),
    ],
    ["blob with another byte", "files", 1, flipBlob],
  ])("a %s is found", async (_, where, code, how) => {
    const found = await examine(damage(how), { hash: "" });
    expect([found.code, found.findings.map((one) => one.where)]).toEqual([code, [where]]);
  });

  test("who can read the files is said with their names, but not if nobody else can enter the directory", async () => {
    const env = damage((dir) => chmodSync(join(dir, "vitrine.db"), 0o644));
    expect(await examine(env)).toMatchObject({ code: 0, findings: [] });
    chmodSync(env.DATA_DIR ?? "", 0o755);
    expect((await examine(env)).findings).toMatchObject([
      {
        severity: "warning",
        what: "1 file can be read by every user of this machine (vitrine.db)",
        repair: `chmod -R o-rwx ${env.DATA_DIR}`,
      },
    ]);
  });

  test("a site without a format is not damaged: restored ones have none before their next start", async () => {
    expect(await examine(damage((dir) => rmSync(join(dir, "format"))))).toMatchObject({ code: 0, findings: [] });
  });

  test("a link has no rights of its own", async () => {
    const env = damage((dir) => (chmodSync(dir, 0o755), symlinkSync("elsewhere", join(dir, "link"))));
    expect(await examine(env)).toMatchObject({ code: 0, findings: [] });
  });

  // Only root can give files to others.
  testAsRoot("files that belong to another user than the database are found", async () => {
    const other = 54_321;
    const env = damage((dir) => chownSync(join(dir, "format"), other, other));
    const { code, findings } = await examine(env);
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      {
        severity: "error",
        where: "data directory",
        what: "1 file does not belong to the user 0, who owns the database (format)",
        repair: `chown -R 0 ${env.DATA_DIR}`,
      },
    ]);
    for (const name of ["", "jwt-secret", "blobs", "vitrine.db"])
      chownSync(join(env.DATA_DIR ?? "", name), other, other);
    const [finding] = (await examine(env)).findings;
    expect(finding?.what).toMatch(/^\d+ files do not belong to the user 54321, who owns the database \(.*, …\)$/);
  });

  test("what is lost by a damaged log is said, with the time from which on", async () => {
    const env = damage(() => {});
    const database = join(env.DATA_DIR ?? "", "vitrine.db");
    const writer = new Sqlite(database);
    writer.run("PRAGMA journal_mode = WAL");
    writer.run("PRAGMA wal_autocheckpoint = 0");
    writer.run("PRAGMA wal_checkpoint(TRUNCATE)");
    for (let index = 0; index < 4; index++) writer.run(`UPDATE users SET updated_at = ${index + 1}`);
    // As after a crash: the log is there, and no process has the database open.
    for (const name of ["vitrine.db", "vitrine.db-wal"])
      copyFileSync(join(env.DATA_DIR ?? "", name), join(scratch, name));
    writer.close();
    for (const name of ["vitrine.db", "vitrine.db-wal"])
      copyFileSync(join(scratch, name), join(env.DATA_DIR ?? "", name));
    flip(`${database}-wal`, 32 + (statSync(`${database}-wal`).size - 32) / 2 + 100);
    await examine(env);
    // The first examination has left the log as it was.
    const [finding, ...more] = (await examine(env)).findings;
    expect([finding?.where, more]).toEqual(["database", []]);
    expect(finding?.what).toMatch(/up to 2 changes at its end cannot be read: they were made after 20\d\d-.*Z/);
    const server = await startServer(env);
    expect(server.logged()).toContain("vitrine.db-wal is damaged");
    await server.close();
  });
});

describe("a disk that is", () => {
  const brief = (...space: Parameters<typeof describeSpace>) =>
    describeSpace(...space).map(({ severity, what }) => `${severity}: ${what}`);

  test("nearly full is a warning, and a full one an error", () => {
    const bytes = 300 * 2 ** 20 + 1;
    expect(brief(null, { bytes, isLow: false })).toEqual([]);
    expect(brief(null, { bytes, isLow: true })).toEqual(["warning: is nearly full: 300 MiB are free"]);
    expect(brief("full", { bytes: 0, isLow: true })).toEqual(["error: is full: 0 MiB are free"]);
  });
});

describeOnSmallDisk("a disk that is", () => {
  const small = useSmallDisk(64);

  test("full does not keep the doctor from looking at the rest", async () => {
    const env = await makeSite(join(small, "data"));
    const seen = async () => (await examine(env)).findings.map(({ where, what }) => `${where} ${what}`);
    expect(await seen()).toEqual([]);
    const { bavail, bsize } = statfsSync(small);
    writeFileSync(join(small, "large"), new Uint8Array(bavail * bsize - 6 * 2 ** 20));
    expect(await seen()).toEqual([expect.stringMatching(/^disk is nearly full: \d+ MiB are free$/)]);
    takeTheRest(small);
    expect(await seen()).toEqual(["disk is full: 0 MiB are free"]);
  });
});

function flip(path: string, position: number): void {
  const bytes = readFileSync(path);
  const file = openSync(path, "r+");
  writeSync(file, Uint8Array.of((bytes[position] ?? 0) ^ 1), 0, 1, position);
  closeSync(file);
}

function flipBlob(dataDir: string): void {
  const database = new Sqlite(join(dataDir, "vitrine.db"));
  const { sha256 } = database.query("SELECT sha256 FROM files WHERE sha256 IS NOT NULL").get() as { sha256: string };
  database.close();
  flip(join(dataDir, "blobs", sha256.slice(0, 2), sha256), 5);
}
