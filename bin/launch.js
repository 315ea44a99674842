// Node only starts Bun, which is installed as a plain platform package, so that no install script has to run.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";

/** Turns this process into Bun if Node can do that (from 22.15 on, not on Windows), so that Node uses no memory. */
export function become(args) {
  const runtime = findRuntime();
  if (process.platform !== "win32") process.execve?.(runtime, [runtime, ...args]);
  run(["--no-orphans", ...args]);
}

export function run(args) {
  const child = spawn(findRuntime(), args, { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) endWithParent(child);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** npm starts scripts through a shell that exits on a signal without forwarding it, so its exit is our signal. */
function endWithParent(child) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 200).unref();
}

export function findRuntime() {
  const { resolve } = createRequire(import.meta.url);
  const system = process.platform === "win32" ? "windows" : process.platform;
  const cpu = process.arch === "arm64" ? "aarch64" : process.arch;
  const file = process.platform === "win32" ? "bin/bun.exe" : "bin/bun";
  for (const libc of ["", "-musl"]) {
    try {
      return resolve(`@oven/bun-${system}-${cpu}${libc}/${file}`);
    } catch {
      // Not this package: npm installs only the one that matches the machine.
    }
  }
  console.error(`vitrine: the runtime for ${system}-${cpu} is not installed; run "npm ci" without --omit=optional.`);
  process.exit(1);
}
