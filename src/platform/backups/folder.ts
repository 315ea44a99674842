import { linkSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { syncDirectory } from "../durable.ts";
import { describeAccess } from "../explain-failure.ts";
import { type Lock, tryLock } from "../lock.ts";
import { BackupError, type Place, type Purpose, type Stored } from "./place.ts";

const workPrefix = "unfinished-";

/** A folder, such as one on another disk. It is created if it is to be written. */
export function openFolder(path: string, purpose: Purpose): Place {
  const root = resolve(path);
  const place = (name: string) => join(root, name);
  const unflushed = new Set<string>();
  const workDirectory = prepare(root, purpose);

  return {
    name: root,
    workDirectory,

    async open(name) {
      const file = Bun.file(place(name));
      return (await file.exists()) ? file : null;
    },

    list: (prefix) => listBelow(root, prefix),

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
      unflushed.add(dirname(place(name)));
      return true;
    },

    async flush() {
      for (const directory of unflushed) await syncDirectory(directory);
      unflushed.clear();
      await syncDirectory(root);
    },

    remove: (name) => rm(place(name), { force: true }),

    async lock() {
      const lock = tryLock(place("lock"));
      if (!lock) throw new BackupError(`Another program is writing to the backups in ${root}: try again later.`);
      // What an earlier program has left that was killed.
      for (const name of readdirSync(root)) {
        if (name.startsWith(workPrefix) && place(name) !== workDirectory)
          await rm(place(name), { recursive: true, force: true });
      }
      return releaseOf(lock);
    },

    close: () => rm(workDirectory, { recursive: true, force: true }),
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

/** Returns the work directory. A folder that is only read may be write-protected. */
function prepare(root: string, purpose: Purpose): string {
  try {
    if (purpose === "create") mkdirSync(root, { recursive: true, mode: 0o700 });
    readdirSync(root);
    return mkdtempSync(purpose === "read" ? join(tmpdir(), "vitrine-backups-") : join(root, workPrefix));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new BackupError(`There is no folder ${root}.`);
    throw new BackupError(`The backups in ${root} cannot be used: ${describeAccess(error, root)}`);
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
