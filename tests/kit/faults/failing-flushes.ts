/** Calls of fsync that fail with EIO in a running program (`strace`), and what the program flushed meanwhile. */
import { existsSync, readFileSync } from "node:fs";
import { findProgram, needs } from "../optional.ts";
import { readUntil } from "../spawn.ts";

export const strace = process.platform === "linux" ? findProgram("strace") : null;
export const withStrace = needs("strace that may trace", strace !== null && mayTrace());
export const describeWithFailingFlushes = withStrace.describe;

/** The words before a command whose call of fsync with this number fails, in each of its threads. */
export const failingFlush = (log: string, when: string): string[] => [String(strace), ...optionsFor(log, when)];

/** From now on, the calls with these numbers fail in each thread of the process. */
export async function failFlushes(pid: number, log: string, when: string) {
  const tracer = Bun.spawn([...failingFlush(log, when), "-p", String(pid)], { stderr: "pipe" });
  await readUntil(tracer.stderr, "attached");
  return {
    async end(): Promise<void> {
      tracer.kill("SIGINT");
      await tracer.exited;
    },
  };
}

/** The flushes of files whose path begins in this way, in their order. */
export function flushesIn(log: string, place: string): { path: string; isFailed: boolean }[] {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const flushes = [...text.matchAll(/fsync\(\d+<([^>]*)>\) *= (-1 EIO|0)/g)];
  return flushes
    .map(([, path = "", result]) => ({ path, isFailed: result !== "0" }))
    .filter(({ path }) => path.startsWith(place));
}

const optionsFor = (log: string, when: string) => [
  "-f",
  "-y",
  "-o",
  log,
  "-e",
  "trace=fsync",
  "-e",
  `inject=fsync:error=EIO:when=${when}`,
];

/** Systems can forbid it to all but root. */
function mayTrace(): boolean {
  const traced = Bun.spawn(["sleep", "1"]);
  return Bun.spawnSync([String(strace), "-o", "/dev/null", "-p", String(traced.pid)]).success;
}
