import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSpoolDirectory } from "../blobs/spool-directory.ts";
import { makeDirectory } from "../durable.ts";
import { type Lock, tryLock } from "../lock.ts";

/** A directory of this process, for files that must not be read by others. What programs that were killed have left is removed. */
export type WorkDirectory = { path: string; close(): Promise<void> };

/** Below a directory of the site. */
export async function openWorkIn(root: string): Promise<WorkDirectory> {
  const { path, release } = await openSpoolDirectory(root);
  return workDirectory(path, { release });
}

/** In a directory that may become that of a site. Whatever else was not put there, is not left there. */
export async function openRestoringWork(directory: string): Promise<WorkDirectory> {
  const spool = join(directory, "spool");
  const [hasDirectory, hasSpool] = [directory, spool].map((path) => existsSync(path));
  await makeDirectory(directory);
  const work = await openWorkIn(spool);
  return {
    ...work,
    async close() {
      await work.close();
      if (!hasSpool) await rm(spool, { recursive: true, force: true });
      if (!hasDirectory && readdirSync(directory).length === 0) await rmdir(directory);
    },
  };
}

const prefix = join(tmpdir(), "vitrine-backups-");

/** Where there may be no site. */
export async function openTemporaryWork(): Promise<WorkDirectory> {
  removeAbandoned();
  const path = mkdtempSync(prefix);
  const lock = tryLock(join(path, "lock"));
  // Another process has taken it for abandoned.
  return lock ? workDirectory(path, lock) : openTemporaryWork();
}

const workDirectory = (path: string, lock: Lock): WorkDirectory => ({
  path,
  async close() {
    await rm(path, { recursive: true, force: true });
    lock.release();
  },
});

function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    // One without a lock is being created.
    if (!path.startsWith(prefix) || !existsSync(join(path, "lock"))) continue;
    if (statSync(path).uid !== process.getuid?.()) continue;
    const lock = tryLock(join(path, "lock"));
    if (lock) rmSync(path, { recursive: true, force: true });
    lock?.release();
  }
}
