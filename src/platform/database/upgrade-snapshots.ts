import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { syncDirectory } from "../durable.ts";
import { copySqlite } from "./copy-sqlite.ts";
import { DatabaseError } from "./database.ts";

/** A SQLite database as it was before an upgrade, or before `vitrine rollback` put such a one in its place. */
export type Snapshot = {
  /** The name of its file: `20261117T053000123Z-version-0.1.0-before-upgrade.db`. */
  name: string;
  path: string;
  takenAt: Date;
  /** The version that made these tables. */
  version: string;
  reason: "upgrade" | "rollback";
  bytes: number;
};

export type Draft = {
  path: string;
  /** Makes it a snapshot, which survives a power cut. */
  keep(): Promise<void>;
  discard(): void;
};

/** So many are kept of each reason. */
const keptCount = 2;
/** While a snapshot is kept, files that it refers to are not removed from the disk: not for ever. */
const keptMs = 30 * 86_400_000;
const draftSuffix = ".draft";
const pattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-version-(.+)-before-(upgrade|rollback)\.db$/;

const folderOf = (databaseDir: string) => join(databaseDir, "upgrades");

/** All snapshots beside a database, oldest first. */
export function listSnapshots(databaseDir: string): Snapshot[] {
  return readNames(folderOf(databaseDir)).flatMap((name) => {
    const [, year, month, day, hour, minute, second, ms, version = "", reason] = pattern.exec(name) ?? [];
    const path = join(folderOf(databaseDir), name);
    const bytes = sizeOf(path);
    if (!reason || bytes === null) return [];
    const takenAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
    return [{ name, path, takenAt, version, reason: reason as Snapshot["reason"], bytes }];
  });
}

/**
 * Copies a database for a snapshot. The caller holds its write lock. On a file system that can share blocks between files, the
 * copy takes no space. Throws if there is not enough.
 */
export async function draftSnapshot(database: string, version: string | null): Promise<Draft> {
  const folder = await prepareFolder(dirname(database));
  const path = join(folder, nameFor(version, "upgrade"));
  const draft = `${path}${draftSuffix}`;
  const discard = () => {
    for (const file of [draft, path]) rmSync(file, { force: true });
  };
  try {
    if (!cloneFile(database, draft)) {
      refuseWithoutSpace(database, folder);
      await copySqlite(database, draft);
    }
    flushFile(draft);
  } catch (error) {
    discard();
    throw error;
  }
  return {
    path,
    async keep() {
      renameSync(draft, path);
      await syncDirectory(folder);
    },
    discard,
  };
}

/**
 * Puts a snapshot in the place of the database, which becomes a snapshot itself. Nothing may use the database, and it has no
 * log. At every moment there is one of the two in its place. Returns where the other one is now.
 */
export async function exchangeDatabase(database: string, snapshot: Snapshot, version: string | null): Promise<string> {
  const folder = await prepareFolder(dirname(database));
  const aside = join(folder, nameFor(version, "rollback"));
  linkOrCopy(database, aside);
  await syncDirectory(folder);
  renameSync(snapshot.path, database);
  for (const directory of [dirname(database), folder]) await syncDirectory(directory);
  return aside;
}

/** Removes all but the newest. */
export function removeSurplusSnapshots(databaseDir: string): void {
  for (const reason of ["upgrade", "rollback"]) {
    const surplus = listSnapshots(databaseDir).filter((one) => one.reason === reason);
    for (const { path } of surplus.slice(0, -keptCount)) rmSync(path, { force: true });
  }
}

export function removeOldSnapshots(databaseDir: string, now = Date.now()): void {
  for (const { path, takenAt } of listSnapshots(databaseDir))
    if (takenAt.getTime() < now - keptMs) rmSync(path, { force: true });
}

function nameFor(version: string | null, reason: Snapshot["reason"]): string {
  const time = new Date().toISOString().replaceAll(/[-:.]/g, "");
  return `${time}-version-${version ?? "unknown"}-before-${reason}.db`;
}

/** What a process that was killed has left is removed. */
async function prepareFolder(databaseDir: string): Promise<string> {
  const folder = folderOf(databaseDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await syncDirectory(databaseDir);
  for (const name of readNames(folder)) if (name.endsWith(draftSuffix)) rmSync(join(folder, name), { force: true });
  return folder;
}

/**
 * Returns false if the file system cannot, or if a part of the database is in its log. On Linux, another program does it: to
 * close the database here would take the locks from the connections that have it open (`lost-frames.ts`). macOS clones by path.
 */
function cloneFile(database: string, target: string): boolean {
  if (sizeOf(`${database}-wal`)) return false;
  try {
    if (process.platform !== "linux") {
      copyFileSync(database, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
      return true;
    }
    const { success } = Bun.spawnSync(["cp", "--reflink=always", "--", database, target], { stderr: "ignore" });
    if (success) return true;
  } catch {
    // There is no such program, or the file system refuses.
  }
  rmSync(target, { force: true });
  return false;
}

function refuseWithoutSpace(database: string, folder: string): void {
  const needed = (sizeOf(database) ?? 0) + (sizeOf(`${database}-wal`) ?? 0);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= needed) return;
  throw new DatabaseError(
    `The snapshot before the upgrade needs ${needed} bytes in ${folder}, and ${bavail * bsize} are free: make space (older snapshots are there), or upgrade without one by "vitrine migrate --no-snapshot". Nothing was changed.`,
  );
}

/** Some file systems have no links. */
function linkOrCopy(path: string, target: string): void {
  try {
    linkSync(path, target);
  } catch {
    const draft = `${target}${draftSuffix}`;
    copyFileSync(path, draft);
    flushFile(draft);
    renameSync(draft, target);
  }
}

function flushFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const readNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : []);

const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;
