import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Measured = { path: string; processorMs: number; ms: number };

/** What a processor has spent on this process and on those that it has started. Elsewhere than on Linux, only on itself. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + startedMs();
}

/** Linux counts in hundredths of a second, whatever the machine. */
const msPerTick = 10;

function startedMs(): number {
  if (process.platform !== "linux") return 0;
  const ids = readdirSync("/proc")
    .map(Number)
    .filter((id) => id > 0);
  const all = ids.flatMap((id) => readStat(id) ?? []);
  const started = new Set([process.pid]);
  for (let size = 0; size !== started.size;) {
    size = started.size;
    for (const { id, parent } of all) if (started.has(parent)) started.add(id);
  }
  const own = all.filter(({ id }) => started.has(id));
  return (
    own.reduce((sum, { id, ownTicks, endedTicks }) => sum + endedTicks + (id === process.pid ? 0 : ownTicks), 0) *
    msPerTick
  );
}

/** `endedTicks` is the time of its children that have ended. */
function readStat(id: number) {
  try {
    // The name of the program, which may have spaces, is in brackets.
    const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ").map(Number) ?? [];
    const [, parent = 0] = fields;
    const ticks = (first: number) => (fields[first] ?? 0) + (fields[first + 1] ?? 0);
    return { id, parent, ownTicks: ticks(11), endedTicks: ticks(13) };
  } catch {
    return null;
  }
}

/** What the files have taken, those of several calls together. */
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
