import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export type Finished = { code: number; stdout: string; stderr: string };

/** The program as its own process, with an environment of its own. */
export function spawnVitrine(words: string[], env: Record<string, string>) {
  return Bun.spawn([process.execPath, main, ...words], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs a command to its end. */
export async function runVitrine(words: string[], env: Record<string, string>, input = ""): Promise<Finished> {
  const child = spawnVitrine(words, env);
  void child.stdin.write(input);
  void child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
