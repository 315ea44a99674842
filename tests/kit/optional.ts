import { describe, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { isLong, testLong } from "./long.ts";

/**
 * The directories in which tests look for programs: those of PATH, and those that Debian does not add to the path of everybody.
 * With TEST_BARE, only those of PATH (`npm run test:bare`).
 */
export const programPath = [process.env.PATH, ...listFurtherDirectories()].join(":");

function listFurtherDirectories(): string[] {
  if (process.env.TEST_BARE === "true") return [];
  const postgres = "/usr/lib/postgresql";
  const versions = existsSync(postgres) ? readdirSync(postgres).map(Number) : [];
  const newestFirst = versions.toSorted((one, other) => other - one);
  return ["/usr/local/sbin", "/usr/sbin", ...newestFirst.map((version) => `${postgres}/${version}/bin`)];
}

/** Where the first of these programs is that is installed; null if none is. */
export function findProgram(...names: string[]): string | null {
  return names.map((name) => Bun.which(name, { PATH: programPath })).find((path) => path !== null) ?? null;
}

/** The same, where a test does only one check less without it: for that, its file does not run again with every program hidden. */
export const findForCheck = (name: string): string | null => findProgram(name);

/** What `bin/test-servers` starts. `npm test` runs many tests on it again. */
export const serverNames = "PostgreSQL, S3 and Redis";

type Add<Body> = (name: string, body: Body, timeout?: number) => void;
type AddTest = Add<() => void | Promise<unknown>>;
type Adders = { test: AddTest; testLong: AddTest; describe: Add<() => void> };

/**
 * `test` and `describe` for what not every machine has. Where it is missing, they skip, and the end of `npm test` counts what they
 * have skipped (`tests/kit/skipped.ts` reads the names).
 */
export function needs(what: string, isThere: boolean): Adders {
  if (isThere) return { test, testLong, describe };
  const marked = (name: string) => `${name} [needs ${what}]`;
  return {
    test: (name, body) => test.skip(marked(name), body),
    testLong: (name, body) => test.skip(isLong ? marked(name) : name, body),
    describe: (name, body) => describe.skip(marked(name), body),
  };
}
