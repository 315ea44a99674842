import { afterAll, beforeAll } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, needs } from "../optional.ts";
import { useScratch } from "../scratch.ts";

const mountProgram = process.platform === "linux" ? findProgram("mount") : null;
export const { test: testOnSmallDisk, describe: describeOnSmallDisk } = needs(
  "mount points (root on Linux)",
  canMount(),
);

/** A small file system in memory, which is mounted while the tests run. */
export function useSmallDisk(mebibytes: number): string {
  // The directory, which is added later, is removed later.
  queueMicrotask(() => afterAll(() => unmount(path)));
  const path = useScratch();
  beforeAll(() => {
    if (!mount(path, mebibytes)) throw new Error(`No small disk could be mounted on ${path}.`);
  });
  return path;
}

/** Not even root can in most containers. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const path = mkdtempSync(join(tmpdir(), "vitrine-small-disk-"));
  const isMounted = mount(path, 1);
  if (isMounted) unmount(path);
  rmdirSync(path);
  return isMounted;
}

function mount(path: string, mebibytes: number): boolean {
  const options = `size=${mebibytes}m,mode=700`;
  return (
    mountProgram !== null && Bun.spawnSync([mountProgram, "-t", "tmpfs", "-o", options, "vitrine-test", path]).success
  );
}

/** Lazily, because a database is closed for good only when its statements were collected. */
function unmount(path: string): void {
  Bun.spawnSync(["umount", "--lazy", path]);
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
