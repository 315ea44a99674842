import { Database as Sqlite } from "bun:sqlite";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";

export type Lock = { release(): void };

/** The file system has no locks, or none left. SQLite says that the file is locked then. */
export class NoLocksError extends Error {}

/**
 * Locks a file until `release`, or returns null if another process holds the lock. It is SQLite's lock on an empty
 * database, so it ends with the process, however that ends. The file is not removed.
 */
export function tryLock(path: string): Lock | null {
  const lock = lockFile(path);
  if (!lock && !canLock(dirname(path))) throw new NoLocksError("No file can be locked there");
  return lock;
}

/** Nobody else can hold the lock on a new file. */
function canLock(directory: string): boolean {
  const path = join(directory, `.lock-${crypto.randomUUID()}`);
  try {
    const lock = lockFile(path);
    lock?.release();
    return lock !== null;
  } finally {
    rmSync(path, { force: true });
  }
}

function lockFile(path: string): Lock | null {
  const lock = new Sqlite(path, { create: true });
  try {
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
}
