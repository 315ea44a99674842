import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Lock, tryLock } from "../lock.ts";

export type SpoolDirectory = { path: string; release(): void };

/**
 * An empty directory below `root` for this process only: `root/1`, or the next number whose lock is free. Several
 * processes may share `root`. Directories that no process holds are emptied: their files were left by processes that
 * were killed.
 */
export async function openSpoolDirectory(root: string): Promise<SpoolDirectory> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let mine: { path: string; lock: Lock } | null = null;
  for (let number = 1; ; number++) {
    const path = join(root, String(number));
    if (mine && !existsSync(path)) return { path: mine.path, release: mine.lock.release };
    const lock = tryLock(`${path}.lock`);
    if (!lock) continue;
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { mode: 0o700 });
    if (mine) lock.release();
    else mine = { path, lock };
  }
}
