import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../src/platform/version.ts";
import { isLong } from "../kit/long.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { freePort, readUntil } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";

/** Commands that need the network or a container engine, or that are this test. tests/program/deploy.test.ts and tests/program/install.test.ts cover the first three. */
const notRun = [
  `npm install --global ./vitrine-${version}.tgz`,
  "vitrine serve --data ~/vitrine",
  "docker compose up --detach --build",
  "npm ci && npm test",
];
/** In a clone that has the packages: npm ci needs the network. */
const startCommand = "npm ci && npm start";
const firstAfterStop = "npx vitrine rescue ./rescued";

/**
 * npx takes five times as long as what it starts, which is always `bin/vitrine`. These cover what could differ: input, and
 * options that npx has, too. In long runs, all commands go through it.
 */
const throughNPX = new Set([
  "npx vitrine user add ada --role admin",
  "npx vitrine user remove bob --yes",
  "npx vitrine --help",
]);

type Step = { command: string; shown: string | null };
type Result = { code: number; output: string };

const steps = readSteps(readFileSync(join(root, "README.md"), "utf8"));
const results = new Map<Step, Result>();
const scratch = useScratch();
const clone = join(scratch, "vitrine");

test("the README says how to start the server, what to do, and when to stop it", () => {
  const commands = steps.map(({ command }) => command);
  expect(commands).toEqual(expect.arrayContaining([startCommand, firstAfterStop, ...notRun, ...throughNPX]));
  expect(commands.filter((command) => command.startsWith("curl ")).length).toBeGreaterThan(30);
});

const withCurl = needs("curl", findProgram("curl") !== null);
(isLong ? withCurl.describe : describe.skip)("pasted into a new clone", () => {
  beforeAll(async () => {
    copyRepository();
    const port = await freePort();
    const start = steps.findIndex(({ command }) => command === startCommand);
    const stop = steps.findIndex(({ command }) => command === firstAfterStop);
    const run = steps.map((step) => ({ ...step, command: step.command.replaceAll("8080", String(port)) }));
    const server = Bun.spawn(["bash", "-c", startCommand.replace("npm ci && ", "")], {
      cwd: clone,
      env: shellEnv({ PORT: String(port), DRAIN_SECONDS: "0" }),
      stdout: "pipe",
      stderr: "pipe",
    });
    try {
      const output = await readUntil(server.stdout, "--role admin\n");
      record(start, { code: 0, output: output.replaceAll(String(port), "8080") });
      await paste(run, start + 1, stop);
    } finally {
      server.kill("SIGTERM");
      await server.exited;
    }
    await paste(run, stop, steps.length);
  }, 480_000);

  test("every command of the README works, in order", () => {
    const failed = steps.flatMap((step) => {
      const result = results.get(step);
      return notRun.includes(step.command) || result?.code === 0 ? [] : [{ command: step.command, ...result }];
    });
    expect(failed).toEqual([]);
  });

  test("the commands print what the README shows", () => {
    const shown = steps.filter((step) => step.shown !== null);
    expect(shown.length).toBeGreaterThanOrEqual(4);
    for (const step of shown) expect(results.get(step)?.output).toMatch(toPattern(step.shown ?? ""));
  });
});

/**
 * The commands in the order of the document: the lines of each `sh` block, and the table cells that begin with curl or npx.
 * A `text` or `json` block that follows a command shows its output.
 */
function readSteps(document: string): Step[] {
  const found: Step[] = [];
  const parts = /^```(\w+)\n([^]*?)^```$|^\|.*\| *`((?:curl|npx) [^`]*)` *\|$/gm;
  let end = 0;
  for (const { 0: part, 1: language, 2: text = "", 3: cell, index } of document.matchAll(parts)) {
    const last = found.at(-1);
    if (cell) found.push({ command: cell, shown: null });
    else if (language === "sh")
      found.push(
        ...text
          .trim()
          .split("\n")
          .map((command) => ({ command, shown: null })),
      );
    else if (last && /^\s*$/.test(document.slice(end, index))) last.shown = text;
    end = index + part.length;
  }
  return found;
}

/** What a clone holds, with the packages that npm ci would install. */
function copyRepository(): void {
  const ignored = new Set([".git", "node_modules", "data", ".env", ".cache"]);
  cpSync(root, clone, { recursive: true, filter: (path) => !ignored.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
}

/** Runs the commands from `first` to before `last` in one shell, at a pace below the rate limit. */
async function paste(run: Step[], first: number, last: number): Promise<void> {
  const file = (index: number, kind: string) => join(scratch, `${index}.${kind}`);
  const input = join(scratch, "input");
  writeFileSync(input, "correct horse battery\n");
  const lines = ['curl() { command curl --silent --show-error --fail-with-body "$@"; }', 'npx() { node bin/"$@"; }'];
  for (let index = first; index < last; index++) {
    const { command } = run[index] as Step;
    if (notRun.includes(command)) continue;
    const used = (isLong && command.startsWith("npx ")) || throughNPX.has(command) ? `command ${command}` : command;
    lines.push(`{ ${used}\n} <${input} >${file(index, "output")} 2>&1; echo $? >${file(index, "code")}`);
    if (command.startsWith("curl ")) lines.push("sleep 0.1");
  }
  const shell = Bun.spawn(["bash", "-c", lines.join("\n")], { cwd: clone, env: shellEnv({}), stderr: "pipe" });
  expect(await readUntil(shell.stderr)).toBe("");
  for (let index = first; index < last; index++) {
    if (notRun.includes((run[index] as Step).command)) continue;
    const read = (kind: string) => readFileSync(file(index, kind), "utf8");
    record(index, { code: Number(read("code")), output: read("output") });
  }
}

function record(index: number, result: Result): void {
  results.set(steps[index] as Step, result);
}

function shellEnv(env: Record<string, string>): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, ...env };
}

/** `…` stands for anything, and white space for any white space or none. */
function toPattern(shown: string): RegExp {
  const parts = shown.trim().split(/\s*…\s*/);
  const escaped = parts.map((part) =>
    part
      .split(/\s+/)
      .map((word) => RegExp.escape(word))
      .join("\\s*"),
  );
  return new RegExp(escaped.join("[^]*?"));
}
