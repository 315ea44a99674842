import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeDirectory, syncDirectory } from "../durable.ts";
import { describeAccess } from "../explain-failure.ts";
import { type Lock, tryLock } from "../lock.ts";
import { makeFile } from "./made.ts";
import { BackupError, type Place, type Purpose, type Stored, UnreadableError } from "./place.ts";
import { explainFailures } from "./reading.ts";
import type { WorkDirectory } from "./work-directory.ts";

const draftsPrefix = "unfinished-";

/** A folder, such as one on another disk. It is created if it is to be written. */
export async function openFolder(
  path: string,
  purpose: Purpose,
  openWork: () => Promise<WorkDirectory>,
): Promise<Place> {
  const root = resolve(path);
  const place = (name: string) => join(root, name);
  const drafts = await prepare(root, purpose);
  const work = await openWork();

  return {
    name: root,
    workDirectory: work.path,

    async open(name) {
      const file = Bun.file(place(name));
      return (await file.exists()) ? explainFailures(file.stream(), root) : null;
    },

    list: (prefix) => listBelow(root, prefix),

    make: (bytes) => makeFile(drafts ?? work.path, bytes, root),

    async add(name, file) {
      await makeParent(name);
      await rename(file.path, place(name));
      await syncDirectory(dirname(place(name)));
    },

    link(name, source) {
      mkdirSync(dirname(place(name)), { recursive: true });
      try {
        linkSync(source, place(name));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // Another disk, a file system without links, too many of them, or a file of another user.
        if (code === "ENOENT" || code === "EEXIST") throw error;
        return false;
      }
      return true;
    },

    async flush() {
      for (const directory of foldersOf(root)) await syncDirectory(directory);
    },

    remove: (name) => rm(place(name), { force: true }),

    async removeEmptyFolders() {
      for (const directory of foldersOf(root))
        if (directory !== root && readdirSync(directory).length === 0) await rmdir(directory);
    },

    async rename(name, other) {
      await makeParent(other);
      await rename(place(name), place(other));
      for (const one of [name, other]) await syncDirectory(dirname(place(one)));
    },

    async lock() {
      const lock = tryLock(place("lock"));
      if (!lock) throw new BackupError(`Another program is writing to the backups in ${root}: try again later.`);
      // What an earlier program has left that was killed.
      for (const name of readdirSync(root)) {
        if (name.startsWith(draftsPrefix) && place(name) !== drafts)
          await rm(place(name), { recursive: true, force: true });
      }
      return releaseOf(lock);
    },

    async close() {
      if (drafts) await rm(drafts, { recursive: true, force: true });
      await work.close();
    },
  };

  async function makeParent(name: string): Promise<void> {
    const parent = dirname(place(name));
    if (await mkdir(parent, { recursive: true })) {
      for (let path = dirname(parent); path.length >= root.length; path = dirname(path)) await syncDirectory(path);
    }
  }
}

const releaseOf = (lock: Lock): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => lock.release(),
});

/** Those with the files of backups, each before the one that it is in. */
function foldersOf(root: string): string[] {
  const below = (path: string) =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(path, entry.name)] : [],
    );
  const folders = ["blobs", "snapshots"].map((name) => join(root, name)).filter((path) => existsSync(path));
  return [...folders.flatMap(below), ...folders, root];
}

/** Returns a directory for files without a name; null for a folder that is only read, which may be write-protected. */
async function prepare(root: string, purpose: Purpose): Promise<string | null> {
  try {
    if (purpose === "create") await makeDirectory(root);
    readdirSync(root);
    return purpose === "read" || purpose === "restore" ? null : mkdtempSync(join(root, draftsPrefix));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new UnreadableError(`There is no folder ${root}.`);
    throw new UnreadableError(`The backups in ${root} cannot be used: ${describeAccess(error, root)}`);
  }
}

async function* listBelow(root: string, prefix: string): AsyncGenerator<Stored> {
  const folder = prefix.replace(/\/$/, "");
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listBelow(root, name);
    else if (entry.isFile()) yield { name, size: (await stat(join(root, name))).size };
  }
}
