import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";
import type { TestFile } from "./files.ts";
import { readImports, reachedFrom } from "./imports.ts";

/**
 * What runs with every optional program hidden. `needs` only decides which tests are skipped: of files that do no more with a program,
 * it is tried that they load and that what needs it is skipped, for their other tests are the same. Those that use a program in another
 * way, or one that the server looks for, too, run whole.
 */
export function chooseHidden(files: TestFile[]): { whole: TestFile[]; needing: TestFile[] } {
  const texts = new Map<string, string>();
  const imports = readImports();
  for (const path of imports.keys()) if (/^tests\/|\.test\.ts$/.test(path)) texts.set(path, read(path));
  const asking = [...texts].filter(([path, text]) => path !== optional && asks.test(text)).map(([path]) => path);
  const reached = reachedFrom(imports, asking, () => false);
  const chosen = files.filter(({ path }) => reached.has(path));
  const isWhole = ({ path }: TestFile) => usesOtherwise(texts.get(path) ?? "");
  return { whole: chosen.filter(isWhole), needing: chosen.filter((file) => !isWhole(file)) };
}

const optional = "tests/kit/optional.ts";
const asks = /\bfindProgram\(/;
/** Of these tests `needs` has said what is missing. */
export const needingTests = "\\[needs ";

const read = (path: string) => readFileSync(join(root, path), "utf8");

function usesOtherwise(text: string): boolean {
  const inNeeds = text.match(/\bneeds\([^;{]*?findProgram\([^)]*\)/g)?.length ?? 0;
  const all = text.match(/\bfindProgram\(/g)?.length ?? 0;
  return all > inNeeds || /\bfindProgram\("ffmpeg"\)/.test(text);
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
