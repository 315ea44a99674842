import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export type Finished = { code: number; stdout: string; stderr: string };

/** The program as its own process, with an environment of its own. */
export function spawnVitrine(words: string[], env: Record<string, string>) {
  // A test that fails before it has stopped its server must not leave it behind.
  return Bun.spawn([process.execPath, "--no-orphans", main, ...words], {
    env: { PATH: process.env.PATH ?? "", ...env },
    // Not here, where a developer may keep a .env file.
    cwd: tmpdir(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs a command to its end. */
export async function runVitrine(words: string[], env: Record<string, string>, input = ""): Promise<Finished> {
  const child = spawnVitrine(words, env);
  void child.stdin.write(input);
  return finish(child);
}

/** Waits for the end; what has been read of its output before is left out. */
export async function finish(child: ReturnType<typeof spawnVitrine>): Promise<Finished> {
  void child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([readUntil(child.stdout), readUntil(child.stderr), child.exited]);
  return { code, stdout, stderr };
}

/** A server as its own process, ready to answer. */
export async function startVitrine(env: Record<string, string>) {
  const child = spawnVitrine(["serve"], {
    PORT: "0",
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    ...env,
  });
  const announced = await readUntil(child.stderr, "user add");
  const port = /:(\d+)\n/.exec(announced)?.[1];
  if (!port) throw new Error(`The server did not start: ${announced}`);
  const close = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url: `http://127.0.0.1:${port}`, announced, process: child, close, [Symbol.asyncDispose]: close };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What comes until the word has come, or else until the end. */
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
