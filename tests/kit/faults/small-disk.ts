import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs } from "../optional.ts";

/** A small file system in memory; null where it cannot be mounted. `removeSmallDisk` removes it. */
export function mountSmallDisk(mebibytes: number): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const path = mkdtempSync(join(tmpdir(), "vitrine-small-disk-"));
  const options = `size=${mebibytes}m,mode=700`;
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "vitrine-test", path]).success) return path;
  rmdirSync(path);
  return null;
}

export const onSmallDisk = (disk: string | null) => needs("mount points (root on Linux)", disk !== null);

export function removeSmallDisk(path: string): void {
  // Lazily, because a database is closed for good only when its statements were collected.
  Bun.spawnSync(["umount", "--lazy", path]);
  rmdirSync(path);
}

/** Another program takes all that is left, to the last byte. */
export function takeTheRest(path: string): void {
  const file = openSync(join(path, "another-program"), "w");
  try {
    for (;;) writeSync(file, crypto.getRandomValues(new Uint8Array(4096)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
