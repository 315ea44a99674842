import { statSync } from "node:fs";
import { join } from "node:path";
import { databaseName } from "./data-directory.ts";

type FileNumbers = { dev: number; ino: number };

/**
 * Recognises the files of a site that SQLite has locked, under whatever name: by a hard link, or where the directory is mounted a second
 * time. A process that opens and closes one of them in any other way loses these locks.
 */
export function findLockedFiles(directories: readonly string[]): (file: FileNumbers) => boolean {
  const names = [databaseName, `${databaseName}-shm`, "lock"];
  const paths = directories.flatMap((directory) => names.map((name) => join(directory, name)));
  const files = paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
  return ({ dev, ino }) => files.some((one) => one.dev === dev && one.ino === ino);
}
