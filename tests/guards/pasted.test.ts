import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../src/platform/version.ts";
import { isLong } from "../kit/long.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { freePort, readUntil } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";
import { until } from "../kit/until.ts";

/** In the order in which a newcomer reads them. */
const documents = ["README.md", "docs/start/first-steps.md", "docs/reference/api.md", "docs/reference/command-line.md"];

/**
 * Commands that need the network or a container engine, or that serve until they are stopped. tests/program/deploy.test.ts,
 * tests/program/install.test.ts and tests/program/executable.test.ts cover them.
 */
const notRun = [
  "git clone REPOSITORY vitrine && cd vitrine",
  `npm pack && npm install --global ./vitrine-${version}.tgz`,
  "vitrine serve --data ~/vitrine",
  "npm run executable",
  "release/vitrine-linux-arm64 serve --data ~/vitrine",
  "docker compose up --detach --build",
  "docker compose logs vitrine",
  "npx vitrine serve --port 9000 --data ~/vitrine",
];
/** In a clone that has the packages: npm ci needs the network. */
const startCommand = "npm ci && npm start";
const createAdmin = "npx vitrine user add ada --role admin";
const password = "correct horse battery";

type Step = { command: string; shown: string | null; needsStop: boolean };
type Shell = { directory: string; prelude: string };
type Result = { code: number; output: string };

const steps = documents.flatMap((path) => readSteps(readFileSync(join(root, path), "utf8")));
const commands = steps.map(({ command }) => command);
const scratch = useScratch();

test("the documents say how to start the server, what to do, and when to stop it", () => {
  expect(commands).toEqual(expect.arrayContaining([...notRun, startCommand, createAdmin]));
  expect(commands.filter((command) => /\bcurl /.test(command)).length).toBeGreaterThan(40);
  expect(commands.filter((command) => command.startsWith("npx ")).length).toBeGreaterThan(25);
  const afterStop = steps.filter(({ needsStop }) => needsStop).map(({ command }) => command.split(" ")[2]);
  expect([...new Set(afterStop)]).toEqual(["user", "rescue", "migrate", "rollback", "migrate-engine"]);
});

test("no command writes a copy of a site into the clone", () => {
  const directories = commands.flatMap(
    (command) => command.match(/(?<=--(?:to|to-dir|data|from) |rescue |export )\S+/g) ?? [],
  );
  expect(directories.length).toBeGreaterThan(8);
  expect(directories.filter((path) => !/^(~\/|--|sqlite$|disk$)/.test(path))).toEqual([]);
});

const ways = [
  { way: "after user add", setUp: null },
  { way: "after the set-up page, with samples and content for Only you", setUp: setUpByPage },
];

const withCurl = needs("curl", findProgram("curl") !== null);
(isLong ? withCurl.describe : describe.skip)("pasted into a new clone", () => {
  test.each(ways)("every command works, in order, and prints what the document shows: $way", async ({ way, setUp }) => {
    const directory = join(scratch, way.replaceAll(/\W+/g, "-"));
    const results = await pasteAll(directory, setUp);
    const run = steps.filter(({ command }) => !notRun.includes(command) && !(setUp && command === createAdmin));
    const failed = run.flatMap((step) => {
      const result = results.get(step);
      return result?.code === 0 ? [] : [{ command: step.command, ...result }];
    });
    expect(failed).toEqual([]);
    const shown = run.filter((step) => step.shown !== null);
    expect(shown.length).toBeGreaterThanOrEqual(4);
    for (const step of shown) expect(results.get(step)?.output).toMatch(toPattern(step.shown ?? ""));
  });
});

/**
 * The commands in the order of the document: the lines of each `sh` block that are no comments. A `text` or `json` block that
 * follows a command shows its output. The text of the section says whether the server has to be stopped.
 */
function readSteps(document: string): Step[] {
  const found: Step[] = [];
  let end = 0;
  let needsStop = false;
  const parts = /^```(\w+)\n([^]*?)^```$|^#+ .*$|stop (?:the|its) server first/gm;
  for (const { 0: part, 1: language, 2: text = "", index } of document.matchAll(parts)) {
    const last = found.at(-1);
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    if (language === undefined) needsStop = !part.startsWith("#");
    else if (language === "sh") found.push(...lines.map((command) => ({ command, shown: null, needsStop })));
    else if (last && /^\s*$/.test(document.slice(end, index))) last.shown = text;
    if (language !== undefined) end = index + part.length;
  }
  return found;
}

