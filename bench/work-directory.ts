import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export const cache = Bun.fileURLToPath(new URL(".cache", import.meta.url));

/**
 * A new directory for this run, removed when it ends. It is on the project's disk, because `/tmp` may be in memory,
 * where a flush costs nothing.
 */
export function makeWorkDirectory(): string {
  mkdirSync(cache, { recursive: true });
  removeLeftovers();
  const path = join(cache, `run-${process.pid}`);
  mkdirSync(path);
  process.on("exit", () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** Directories of runs that were killed before they could clean up. */
function removeLeftovers(): void {
  for (const name of readdirSync(cache)) {
    const pid = /^run-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
