import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5000;
const running = new Set<ChildProcess>();

/** However the bench ends, no process that it started keeps running. */
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const [name, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.on(name, () => process.exit(128 + number));
}

/** A command that runs a script on this runtime; it ends by itself if this process is killed. */
export function bun(script: URL, ...words: string[]): string[] {
  return [process.execPath, "--no-orphans", Bun.fileURLToPath(script), ...words];
}

type Environment = Record<string, string>;

/** With a separate environment: variables of this shell must not change the results. */
export function start([program = "", ...words]: string[], stdio: StdioOptions, env: Environment = {}): ChildProcess {
  const { PATH, HOME } = process.env;
  const child = spawn(program, words, { stdio, serialization: "advanced", env: { PATH, HOME, ...env } });
  running.add(child);
  // A program that is not there has an error, and no exit.
  for (const end of ["exit", "error"]) child.on(end, () => running.delete(child));
  return child;
}

const listening = /http:\/\/[\w.]+:(\d+)\n/;

/** The port of a Vitrine that was started with a pipe for what it prints. `what` names it in the error. */
export async function readPort(child: ChildProcess, what: string): Promise<string> {
  const heard = Promise.withResolvers<string>();
  let said = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    said += bytes.toString();
    const port = listening.exec(said)?.[1];
    if (port) heard.resolve(port);
  });
  child.on("exit", () => heard.reject(new Error(`${what} ended:\n${said}`)));
  return heard.promise;
}

export type Announcement = { on: "stdout" | "stderr"; pattern: RegExp };

/** `printed` is what the pattern captured. */
export type Started = { printed: string; pid: number };

/** Starts a server and waits until it prints where it listens. */
export async function startServer(
  command: string[],
  { on, pattern }: Announcement,
  env: Environment = {},
): Promise<Started> {
  const child = start(command, on === "stdout" ? ["ignore", "pipe", "ignore"] : ["ignore", "ignore", "pipe"], env);
  const heard = Promise.withResolvers<string>();
  let said = "";
  child[on]?.on("data", (bytes: Buffer) => {
    // Keep reading, or a full pipe would block the server.
    said = (said + bytes.toString()).slice(-10_000);
    const found = pattern.exec(said)?.[1];
    if (found !== undefined) heard.resolve(found);
  });
  const fail = (what: string) => () => heard.reject(new Error(`${command.join(" ")} ${what}:\n${said}`));
  child.on("error", fail("cannot be started"));
  child.on("exit", fail("ended"));
  const late = setTimeout(fail("did not start in time"), startTimeoutMs);
  const printed = await heard.promise.finally(() => clearTimeout(late));
  return { printed, pid: child.pid ?? 0 };
}

const commandTimeoutMs = 300_000;

/** Runs a command to its end and returns its output; throws with its last line if it fails. */
export async function runCommand(command: string[], env: Environment = {}): Promise<string> {
  const child = start(command, ["ignore", "pipe", "pipe"], env);
  let output = "";
  let errors = "";
  child.stdout?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr?.on("data", (bytes: Buffer) => (errors += bytes.toString()));
  const late = setTimeout(() => child.kill(), commandTimeoutMs);
  const ended = once(child, "close").finally(() => clearTimeout(late));
  const [code, signal] = (await ended) as [number | null, string | null];
  if (signal) throw new Error(`${command.join(" ")} took too long`);
  if (code !== 0) throw new Error(lastLine(errors || output) ?? `${command[0]} failed`);
  return output;
}

/** Except where npm has written its log. */
function lastLine(text: string): string | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "" && !/A complete log|_logs|^npm error$/.test(line));
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop));
}

/** Memory of a process in MiB, with what it shares with others; NaN where there is no /proc. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

const hasProc = existsSync("/proc/self/stat");

/** Over a process and those that it has started; NaN where there is no /proc. */
export function sumOver(pid: number, measure: (pid: number) => number): number {
  if (!hasProc) return Number.NaN;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return measure(pid) + children.reduce((sum, child) => sum + sumOver(Number(child), measure), 0);
  } catch {
    // It has ended in the meantime.
    return 0;
  }
}

/** Processor time in milliseconds of processes and those that they have started; NaN where there is no /proc. */
export function processorTimeOf(...pids: number[]): number {
  return pids.reduce((sum, pid) => sum + sumOver(pid, readTicks) * 10, 0);
}

/**
 * Linux counts the processor time of a whole process in hundredths of a second: with its ended threads, and with the
 * processes that it had started and that have ended.
 */
function readTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** Waits until a server that was just started has done what it does after a start, at most for a minute. */
export async function waitUntilQuiet(pid: number): Promise<void> {
  for (let second = 0; second < 60; second++) {
    const before = processorTimeOf(pid);
    await Bun.sleep(1000);
    if (!(processorTimeOf(pid) - before > 50)) return;
  }
}

const settleStepMs = 60;
const maxSettleMs = 3000;

/** Waits until servers use no more processor time, at most for some seconds, and returns how much they have used. */
export async function settle(...pids: number[]): Promise<number> {
  let used = processorTimeOf(...pids);
  for (let waited = 0; waited < maxSettleMs; waited += settleStepMs) {
    await Bun.sleep(settleStepMs);
    const now = processorTimeOf(...pids);
    if (!(now > used)) return now;
    used = now;
  }
  return used;
}

/** Stops a server that was started here. */
export async function stopServer(pid: number): Promise<void> {
  await Promise.all([...running].filter((child) => child.pid === pid).map(stop));
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  child.kill("SIGTERM");
  await once(child, "exit");
  clearTimeout(late);
}
