import { readFileSync, writeFileSync } from "node:fs";
import { describeMachine } from "./machine.ts";
import { formatFile, readResults } from "./results.ts";

/** What was measured for a release; the ratios and other values by the names of their rows. */
export type Release = {
  version: string;
  commit: string | null;
  date: string;
  machine: string;
  ratios: Record<string, number>;
};

const file = Bun.fileURLToPath(new URL("history.json", import.meta.url));

/** Oldest first. */
export const readHistory = () => JSON.parse(readFileSync(file, "utf8")) as Release[];

/** Adds the last results as those of a release, or replaces what was recorded for it. */
export function recordRelease(version: string): Release {
  const { commit, date, machine, bun, rows } = readResults();
  const measured = rows.flatMap(({ name, median }) => (median === null ? [] : [[keyOf(name), median] as const]));
  const release = {
    version,
    commit,
    date,
    machine: describeMachine(machine, bun),
    ratios: Object.fromEntries(measured),
  };
  const others = readHistory().filter((other) => other.version !== version);
  writeFileSync(file, JSON.stringify([...others, release]));
  formatFile(file);
  return release;
}

/** Without the request that took longest, which is not the same in every release. */
const keyOf = (name: string) => name.split(": ")[0] ?? name;