/** Starts the server in a new clone, runs the commands beside it, stops it, and runs those that need that. */
async function pasteAll(directory: string, setUp: typeof setUpByPage | null): Promise<Map<Step, Result>> {
  // npx takes five times as long as what it starts: once through it is enough.
  const shell: Shell = { directory, prelude: setUp ? 'npx() { node bin/"$@"; }' : "" };
  const clone = join(directory, "vitrine");
  copyRepository(clone);
  mkdirSync(join(directory, "home"));
  const port = await freePort();
  const results = new Map<Step, Result>();
  const rest = steps.filter(({ command }) => ![...notRun, startCommand].includes(command));
  const server = Bun.spawn(["bash", "-c", startCommand.replace("npm ci && ", "")], {
    cwd: clone,
    env: shellEnv(directory, { PORT: String(port), DRAIN_SECONDS: "0" }),
    stdout: "pipe",
    stderr: "pipe",
  });
  try {
    const output = (await readUntil(server.stdout, "--role admin\n")).replaceAll(String(port), "8080");
    for (const step of steps) if (step.command === startCommand) results.set(step, { code: 0, output });
    if (setUp) await setUp(`http://localhost:${port}`, /setup\?key=(\w+)/.exec(output)?.[1] ?? "");
    const beside = rest.filter(({ command, needsStop }) => !needsStop && !(setUp && command === createAdmin));
    await paste(shell, beside, port, results);
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
  await paste(
    shell,
    rest.filter(({ needsStop }) => needsStop),
    port,
    results,
  );
  return results;
}

/** What a browser sends with the answers that are chosen at first, and waits for the samples. */
async function setUpByPage(url: string, key: string): Promise<void> {
  const fields = { key, siteName: "Ada's pictures", username: "ada", password, signupRole: "closed" };
  const response = await fetch(`${url}/setup`, {
    method: "POST",
    headers: { Accept: "text/html", "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ ...fields, defaultVisibility: "private", content: "samples" }),
    redirect: "manual",
  });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/studio/"]);
  await until(
    async () => (await (await fetch(`${url}/api/v1/blog`)).json()) as unknown[],
    (posts) => posts.length >= 3,
  );
}

/** What a clone holds, with the packages that npm ci would install. */
function copyRepository(clone: string): void {
  const ignored = new Set([".git", "node_modules", "data", ".env", ".cache"]);
  cpSync(root, clone, { recursive: true, filter: (path) => !ignored.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
}

/** Runs the commands in one shell, at a pace below the rate limit. */
async function paste(
  { directory, prelude }: Shell,
  run: Step[],
  port: number,
  results: Map<Step, Result>,
): Promise<void> {
  const file = (index: number, kind: string) => join(directory, `${index}.${kind}`);
  const input = join(directory, "input");
  writeFileSync(input, `${password}\n`);
  const lines = [
    "set -o pipefail",
    prelude,
    'curl() { command curl --silent --show-error --fail-with-body "$@"; }',
    ...run.flatMap(({ command }, index) => {
      const pasted = command.replaceAll("8080", String(port));
      return [
        `{ ${pasted}\n} <${input} >${file(index, "output")} 2>&1; echo $? >${file(index, "code")}`,
        ...(/\bcurl /.test(command) ? ["sleep 0.1"] : []),
      ];
    }),
  ];
  const options = { cwd: join(directory, "vitrine"), env: shellEnv(directory, {}), stderr: "pipe" } as const;
  const bash = Bun.spawn(["bash", "-c", lines.join("\n")], options);
  expect(await readUntil(bash.stderr)).toBe("");
  for (const [index, step] of run.entries()) {
    const read = (kind: string) => readFileSync(file(index, kind), "utf8");
    results.set(step, { code: Number(read("code")), output: read("output") });
  }
}

function shellEnv(directory: string, env: Record<string, string>): Record<string, string> {
  const { PATH = "" } = process.env;
  return { PATH, HOME: join(directory, "home"), ...env };
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
