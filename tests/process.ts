import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildForBrowsers } from "./built.ts";
import { checkResponsesOf, stopChecking } from "./check-responses.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
/** `npm test` bundles the program once; a single test file uses the sources, and builds what browsers load. */
const main = process.env.TEST_PROGRAM ?? join(root, "src/main.ts");
if (!process.env.TEST_PROGRAM) buildForBrowsers();

export type Finished = { code: number; stdout: string; stderr: string };

/**
 * Starts the program as a separate process with its own environment; `program` may be another version, `before` a
 * wrapper.
 */
export function spawnVitrine(
  words: string[],
  env: Record<string, string>,
  // Not in the directory of this project, where a developer may keep a .env file.
  { program = main, before = [], cwd = tmpdir() }: { program?: string; before?: string[]; cwd?: string } = {},
) {
  // If a test fails before it has stopped its server, the server must not keep running.
  return Bun.spawn([...before, process.execPath, "--no-orphans", program, ...words], {
    env: { PATH: process.env.PATH ?? "", ...env },
    cwd,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs a command to its end. */
export async function runVitrine(
  words: string[],
  env: Record<string, string>,
  input = "",
  program = main,
): Promise<Finished> {
  const child = spawnVitrine(words, env, { program });
  void child.stdin.write(input);
  return finish(child);
}

/** Waits for the end; output that has been read before is not included. */
export async function finish(child: ReturnType<typeof spawnVitrine>): Promise<Finished> {
  void child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([readUntil(child.stdout), readUntil(child.stderr), child.exited]);
  return { code, stdout, stderr };
}

/** Runs a command as a user without these capabilities, because root could do everything. */
export function runWithout(capabilities: string[], words: string[], env: Record<string, string>): Promise<Finished> {
  return finish(spawnVitrine(words, env, { before: dropping(capabilities) }));
}

function dropping(capabilities: string[]): string[] {
  if (capabilities.length === 0 || process.getuid?.() !== 0) return [];
  return ["setpriv", `--bounding-set=${capabilities.map((name) => `-${name}`).join(",")}`];
}

export const readAnyFile = ["dac_override", "dac_read_search"];

/** A server as a separate process, ready for requests, and without these capabilities. */
export async function startVitrine(env: Record<string, string>, program = main, without: string[] = []) {
  const limits = {
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
    PAGE_RATE_LIMIT_BURST: "1000000",
    DRAIN_SECONDS: "0",
  };
  const child = spawnVitrine(
    ["serve"],
    { PORT: "0", LOG_LEVEL: "warn", ...limits, ...env },
    { program, before: dropping(without) },
  );
  const announced = await readUntil(child.stdout, "Data is in");
  const port = /:(\d+)\n/.exec(announced)?.[1];
  if (!port) throw new Error(`The server did not start: ${announced}${await readUntil(child.stderr)}`);
  const url = `http://127.0.0.1:${port}`;
  checkResponsesOf(url);
  void child.exited.then(() => stopChecking(url));
  const close = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url, announced, process: child, close, [Symbol.asyncDispose]: close };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * This program as another version, with further migrations: a copy of its sources in the directory. Returns its main
 * file.
 */
export function makeVersion(directory: string, version: string, migrations: Record<string, string>): string {
  cpSync(join(root, "src"), join(directory, "src"), { recursive: true });
  cpSync(join(root, "tsconfig.json"), join(directory, "tsconfig.json"));
  for (const name of ["node_modules", "build"]) symlinkSync(join(root, name), join(directory, name));
  const description = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...description, version }));
  for (const [name, text] of Object.entries(migrations)) {
    writeFileSync(join(directory, "src/platform/database/migrations", name), text);
  }
  return join(directory, "src/main.ts");
}

/** Reads until the word has arrived, or until the end. */
export async function readUntil(stream: ReadableStream<Uint8Array>, word?: string): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (word && text.includes(word)) break;
  }
  reader.releaseLock();
  return text;
}
