/**
 * Runs each test file alone, and then its tests one at a time: `npm run test:alone`. Of a file with more than `maxTests`, it takes some at
 * random. A test that needs another one, or another file, fails here. Words choose files by their paths, `--seed` repeats the same choice,
 * and `--every 4` takes each fourth file. Those that run only with TEST_LONG are left out unless it is set.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isLong } from "../kit/long.ts";
import { root } from "../kit/root.ts";
import { listTestFiles } from "./files.ts";
import { readResult } from "./reports.ts";

const maxTests = 12;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: String(Date.now() % 100_000) }, every: { type: "string", default: "1" } },
});
const seed = Number(options.seed);
const files = listTestFiles()
  .filter((file) => isLong || !file.isLong)
  .filter(({ path }) => positionals.length === 0 || positionals.some((word) => path.includes(word)))
  .filter((_, index) => (index + seed) % Number(options.every) === 0);
const scratch = mkdtempSync(join(tmpdir(), "vitrine-alone-"));
const failed: string[] = [];
let runs = 0;

console.log(`${files.length} files, with --seed ${seed}`);
try {
  for (const { path } of files) await tryFile(path);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${runs} runs, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function tryFile(path: string): Promise<void> {
  const whole = await run(path);
  if (whole.code !== 0) note(`${path} fails alone`);
  const names = [...new Set(whole.names)];
  for (const name of choose(names)) {
    const { code } = await run(path, name);
    if (code !== 0) note(`${path}: "${name}" fails alone`);
  }
}

function note(line: string): void {
  failed.push(line);
  console.log(line);
}

/** Some of the names, which depend on the seed alone. */
function choose(names: readonly string[]): readonly string[] {
  if (names.length <= maxTests) return names;
  const rank = (name: string) => Bun.hash(name, seed);
  return names.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, maxTests);
}

async function run(path: string, name?: string): Promise<{ code: number; names: string[] }> {
  const report = join(scratch, `${runs++}.xml`);
  const only = name === undefined ? [] : ["-t", `^ ?${RegExp.escape(name)}$`];
  const { TEST_OBSERVED: _, ...env } = process.env;
  const test = Bun.spawn(
    [
      process.execPath,
      "test",
      "--timeout",
      "180000",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...only,
      `./${path}`,
    ],
    { cwd: root, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  const code = await test.exited;
  const { names, passed } = readResult(report);
  // A pattern that matches nothing is a fault of this file.
  if (only.length > 0 && passed === 0 && code === 0) note(`${path}: "${name}" was not found`);
  return { code, names };
}
