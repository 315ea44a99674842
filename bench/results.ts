import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describeMachine } from "./machine.ts";

const file = new URL("results.json", import.meta.url);

/** Replaces one section of `bench/results.json`. Each has its machine, because sections can be measured separately. */
export function recordResults(section: string, rows: unknown): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
  known[section] = { machine: describeMachine(), rows };
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
}
