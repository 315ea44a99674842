import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Measured = { path: string; processorMs: number; ms: number };

/** What a processor has spent on this process and on its children that have ended. Elsewhere than on Linux, only on itself. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

/** Linux counts in hundredths of a second, whatever the machine. */
const msPerTick = 10;

function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  // The name of the program, which may have spaces, is in brackets.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}

/** What the files have taken, those of several rounds together. */
export function readMeasured(directory: string): Map<string, Measured> {
  const all = new Map<string, Measured>();
  for (const name of readdirSync(directory)) {
    for (const line of readFileSync(join(directory, name), "utf8").split("\n").filter(Boolean)) {
      const measured = JSON.parse(line) as Measured;
      const before = all.get(measured.path);
      const sum = before && {
        path: measured.path,
        processorMs: before.processorMs + measured.processorMs,
        ms: before.ms + measured.ms,
      };
      all.set(measured.path, sum ?? measured);
    }
  }
  return all;
}
