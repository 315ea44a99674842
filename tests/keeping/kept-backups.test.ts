// Runs on the embedded engines only: it is about the files of a backup in a folder.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Place } from "../../src/platform/backups/place.ts";
import { pruneBackups } from "../../src/platform/backups/prune.ts";
import { listIDs } from "../../src/platform/backups/snapshot.ts";
import { chooseIDs, verifyBackups } from "../../src/platform/backups/verify.ts";
import { diskPlaceOf } from "../../src/platform/blobs/disk.ts";
import { hashOfText } from "../../src/platform/hash.ts";
import { backup, filesBelow, flipByte } from "../kit/backup-kit.ts";
import { backUp, makeBackedUpSite, withBackups } from "../kit/backed-up-site.ts";
import { variablesOfDisk } from "../kit/faults/power-cut-site.ts";
import { describeOnSmallDisk, takeTheRest, useSmallDisk } from "../kit/faults/small-disk.ts";
import { runVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const words = ["first words", "second words"];
let site: string;
beforeAll(async () => void (site = await makeBackedUpSite(scratch, words)));

const newFolder = () => join(newDirectory(scratch), "backups");
const none = { days: 0, weeks: 0, months: 0 };

const pruneAll = (folder: string, place?: (place: Place) => Partial<Place>) =>
  withBackups(folder, { ...(place && { place }) }, (repository) => pruneBackups(repository, none, false));

const idsIn = (folder: string) => withBackups(folder, {}, listIDs);

async function countProblems(folder: string): Promise<number> {
  const verified = await withBackups(folder, {}, async (repository) =>
    verifyBackups(repository, await chooseIDs(repository, undefined), { share: 1, isRepair: false, say: () => {} }),
  );
  return verified.problems;
}

describe("a backup that is complete", () => {
  test("survives a power cut, with all folders and links", async () => {
    const directory = newDirectory(scratch);
    const folder = join(directory, "data/new/backups");
    mkdirSync(join(directory, "data"));
    await backup(["create", "--to", folder], { DATA_DIR: site, ...variablesOfDisk(directory, {}) });
    const left = join(directory, "disk/new/backups");
    expect(await idsIn(left)).toEqual(await idsIn(folder));
    expect(filesBelow(join(left, "blobs"))).toHaveLength(words.length);
    expect(await countProblems(left)).toBe(0);
  });

  test("has no damaged file of the site, which is named as lost", async () => {
    const sha256 = hashOfText("second words");
    const place = diskPlaceOf(site, sha256);
    const folder = newFolder();
    flipByte(place);
    try {
      const { files } = await backUp(site, folder);
      expect(files.lost).toEqual([sha256]);
      expect(filesBelow(join(folder, "blobs")).map((path) => basename(path))).toEqual([hashOfText("first words")]);
    } finally {
      flipByte(place);
    }
    // The next one has it again.
    expect((await backUp(site, folder)).files.lost).toEqual([]);
    expect(await countProblems(folder)).toBe(0);
  });

  test("is complete without what earlier ones have left that were killed", async () => {
    const folder = newFolder();
    const { id } = await backUp(site, folder);
    const killed = join(folder, "snapshots/20260101T000000000Z-00000000");
    mkdirSync(killed);
    writeFileSync(join(killed, "database.sqlite.gz"), "half a datab");
    const { id: next } = await backUp(site, folder);
    expect(existsSync(join(killed, "database.sqlite.gz"))).toBe(false);
    expect(await idsIn(folder)).toEqual([id, next]);
  });
});

describe("pruning", () => {
  test("keeps the newest backup whatever is to be kept, and leaves no empty folder", async () => {
    const folder = newFolder();
    await backUp(site, folder);
    const { id } = await backUp(site, folder);
    mkdirSync(join(folder, "blobs/00"));
    const killed = join(folder, "snapshots/20260101T000000000Z-00000000");
    mkdirSync(killed);
    writeFileSync(join(killed, "database.sqlite.gz"), "half a datab");
    expect((await pruneAll(folder)).kept).toEqual([id]);
    expect(await idsIn(folder)).toEqual([id]);
    expect(readdirSync(join(folder, "snapshots"))).toEqual([id]);
    expect(existsSync(join(folder, "blobs/00"))).toBe(false);
    expect(await countProblems(folder)).toBe(0);
  });

  test("that is interrupted after any step leaves whole backups", async () => {
    const folder = newFolder();
    await backUp(site, folder);
    const { id } = await backUp(site, folder);
    let isDone = false;
    for (let steps = 0; !isDone; steps++) {
      let left = steps;
      const remove = (place: Place) => ({
        async remove(name: string) {
          if (left-- === 0) throw new Error("killed");
          await place.remove(name);
        },
      });
      isDone = await pruneAll(folder, remove).then(
        () => true,
        () => false,
      );
      expect([steps, await countProblems(folder)]).toEqual([steps, 0]);
    }
    expect(await idsIn(folder)).toEqual([id]);
  });
});

test("a restore that was killed leaves no copy of the database behind when it is run again", async () => {
  const folder = newFolder();
  const { id } = await backUp(site, folder);
  const target = join(newDirectory(scratch), "site");
  mkdirSync(join(target, "spool/1"), { recursive: true });
  writeFileSync(join(target, "restoring"), `${id}\n`);
  writeFileSync(join(target, "spool/1/copy"), "a copy of the database");
  // Nothing is written elsewhere.
  await backup(["restore", "--from", folder], { DATA_DIR: target, TMPDIR: join(target, "nowhere") });
  expect(filesBelow(target).filter((path) => path.includes("copy"))).toEqual([]);
  expect(existsSync(join(target, "vitrine.db"))).toBe(true);
});

describeOnSmallDisk("a full disk of the backups", () => {
  const disk = useSmallDisk(1);

  test("is not taken for that of the site", async () => {
    const create = () => runVitrine(["backup", "create", "--to", join(disk, "backups")], { DATA_DIR: site });
    expect(await create()).toMatchObject({ code: 0 });
    takeTheRest(disk);
    const { code, stderr } = await create();
    expect([code, stderr]).toEqual([1, `vitrine: The disk of ${disk}/backups is full: make space there.\n`]);
  });
});
