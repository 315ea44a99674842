import { afterAll, beforeAll } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A directory for what the tests of this file write, or those of the `describe` that calls this. It is created before their hooks,
 * and removed after them; where nothing runs, nothing is created.
 */
export function useScratch(): string {
  const path = join(realpathSync(tmpdir()), `vitrine-test-${randomUUID().slice(0, 13)}`);
  beforeAll(() => mkdirSync(path, { mode: 0o700 }));
  // Hooks run in the order in which they were added. This one comes last: what uses the directory has been closed.
  queueMicrotask(() => afterAll(() => rmSync(path, { recursive: true, force: true }), 180_000));
  return path;
}

/** A new directory in that of the tests. */
export const newDirectory = (scratch: string): string => mkdtempSync(join(scratch, "directory-"));
