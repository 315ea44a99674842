import { Database as Sqlite } from "bun:sqlite";

export type Lock = { release(): void };

/**
 * Locks a file until `release`, or returns null when another holds it. The lock is SQLite's own on an empty database, so
 * that it ends with the process, however that ends. The file stays.
 */
export function tryLock(path: string): Lock | null {
  const lock = new Sqlite(path, { create: true });
  try {
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch {
    lock.close();
    return null;
  }
}
