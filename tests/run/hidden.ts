import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";
import type { TestFile } from "./files.ts";
import { readImports, reachedFrom } from "./imports.ts";

/** The files that ask what is installed. Those that only ask which engines there are do not. */
export function differsWhenHidden(files: TestFile[]): TestFile[] {
  const asking = reachedFrom(readImports(), ["tests/kit/optional.ts"], (path) => path === "tests/kit/engine.ts");
  return files.filter(({ path }) => asking.has(path));
}

/** As `npm run test:bare` sets it: nothing optional is found, and the home directory is empty. */
export function hiddenEnv(run: string, own: Record<string, string>): Record<string, string | undefined> {
  const directory = join(run, "hidden");
  mkdirSync(directory, { recursive: true });
  const made = Bun.spawnSync([join(root, "bin/hide-programs"), directory], { stderr: "inherit" });
  if (made.exitCode !== 0) throw new Error("The directory of links to programs could not be made.");
  const { TEST_PROGRAM, TEST_OBSERVED, BUN_JSC_useTailCalls } = process.env;
  return {
    ...own,
    TEST_PROGRAM,
    TEST_OBSERVED,
    BUN_JSC_useTailCalls,
    TEST_BARE: "true",
    PATH: join(directory, "bin"),
    HOME: join(directory, "home"),
    FONTCONFIG_FILE: join(directory, "fonts.conf"),
  };
}
