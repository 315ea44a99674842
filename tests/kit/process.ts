import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ConfigError, readConfig } from "../../src/config.ts";
import { checkResponsesOf, stopChecking } from "./check-responses.ts";
import { root } from "./root.ts";
import { dropping, main, readUntil, serve, spawnVitrine } from "./spawn.ts";

export { readUntil, spawnVitrine };

export type Finished = { code: number; stdout: string; stderr: string };

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

/** What a command would say that begins with reading these variables: it prints the message of such an error, and ends with 1. */
export function refusedByConfig(env: Record<string, string>): { code: number; stderr: string } {
  try {
    readConfig(env);
    return { code: 0, stderr: "" };
  } catch (error) {
    return { code: error instanceof ConfigError ? 1 : 2, stderr: (error as Error).message };
  }
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

export const readAnyFile = ["dac_override", "dac_read_search"];

/** A server as a separate process, ready for requests, and without these capabilities. */
export async function startVitrine(...given: Parameters<typeof serve>) {
  const server = await serve(...given);
  checkResponsesOf(server.url);
  void server.process.exited.then(() => stopChecking(server.url));
  return server;
}

/** The blocks of a document for a shell, by the comment on their first line. Returns a function that runs some of them, together. */
export function scriptsOf(document: string) {
  const text = readFileSync(join(root, document), "utf8");
  const scripts = new Map(
    [...text.matchAll(/^```sh\n# (.*)\n([^]*?)^```/gm)].map(([, name = "", script = ""]) => [name, script]),
  );
  return async (names: string[], options: { env: Record<string, string>; cwd: string }) => {
    const script = names.map((name) => {
      const found = scripts.get(name);
      if (!found) throw new Error(`${document} has no commands "${name}".`);
      return found;
    });
    const words = ["bash", "-euo", "pipefail", "-c", script.join("")];
    const child = Bun.spawn(words, { ...options, stdout: "pipe", stderr: "pipe" });
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`"${names.join(", ")}" exited with ${code}: ${output}${errors}`);
    return output;
  };
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
  for (const name of ["src", "convert", "tsconfig.json"]) {
    cpSync(join(root, name), join(directory, name), { recursive: true });
  }
  for (const name of ["node_modules", "build"]) symlinkSync(join(root, name), join(directory, name));
  const description = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...description, version }));
  for (const [name, text] of Object.entries(migrations)) {
    writeFileSync(join(directory, "src/platform/database/migrations", name), text);
  }
  return join(directory, "src/main.ts");
}
