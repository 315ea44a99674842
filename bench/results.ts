import { readFileSync, writeFileSync } from "node:fs";
import { version } from "../src/platform/version.ts";
import type { Growth } from "./growth.ts";
import { type Machine, readMachine } from "./machine.ts";
import type { RequestResults } from "./requests.ts";
import type { Row } from "./row.ts";

/** Everything that one run of `npm run bench` has measured. */
export type Results = {
  vitrine: string;
  /** Null if it was measured with changes that are not committed. */
  commit: string | null;
  bun: string;
  date: string;
  minutes: number;
  machine: Machine;
  /** Of the machine at the end, with the load of the bench itself. */
  loadAverage: number;
  rows: Row[];
  growth: Growth[];
} & Omit<RequestResults, "rows">;

const file = Bun.fileURLToPath(new URL("results.json", import.meta.url));

export function aboutThisRun(): Pick<Results, "vitrine" | "commit" | "bun" | "date" | "machine"> {
  const date = new Date().toISOString().slice(0, 10);
  return { vitrine: version, commit: findCommit(), bun: Bun.version, date, machine: readMachine() };
}

function findCommit(): string | null {
  const git = (...words: string[]) => Bun.spawnSync(["git", ...words], { cwd: import.meta.dir });
  const [head, changes] = [git("rev-parse", "--short", "HEAD"), git("status", "--porcelain")];
  const isClean = head.success && changes.success && changes.stdout.length === 0;
  return isClean ? head.stdout.toString().trim() : null;
}

export const readResults = () => JSON.parse(readFileSync(file, "utf8")) as Results;

export function writeResults(results: Results): void {
  writeFileSync(file, JSON.stringify(results));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", file]);
}
