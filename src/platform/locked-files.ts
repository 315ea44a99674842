import { statSync } from "node:fs";
import { join } from "node:path";

type FileNumbers = { dev: number; ino: number };

/**
 * Recognises the files of a site that SQLite has locked, under whatever name: by a hard link, or where the directory is mounted a second
 * time. A process that opens and closes one of them in any other way loses these locks.
 */
export function findLockedFiles(dataDir: string): (file: FileNumbers) => boolean {
  const files = ["vitrine.db", "vitrine.db-shm", "lock"].flatMap(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false }) ?? [],
  );
  return ({ dev, ino }) => files.some((one) => one.dev === dev && one.ino === ino);
}
