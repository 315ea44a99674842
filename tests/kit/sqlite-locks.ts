import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Bytes that SQLite locks in a process that uses a site: of the database while it is open, of the index of its log, and of the file with
 * which the server locks the directory. A process loses these locks when it opens and closes the file in any other way. The next program
 * that opens the database then takes the server for one that has ended, and truncates the index under it.
 */
const lockedBytes = { "vitrine.db": 1_073_741_826, "vitrine.db-shm": 128, lock: 1_073_741_824 };

/**
 * Remembers the files of a site that a process has open. The result names those of which the process no longer has the lock, without
 * those that have been removed or replaced. Where the system does not tell of any lock, it names none.
 */
export function watchLocks(pid: number, dataDir: string): () => string[] {
  const inodeOf = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.ino;
  const files = Object.entries(lockedBytes).flatMap(([name, byte]) => {
    const inode = inodeOf(name);
    return inode === undefined ? [] : { name, inode, byte };
  });
  const doesTell = files.some(({ inode, byte }) => isLocked(pid, inode, byte));
  return () =>
    files
      .filter(({ name, inode, byte }) => doesTell && inodeOf(name) === inode && !isLocked(pid, inode, byte))
      .map(({ name }) => name);
}

function isLocked(pid: number, inode: number, byte: number): boolean {
  if (!existsSync("/proc/locks")) return false;
  const held = new RegExp(String.raw`POSIX +ADVISORY +\w+ ${pid} \w+:\w+:${inode} (\d+) (\d+)`, "g");
  return [...readFileSync("/proc/locks", "utf8").matchAll(held)].some(
    ([, first, last]) => Number(first) <= byte && byte <= Number(last),
  );
}
