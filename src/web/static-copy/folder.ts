import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { tryLock } from "../../platform/lock.ts";
import { manifestName } from "./manifest.ts";
import { CopyError, type Output } from "./output.ts";

const workName = ".vitrine-work";
/** What hosts want to find in a folder that they publish. */
const isOfHost = (name: string) => name.startsWith(".") || name === "CNAME";

/** A folder, which is created. One with other files than those of a copy is refused, because files that the site no longer has are removed. */
export async function openFolder(path: string): Promise<Output> {
  const root = resolve(path);
  const place = (file: string) => join(root, file);
  const workDirectory = place(workName);
  refuseOthers(root);
  await makeParent(workDirectory);
  await mkdir(workDirectory, { recursive: true });
  const lock = tryLock(join(workDirectory, "lock"));
  if (!lock) throw new CopyError(`Another program is writing to ${root}: try again later.`);
  // What a run has left that was killed.
  for (const name of await readdir(workDirectory))
    if (!name.startsWith("lock")) await rm(join(workDirectory, name), { recursive: true, force: true });

  return {
    name: root,
    workDirectory,

    open: async (file) => (existsSync(place(file)) ? createReadStream(place(file)) : null),

    async put(file, made) {
      await makeParent(place(file));
      await chmod(made.path, 0o644);
      await rename(made.path, place(file)).catch(async (error: NodeJS.ErrnoException) => {
        // A folder of the earlier copy is where a file is now.
        if (error.code !== "EISDIR" && error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
        await rm(place(file), { recursive: true });
        await rename(made.path, place(file));
      });
    },

    has: (file, size) => statSync(place(file), { throwIfNoEntry: false })?.size === size,

    async remove(file) {
      await rm(place(file), { force: true }).catch((error: NodeJS.ErrnoException) => {
        // It is a folder of this copy now.
        if (error.code !== "EISDIR" && error.code !== "ERR_FS_EISDIR") throw error;
      });
      await removeEmpty(dirname(place(file)), root);
    },

    async close() {
      lock.release();
      await rm(workDirectory, { recursive: true, force: true });
    },
  };
}

/** Whatever the umask is, web servers of other users can read the copy. */
async function makeParent(path: string): Promise<void> {
  const parent = dirname(path);
  const first = await mkdir(parent, { recursive: true });
  if (first === undefined) return;
  for (let made = parent; made.length >= first.length; made = dirname(made)) await chmod(made, 0o755);
}

function refuseOthers(root: string): void {
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) throw new CopyError(`${root} is not a folder.`);
  const names = readdirSync(root);
  if (names.includes(manifestName) || names.includes(workName) || names.every(isOfHost)) return;
  throw new CopyError(`${root} has other files: choose a new or empty folder, or one with a copy of this site.`);
}

async function removeEmpty(directory: string, root: string): Promise<void> {
  for (let path = directory; path.length > root.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
  }
}
