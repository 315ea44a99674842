/**
 * Runs the checks and the tests: `bin/check` prepares what this needs. Without words it is the set of `npm test`; CONTRIBUTING.md
 * describes the others.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../kit/root.ts";
import { chooseChanged } from "./changed.ts";
import { checkSources } from "./check-sources.ts";
import { listTestFiles, type TestFile } from "./files.ts";
import { chooseHidden, hiddenEnv, needingTests } from "./hidden.ts";
import { endRemaining } from "./left-behind.ts";
import { type Measured, processorMs, readMeasured } from "./measured.ts";
import { openProgress, partOf } from "./progress.ts";
import { readResult } from "./reports.ts";
import { describeSkipped } from "./skipped.ts";

/** A file of `npm test` may not take more processor time, on the machine of `timings`. CONTRIBUTING.md asks for ten seconds. */
const maxProcessorMs = 15_000;
/** Files per call of `bun test` in a long run, which records after each what has passed. */
const filesPerCall = 24;
const timings = "tests/timings.json";

const places = ["embedded", "servers", "hidden"] as const;
/** Where the tests of a call run. */
type Place = (typeof places)[number];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    part: { type: "string" },
    continue: { type: "boolean", default: false },
    "update-timings": { type: "boolean", default: false },
  },
});
const isShort = !options.long && !options.changed && positionals.length === 0;
const hasServers = ["TEST_DATABASE_URL", "TEST_S3_URL", "TEST_REDIS_URL"].every((name) => process.env[name]);
const run = process.env.TEST_RUN_DIRECTORY ?? "";
const scratch = join(run, "scratch");
const failures: string[] = [];
const reports: Record<Place, string[]> = { embedded: [], servers: [], hidden: [] };
/** Of the tests that run now. */
const sessions = new Set<number>();
let calls = 0;
let passed = 0;

async function main(): Promise<void> {
  const started = performance.now();
  endOnSignals();
  for (const path of [scratch, ...places.map((place) => join(run, "measured", place))])
    mkdirSync(path, { recursive: true });
  const all = listTestFiles();
  const files = choose(all);
  const progress = openProgress(options.long, options.continue);
  // The checks of the sources take a fraction of the time of the tests, and run beside them.
  const sources = options.part && options.part[0] !== "1" ? Promise.resolve([]) : checkSources();
  const failed: { place: Place; path: string; name: string }[] = [];

  const runAt = async (place: Place) => {
    for (const { files: called, words } of callsAt(place, files)) {
      const chosen = called.filter(({ path }) => !progress.hasPassed(place, path));
      for (const some of options.long ? inParts(chosen) : [chosen]) {
        const wrong = await runTests(place, some, words);
        failed.push(...wrong);
        progress.record(
          place,
          some.map(({ path }) => path),
          wrong.map(({ path }) => path),
        );
      }
    }
  };
  const embedded = runAt("embedded");
  // The tests on servers mostly wait for them, and the last files of the embedded engines leave a core idle. A long run records one place
  // after the other.
  if (!isShort) await embedded;
  await Promise.all([embedded, runAt("servers").then(() => runAt("hidden"))]);
  failures.push(...(await sources));
  failures.push(
    ...failed.map(({ place, path, name }) => `${path}${place === "embedded" ? "" : ` (${place})`}: ${name}`),
  );
  failures.push(...(await repeatAlone(failed)));
  failures.push(...(await checkObserved()), ...(await listLeftBehind()));

  const measured = new Map(places.map((place) => [place, readMeasured(join(run, "measured", place))]));
  const onEmbedded = measured.get("embedded") ?? new Map<string, Measured>();
  if (options.long || options["update-timings"]) for (const [place, files] of measured) printTimes(place, files);
  if (options["update-timings"]) writeTimings(onEmbedded);
  if (isShort) failures.push(...listSlow(onEmbedded));
  const missing = isShort ? files.filter((file) => file.onServers === "always").length : 0;
  const skipped = describeSkipped(reports.embedded, reports.servers.length > 0 ? reports.servers : missing);
  if (skipped) console.log(skipped);
  printSum(files, all, started);
  if (failures.length > 0) {
    console.error(["", "Failed:", ...failures.map((line) => `  ${line}`)].join("\n"));
    process.exitCode = 1;
  }
}

