import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildForBrowsers } from "./built.ts";
import { root } from "./root.ts";

/** `npm test` bundles the program once; a single test file uses the sources, and builds what browsers load. */
export const main = process.env.TEST_PROGRAM ?? join(root, "src/main.ts");
if (!process.env.TEST_PROGRAM) buildForBrowsers();

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

/** A server as a separate process, ready for requests, and without these capabilities. Its responses are not checked. */
export async function serve(env: Record<string, string>, program = main, without: string[] = []) {
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
  const close = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url, announced, process: child, close, [Symbol.asyncDispose]: close };
}

export function dropping(capabilities: string[]): string[] {
  if (capabilities.length === 0 || process.getuid?.() !== 0) return [];
  return ["setpriv", `--bounding-set=${capabilities.map((name) => `-${name}`).join(",")}`];
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
