// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { change, type Environment, examine } from "../kit/doctor-kit.ts";
import { engineEnv } from "../kit/engine.ts";
import { person } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { runVitrine } from "../kit/process.ts";

const scratch = useScratch();

const hour = 3_600_000;
const day = 24 * hour;

/** How a site is run. Time passes by rows that become older or newer. */
describe("the doctor warns", () => {
  const dataDir = join(scratch, "data");
  let env: Environment;
  beforeAll(async () => {
    await runServer();
    env = { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
  });

  async function runServer(): Promise<void> {
    await using server = await startServer({ DATA_DIR: dataDir });
    await person(server, "ada");
  }

  const shift = (table: string, column: string, by: number) =>
    change(env, `UPDATE ${table} SET ${column} = ${column} + ${by}`);

  /** Its warnings. There must be no errors. */
  async function warnings(more: Environment = {}): Promise<string[]> {
    const { code, findings } = await examine({ ...env, ...more });
    expect([code, findings.filter(({ severity }) => severity !== "warning")]).toEqual([
      findings.length > 0 ? 3 : 0,
      [],
    ]);
    return findings.map(({ where, what }) => `${where}: ${what}`);
  }

  test("of nothing, if all is well", async () => {
    expect(await warnings()).toEqual([]);
  });

  test("of a clock that is behind the newest change by more than an hour", async () => {
    await shift("activity", "created_at", hour / 2);
    expect(await warnings()).toEqual([]);
    await shift("activity", "created_at", hour);
    expect(await warnings()).toEqual([expect.stringMatching(/^clock: it is behind: .* was made at 20\d\d-.*Z$/)]);
    await shift("activity", "created_at", -1.5 * hour);
  });

  test("of a clock that was far ahead at the last start, until somebody confirms it", async () => {
    await change(env, "DELETE FROM settings WHERE name = 'last-run'");
    await shift("activity", "created_at", -40 * day);
    await runServer();
    const held = /^clock: may be wrong: nothing is deleted because of its age. .* The site last ran at 20/;
    expect(await warnings()).toEqual([expect.stringMatching(held)]);
    expect((await runVitrine(["confirm", "clock"], env)).code).toBe(0);
    expect(await warnings()).toEqual([]);
  });

  test("of backups that were never made, are old or have failed", async () => {
    await shift("users", "created_at", -7 * day);
    expect(await warnings()).toEqual([]);
    await shift("users", "created_at", -2 * day);
    expect(await warnings()).toEqual(["backup: none was ever made"]);
    expect((await runVitrine(["record", "backup"], env)).code).toBe(0);
    await shift("backups", "created_at", -7 * day);
    expect(await warnings()).toEqual([]);
    await shift("backups", "created_at", -2 * day);
    const old = expect.stringMatching(/^backup: the last one was made at 20\d\d-.*Z$/);
    expect(await warnings()).toEqual([old]);
    const run = JSON.stringify({ startedAt: 1, endedAt: 2, error: "The disk is full." });
    await change(env, `INSERT INTO settings (name, value) VALUES ('last-backup-run', '${run}')`);
    expect(await warnings()).toEqual(["backup: the last one has failed: The disk is full.", old]);
    expect((await runVitrine(["record", "backup"], env)).code).toBe(0);
    await change(env, "DELETE FROM settings WHERE name = 'last-backup-run'");
    expect(await warnings()).toEqual([]);
  });

  test("of an address without HTTPS, and of backups beside the data", async () => {
    expect(await warnings({ BASE_URL: "http://photos.example.org" })).toEqual([
      "BASE_URL: http://photos.example.org is not https: passwords are sent as they are",
    ]);
    expect(await warnings({ BASE_URL: "http://localhost:8080" })).toEqual([]);
    expect(await warnings({ BACKUP_TO: join(dataDir, "backups") })).toEqual([
      "BACKUP_TO: is in the data directory: both are lost together",
    ]);
    expect(await warnings({ BACKUP_TO: join(scratch, "backups") })).toEqual([]);
  });
});