function choose(all: TestFile[]): TestFile[] {
  const isNamed = ({ path }: TestFile) => positionals.some((word) => path.includes(word.replace(/^\.\//, "")));
  if (options.changed) return chooseChanged(all, positionals[0]);
  if (positionals.length > 0) return all.filter(isNamed);
  return options.long ? partOf(all, options.part, readTimings()) : all.filter(({ isLong }) => !isLong);
}

/**
 * Which of the files run at a place, and with which words. Those that are named or changed run on the embedded engines only, unless
 * TEST_ENGINE says otherwise.
 */
function callsAt(place: Place, files: TestFile[]): { files: TestFile[]; words?: string[] }[] {
  if (place === "embedded") return [{ files }];
  if (place === "hidden") {
    if (!isShort || process.env.TEST_BARE === "true") return [];
    const { whole, needing } = chooseHidden(files);
    return [{ files: whole }, { files: needing, words: ["-t", needingTests] }];
  }
  if (!hasServers || (!isShort && !options.long)) return [];
  return [{ files: files.filter(({ onServers }) => onServers === "always" || (options.long && onServers === "long")) }];
}

function inParts(files: TestFile[]): TestFile[][] {
  const count = Math.ceil(files.length / filesPerCall);
  return Array.from({ length: count }, (_, part) => files.filter((_, index) => index % count === part));
}

/** Runs the tests of these files, and returns those that failed. */
async function runTests(
  place: Place,
  files: TestFile[],
  more: string[] = [],
): Promise<{ place: Place; path: string; name: string }[]> {
  if (files.length === 0) return [];
  const report = join(run, `${place}-${calls++}.xml`);
  const words = [
    `--timeout=${options.long ? 1_800_000 : 180_000}`,
    "--parallel=4",
    "--no-isolate",
    "--only-failures",
    `--timings=${timings}`,
    ...more,
  ];
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      ...words,
      `--preload=${join(root, "tests/run/measure.ts")}`,
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...files.map(({ path }) => `./${path}`),
    ],
    { cwd: root, env: envOf(place), stdio: ["ignore", "inherit", "inherit"], detached: true },
  );
  sessions.add(child.pid);
  const code = await child.exited;
  sessions.delete(child.pid);
  const remaining = await endRemaining(child.pid, `TEST_SESSION=${join(run, place)}`);
  failures.push(...remaining.map((line) => `left behind: ${line}`));
  reports[place].push(report);
  const result = readResult(report);
  passed += result.passed;
  if (code !== 0 && result.failed.length === 0) {
    return [{ place, path: files[0]?.path ?? "", name: `the run of ${files.length} files ended with ${code}` }];
  }
  return result.failed.map((one) => ({ place, ...one }));
}

function envOf(place: Place): Record<string, string | undefined> {
  const own = {
    TEST_MEASURED: join(run, "measured", place),
    TMPDIR: scratch,
    TEST_LONG: String(options.long),
    TEST_SESSION: join(run, place),
    // The last level of the compiler costs a twentieth of the processor time, and tests are too short to win it back.
    ...(isShort && { BUN_JSC_useFTLJIT: "0" }),
  };
  if (place === "hidden") return hiddenEnv(run, own);
  return { ...process.env, ...own, ...(place === "servers" && { TEST_ENGINE: "scaled" }) };
}

/** Tests are a session of their own, in which what they leave running is found; so they do not get the signals of a terminal. */
function endOnSignals(): void {
  const end = (signal: NodeJS.Signals) => {
    for (const session of sessions) process.kill(-session, signal);
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
}

/** Whether what has failed fails again with nothing beside it. */
async function repeatAlone(failed: { place: Place; path: string }[]): Promise<string[]> {
  const lines: string[] = [];
  for (const key of new Set(failed.map(({ place, path }) => `${place} ${path}`))) {
    const [place, path] = key.split(" ") as [Place, string];
    const file = listTestFiles().find((one) => one.path === path);
    if (!file) continue;
    const again = await runTests(place, [file]);
    lines.push(`${path} alone: ${again.length > 0 ? "fails again" : "passes"}`);
  }
  return lines;
}

/** Compares the statements that the tests have sent with the code. */
async function checkObserved(): Promise<string[]> {
  const directory = process.env.TEST_OBSERVED;
  if (!directory || readdirSync(directory).length === 0) return [];
  const words = options.long && hasServers && !options.part ? ["--complete"] : [];
  const check = Bun.spawn([process.execPath, "tests/observed/check.ts", ...words, directory], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await check.exited) === 0 ? [] : ["the statements that the tests sent: see above"];
}

/** Tests remove what they have written. The browser of a process ends with it, and leaves its profile. */
async function listLeftBehind(): Promise<string[]> {
  const names = readdirSync(scratch).filter((name) => !name.startsWith("playwright"));
  return names.map((name) => `left behind: the temporary directory ${name}`);
}

function listSlow(measured: Map<string, Measured>): string[] {
  const slowness = slownessOf(measured);
  const slow = [...measured.values()].filter((file) => file.processorMs / slowness > maxProcessorMs);
  return slow.map(
    (file) =>
      `${file.path} took ${seconds(file.processorMs)} of processor time, more than ${seconds(maxProcessorMs * slowness)}: make it cheaper, or leave a part of it to npm run test:long`,
  );
}

/** How much longer files take than in `timings`, in the middle: processors are slower on other machines, and beside other work. */
function slownessOf(measured: Map<string, Measured>): number {
  const known = readTimings();
  const ratios = [...measured.values()].flatMap(({ path, processorMs: ms }) => {
    const before = known.get(path) ?? 0;
    return before >= 1000 ? [ms / before] : [];
  });
  return Math.max(1, ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1);
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function printTimes(place: Place, measured: Map<string, Measured>): void {
  const slowest = [...measured.values()].toSorted((a, b) => b.processorMs - a.processorMs);
  if (slowest.length > 0) console.log(`\nProcessor time and time of each file (${place}):`);
  for (const { path, processorMs, ms } of slowest)
    console.log(`${seconds(processorMs).padStart(9)} ${seconds(ms).padStart(9)}  ${path}`);
}

function readTimings(): Map<string, number> {
  return new Map(Object.entries(JSON.parse(readFileSync(join(root, timings), "utf8")).files as Record<string, number>));
}

/** What `bun test` needs to begin with the slowest files: milliseconds of processor time, in steps of a tenth of a second. */
function writeTimings(measured: Map<string, Measured>): void {
  const known = readTimings();
  for (const { path, processorMs } of measured.values())
    known.set(path, Math.max(100, Math.round(processorMs / 100) * 100));
  const present = new Set(listTestFiles().map(({ path }) => path));
  const kept = [...known].filter(([path]) => present.has(path));
  const files = Object.fromEntries(kept.toSorted(([a, one], [b, other]) => other - one || a.localeCompare(b)));
  writeFileSync(join(root, timings), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}

/** The last line: how many tests, how long, and what was left out. */
function printSum(files: TestFile[], all: TestFile[], started: number): void {
  const whole = (performance.now() - started) / 1000;
  const time = `${Math.floor(whole / 60)} min ${Math.round(whole % 60)} s`;
  const left = all.filter(({ isLong }) => isLong).length;
  const rest = isShort
    ? ` Left to npm run test:long: ${left} of ${all.length} files, and the rounds and rows that need more time.`
    : "";
  console.log(`${passed} passed, ${failures.length} failed`);
  console.log(`${files.length} files in ${time}, with ${Math.round(processorMs() / 1000)} s of processor time.${rest}`);
}

await main();
