// Runs on the embedded engines only: it is about the files of SQLite.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareDirectories, refuseLostDatabase, type SiteDirectories } from "./database-directory.ts";
import { newDirectory, useScratch } from "../../tests/kit/scratch.ts";

const scratch = useScratch();

/** Two directories with these files; a name that ends with "/" is a directory. */
function makeDirectories(ofFiles: string[], ofDatabase: string[]): SiteDirectories {
  const site = { dataDir: newDirectory(scratch), databaseDir: newDirectory(scratch) };
  for (const [directory, names] of [
    [site.dataDir, ofFiles],
    [site.databaseDir, ofDatabase],
  ] as const)
    for (const name of names) {
      if (name.endsWith("/")) mkdirSync(join(directory, name));
      else writeFileSync(join(directory, name), "100");
    }
  return site;
}

const prepare = (site: SiteDirectories) =>
  prepareDirectories(site, 100)
    .then(() => refuseLostDatabase(site))
    .catch(({ message }: Error) => message);

describe("with DATABASE_DIR", () => {
  test.each<[string, string[], string[]]>([
    ["two empty directories", [], []],
    ["a site", ["format", "blobs/", "jwt-secret"], ["vitrine.db", "vitrine.db-wal", "lock", "upgrades/"]],
    ["a site that was restored", ["blobs/", "jwt-secret"], ["vitrine.db"]],
    ["what a first start has left that was killed", ["format"], ["lock"]],
    ["what a file system puts there", ["lost+found/"], ["lost+found/", ".snapshots/"]],
  ])("%s can be used", async (_, ofFiles, ofDatabase) => {
    expect(await prepare(makeDirectories(ofFiles, ofDatabase))).toBeUndefined();
  });

  test.each<[string, string[], string[], (site: SiteDirectories) => string]>([
    [
      "a database that is still beside the files",
      ["format", "blobs/", "vitrine.db", "vitrine.db-wal", "upgrades/"],
      [],
      ({ dataDir: from, databaseDir: to }) =>
        `vitrine.db, vitrine.db-wal, upgrades of this site are still in ${from}, and DATABASE_DIR is ${to}: stop the server, then run "mkdir -p -m 700 ${to} && mv ${from}/vitrine.db ${from}/vitrine.db-wal ${from}/upgrades ${to}".`,
    ],
    [
      "a log that was left behind",
      ["format", "blobs/", "vitrine.db-wal"],
      ["vitrine.db"],
      ({ dataDir: from, databaseDir: to }) =>
        `vitrine.db-wal of this site is still in ${from}, and DATABASE_DIR is ${to}: stop the server, then run "mkdir -p -m 700 ${to} && mv ${from}/vitrine.db-wal ${to}".`,
    ],
    [
      "a database in both",
      ["format", "blobs/", "vitrine.db"],
      ["vitrine.db"],
      ({ dataDir, databaseDir }) =>
        `There is a database in ${dataDir} and one in DATABASE_DIR ${databaseDir}: move away the one that the site does not use. (If mv was interrupted, that is the one in DATABASE_DIR.)`,
    ],
    [
      "a share that is not mounted",
      [],
      ["vitrine.db", "lock"],
      ({ dataDir, databaseDir }) =>
        `DATABASE_DIR ${databaseDir} has the database of a site, but DATA_DIR ${dataDir} has none of its files: mount its disk, or choose the DATA_DIR of that site.`,
    ],
    [
      "a directory of something else",
      [],
      ["letter.txt"],
      ({ databaseDir }) =>
        `DATABASE_DIR ${databaseDir} is neither empty nor has a database (it has "letter.txt"): choose another directory.`,
    ],
    [
      "another directory than before",
      ["format", "blobs/"],
      [],
      ({ dataDir, databaseDir }) =>
        `${dataDir} has the files of a site, but its database ${databaseDir}/vitrine.db is missing: restore it from a backup, or set DATABASE_DIR if it is in another directory, or DATABASE_URL if it is in PostgreSQL.`,
    ],
  ])("%s is refused, and nothing is written", async (_, ofFiles, ofDatabase, sentence) => {
    const site = makeDirectories(ofFiles, ofDatabase);
    const list = () => [site.dataDir, site.databaseDir].map((path) => readdirSync(path).toSorted());
    const before = list();
    expect(await prepare(site)).toBe(sentence(site));
    expect(list()).toEqual(before);
  });

  test("the same directory under another name is the same", async () => {
    const { dataDir } = makeDirectories(["format", "blobs/", "vitrine.db"], []);
    const databaseDir = join(newDirectory(scratch), "link");
    symlinkSync(dataDir, databaseDir);
    expect(await prepare({ dataDir, databaseDir })).toBeUndefined();
  });
});
