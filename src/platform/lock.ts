import { Database as Sqlite } from "bun:sqlite";

export type Lock = { release(): void };

/**
 * Locks a file until `release`, or returns null if another process holds the lock. It is SQLite's lock on an empty
 * database, so it ends with the process, however that ends. The file is not removed.
 */
export function tryLock(path: string): Lock | null {
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
