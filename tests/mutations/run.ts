/**
 * Breaks each guarantee of `list.ts` in a copy of the sources, and expects that the test which it names fails: `npm run
 * test:mutations`. Words after it select some of them: `npm run test:mutations -- flush`.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "../kit/root.ts";
import { mutations } from "./list.ts";
import { mutate, type Mutation, patternOf } from "./mutation.ts";

const timeoutMs = 180_000;
const words = process.argv.slice(2);
const chosen = mutations.filter(({ breaks, file }) => words.every((word) => `${breaks} ${file}`.includes(word)));
const copy = mkdtempSync(join(tmpdir(), "vitrine-mutations-"));
const outcomes: { breaks: string; outcome: string }[] = [];
const passed = new Map<string, boolean>();

try {
  copySources();
  for (const mutation of chosen) {
    const outcome = await examine(mutation);
    outcomes.push({ breaks: mutation.breaks, outcome });
    console.log(`${outcome.padEnd(8)}  ${mutation.breaks}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const caught = outcomes.filter(({ outcome }) => outcome === "caught").length;
console.log(`\n${caught} of ${chosen.length} broken guarantees were noticed.`);
process.exit(chosen.length > 0 && caught === chosen.length ? 0 : 1);

/** Nothing of it is linked but what npm has installed: a test may build or write beside the sources. */
function copySources(): void {
  const isCopied = (path: string) => !["node_modules", ".git"].includes(basename(path));
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || isCopied(path) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}

async function examine(mutation: Mutation): Promise<"caught" | "survived" | "stale" | "fails"> {
  const path = join(copy, mutation.file);
  const source = readFileSync(path, "utf8");
  let broken: string;
  try {
    broken = mutate(source, mutation);
  } catch (error) {
    console.error((error as Error).message);
    return "stale";
  }
  // A test that fails anyway notices nothing.
  const key = `${mutation.test} ${patternOf(mutation)}`;
  if (!passed.has(key)) passed.set(key, await passes(mutation));
  if (!passed.get(key)) return "fails";
  writeFileSync(path, broken);
  try {
    return (await passes(mutation)) ? "survived" : "caught";
  } finally {
    writeFileSync(path, source);
  }
}

async function passes(mutation: Mutation): Promise<boolean> {
  const { TEST_PROGRAM: _, TEST_OBSERVED: _observed, ...env } = process.env;
  const test = Bun.spawn(
    [process.execPath, "test", "--timeout", String(timeoutMs), "-t", patternOf(mutation), `./${mutation.test}`],
    { cwd: copy, env, stdout: "ignore", stderr: "pipe" },
  );
  const [report, code] = await Promise.all([new Response(test.stderr).text(), test.exited]);
  if (code === 0 && !/^ *[1-9]\d* pass$/m.test(report)) throw new Error(`No test ran for "${mutation.breaks}".`);
  return code === 0;
}
