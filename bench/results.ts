import { readFileSync, writeFileSync } from "node:fs";
import { version } from "../src/platform/version.ts";
import type { Growth } from "./growth.ts";
import type { HeaviestResults } from "./heaviest.ts";
import { type Machine, readMachine } from "./machine.ts";
import type { RequestResults } from "./requests.ts";
import type { Row } from "./row.ts";

/** Everything that one run of `npm run bench` has measured. */
export type Results = {
  vitrine: string;
  bun: string;
  date: string;
  minutes: number;
  machine: Machine;
  /** Of the machine at the end, with the load of the bench itself. */
  loadAverage: number;
  rows: Row[];
  growth: Growth[];
} & Omit<RequestResults, "rows"> & { heaviest: Omit<HeaviestResults, "row"> };

const file = Bun.fileURLToPath(new URL("results.json", import.meta.url));

export function aboutThisRun(): Pick<Results, "vitrine" | "bun" | "date" | "machine"> {
  return { vitrine: version, bun: Bun.version, date: new Date().toISOString().slice(0, 10), machine: readMachine() };
}

export const readResults = () => JSON.parse(readFileSync(file, "utf8")) as Results;

export function writeResults(results: Results): void {
  writeFileSync(file, JSON.stringify(results));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", file]);
}
