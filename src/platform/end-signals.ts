import { dlopen } from "bun:ffi";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

const hangup = constants.signals.SIGHUP;

/** The signals by which a program is asked to finish what it does. A terminal that is closed sends SIGHUP. */
export const endSignals = (): NodeJS.Signals[] => [
  "SIGTERM",
  "SIGINT",
  ...(isHangupIgnored() ? [] : ["SIGHUP" as const]),
];

/**
 * Whether this program was started with SIGHUP ignored, as `nohup` does: then it is not asked to end, and to listen would end
 * that. Bun keeps what it was started with. Node does not: through Node, nobody can tell.
 */
function isHangupIgnored(): boolean {
  try {
    if (process.platform === "linux") return (readIgnored() >> BigInt(hangup - 1)) % 2n === 1n;
    return process.platform === "darwin" && askSystem();
  } catch {
    return false;
  }
}

function readIgnored(): bigint {
  const [, mask = "0"] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
  return BigInt(`0x${mask}`);
}

/** To set what a signal does returns what it did before. 1 is to ignore it, and null its default. */
function askSystem(): boolean {
  const { symbols } = dlopen("libSystem.B.dylib", { signal: { args: ["i32", "ptr"], returns: "ptr" } });
  const ignore = 1 as Parameters<typeof symbols.signal>[1];
  const before = symbols.signal(hangup, ignore);
  if (before !== ignore) symbols.signal(hangup, before);
  return before === ignore;
}
