// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskPlaceOf } from "../../src/platform/blobs/disk.ts";
import { removeOldSnapshots } from "../../src/platform/database/upgrade-snapshots.ts";
import { version } from "../../src/platform/version.ts";
import { expectWhole, signUp } from "../kit/backup-kit.ts";
import { isScaled, makeDatabase, testScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { makeVersion, runVitrine, startVitrine } from "../kit/process.ts";
import { describeOnSmallDisk, takeTheRest, useSmallDisk } from "../kit/faults/small-disk.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();

const [major = 0, minor = 0] = version.split(".").map(Number);
const [second, third, fourth] = [1, 2, 3].map((more) => `${major}.${minor + more}.0`) as [string, string, string];
const columns: Record<string, string> = {};
const programs: Record<string, string> = {};
beforeAll(() => {
  for (const [index, newer] of [second, third, fourth].entries()) {
    columns[`900${index}_more.sql`] = `ALTER TABLE posts ADD COLUMN more_${index} TEXT;`;
    programs[newer] = makeVersion(newDirectory(scratch), newer, columns);
  }
});

const newSite = () => ({ DATA_DIR: newDirectory(scratch) });
type Site = ReturnType<typeof newSite>;
const snapshotsOf = ({ DATA_DIR }: Site) => {
  const folder = join(DATA_DIR, "upgrades");
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
};
const rollback = (site: Site, words: string[] = ["--yes"], program?: string) =>
  runVitrine(["rollback", ...words], site, "", program);

describe.if(!isScaled)("vitrine rollback", () => {
  test("returns to the database before an upgrade, with all files that it refers to, and keeps the newer one", async () => {
    const site = newSite();
    const old = await startVitrine(site);
    const token = await signUp(old);
    const kept = (await client(old, token).upload("kept.txt", "bytes that are deleted after the upgrade")).body;
    const post = (await client(old, token).post("/api/v1/blog", { title: "before", content: "x" })).body;
    await old.close();

    const newer = await startVitrine(site, programs[second]);
    const writer = client(newer, token);
    const late = (await writer.upload("late.txt", "bytes of a file that only the newer database has")).body;
    const gone = (await writer.upload("gone.txt", "bytes that no database has")).body;
    for (const { id } of [kept, gone]) await writer.delete(`/api/v1/files/${id}`);
    await writer.delete("/api/v1/trash");
    await writer.put(`/api/v1/blog/${post.id}`, { title: "after" });
    await writer.post("/api/v1/blog", { title: "later", content: "x" });
    const hasBytes = ({ sha256 }: { sha256: string }) => existsSync(diskPlaceOf(site.DATA_DIR, sha256));
    expect([kept, late, gone].map(hasBytes)).toEqual([true, true, false]);

    const refused = await rollback(site);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is in use by another server")]);
    await newer.close();
    const [snapshot = ""] = snapshotsOf(site);
    expect(snapshotsOf(site)).toEqual([
      expect.stringMatching(new RegExp(`^\\d{8}T\\d{9}Z-version-${version}-before-upgrade\\.db$`)),
    ]);
    expect(statSync(join(site.DATA_DIR, "upgrades")).mode & 0o777).toBe(0o700);
    expect(statSync(join(site.DATA_DIR, "upgrades", snapshot)).mode & 0o777).toBe(0o600);

    // Without a terminal, it does not act unless it is told to.
    const asked = await rollback(site, []);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("rollback needs --yes")]);
    expect(asked.stdout.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^The snapshot of .*Z, before an upgrade, belongs to version ${version}\\.$`)),
      "What was done since then would be undone:",
      "  file created: 2",
      "  file deleted: 2",
      "  file trashed: 2",
      "  post changed: 1",
      "  post created: 1",
      "",
    ]);
    expect(snapshotsOf(site)).toEqual([snapshot]);

    const done = await rollback(site);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    const [aside = ""] = snapshotsOf(site);
    expect(done.stdout).toContain(`The newer database is ${join(site.DATA_DIR, "upgrades", aside)}.\n`);
    expect(snapshotsOf(site)).toEqual([expect.stringContaining(`-version-${second}-before-rollback.db`)]);

    await expectWhole(site);
    const returned = await startVitrine(site);
    const titles = (await client(returned, token).get("/api/v1/blog")).body.map(({ title }: any) => title);
    expect(titles).toEqual(["before"]);
    const content = await fetch(`${returned.url}/api/v1/files/${kept.id}/content`);
    expect([content.status, await content.text()]).toEqual([200, "bytes that are deleted after the upgrade"]);
    await returned.close();

    // And back to the newer one: nothing of it was lost, either.
    const again = await rollback(site, ["--yes", "--to", aside], programs[second]);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect((await runVitrine(["doctor", "--hash"], site, "", programs[second])).code).toBe(0);
    await using last = await startVitrine(site, programs[second]);
    const newest = (await client(last, token).get("/api/v1/blog")).body.map(({ title }: any) => title);
    expect(newest.toSorted()).toEqual(["after", "later"]);
    expect((await fetch(`${last.url}/api/v1/files/${late.id}/content`)).status).toBe(200);
  });

  test("the newer program rolls back, too, and says which version to start", async () => {
    const site = newSite();
    await (await startVitrine(site)).close();
    await (await startVitrine(site, programs[second])).close();
    const { code, stdout } = await rollback(site, ["--yes"], programs[second]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Now start version ${version} of the program`)]);
    await (await startVitrine(site)).close();
  });

  test("the newer program returns to its database at once, also from one of before there was a list of activity", async () => {
    const site = newSite();
    await (await startVitrine(site)).close();
    await (await startVitrine(site, programs[second])).close();
    expect((await rollback(site)).code).toBe(0);
    const [aside = ""] = snapshotsOf(site);
    const raw = new Sqlite(join(site.DATA_DIR, "vitrine.db"));
    raw.run("DROP TABLE activity");
    raw.close();
    const { code, stdout, stderr } = await rollback(site, ["--yes", "--to", aside], programs[second]);
    expect([code, stderr, stdout]).toEqual([
      0,
      "",
      expect.stringContaining("It is not known what was done since then"),
    ]);
    await (await startVitrine(site, programs[second])).close();
  });

  test("the last two snapshots are kept, and each program chooses the newest one that it can read", async () => {
    const site = newSite();
    await (await startVitrine(site)).close();
    for (const newer of [second, third, fourth]) await (await startVitrine(site, programs[newer])).close();
    expect(snapshotsOf(site).map((name) => name.split("-")[2])).toEqual([second, third]);
    const tooOld = await rollback(site);
    expect([tooOld.code, tooOld.stderr]).toEqual([1, expect.stringContaining(`that version ${version} can read`)]);
    expect((await rollback(site, ["--yes"], programs[second])).code).toBe(0);
    await (await startVitrine(site, programs[second])).close();
  });

  test("snapshots are removed after 30 days; until then the files that only they refer to stay", async () => {
    const site = newSite();
    const old = await startVitrine(site);
    const token = await signUp(old);
    const { id, sha256 } = (await client(old, token).upload("file.txt", "bytes of a deleted file")).body;
    await old.close();
    const newer = await startVitrine(site, programs[second]);
    await client(newer, token).delete(`/api/v1/files/${id}`);
    await client(newer, token).delete("/api/v1/trash");
    await newer.close();
    removeOldSnapshots(site.DATA_DIR, Date.now() + 29 * 86_400_000);
    expect(snapshotsOf(site)).toHaveLength(1);
    expect(existsSync(diskPlaceOf(site.DATA_DIR, sha256))).toBe(true);
    removeOldSnapshots(site.DATA_DIR, Date.now() + 31 * 86_400_000);
    expect(snapshotsOf(site)).toEqual([]);
  });

  test("a snapshot that cannot be read keeps all files", async () => {
    const site = newSite();
    await (await startVitrine(site)).close();
    await using newer = await startVitrine(site, programs[second]);
    const token = await signUp(newer);
    const [snapshot = ""] = snapshotsOf(site);
    writeFileSync(join(site.DATA_DIR, "upgrades", snapshot), "no database");
    const { id, sha256 } = (await client(newer, token).upload("file.txt", "bytes")).body;
    await client(newer, token).delete(`/api/v1/files/${id}`);
    expect((await client(newer, token).delete("/api/v1/trash")).status).toBe(200);
    expect(existsSync(diskPlaceOf(site.DATA_DIR, sha256))).toBe(true);
  });
});

describeOnSmallDisk("on a full disk", () => {
  const disk = useSmallDisk(64);

  test("an upgrade without space for a snapshot is refused, unless it is told to go on without one", async () => {
    const site = { DATA_DIR: join(disk, "data") };
    await (await startVitrine(site)).close();
    takeTheRest(disk);
    const other = join(disk, "another-program");
    truncateSync(other, statSync(other).size - 2 ** 18);
    const refused = await runVitrine(["migrate"], site, "", programs[second]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/needs \d+ bytes in .*, and \d+ are free: make space/),
    ]);
    rmSync(other);
    const done = await runVitrine(["migrate", "--no-snapshot"], site, "", programs[second]);
    expect([done.code, done.stdout]).toEqual([0, expect.not.stringContaining("snapshot:")]);
    expect(snapshotsOf(site)).toEqual([]);
  });
});

testScaled("on PostgreSQL there are no snapshots, and the command says what to do instead", async () => {
  const { code, stderr } = await rollback({ ...newSite(), DATABASE_URL: await makeDatabase() } as Site);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^vitrine: There are no snapshots on PostgreSQL: /)]);
});
