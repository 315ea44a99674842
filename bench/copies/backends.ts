import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processorTimeOf } from "../processes.ts";

/** The parts of a site whose processor time is measured apart. */
export const parts = ["program", "database", "redis", "storage", "generator"] as const;
export type Part = (typeof parts)[number];
/** Processor time of each part, in milliseconds; NaN where it is not known. */
export type Usage = Record<Part, number>;

const programs: Record<"database" | "redis" | "storage", RegExp> = {
  database: /^postgres/,
  redis: /^redis/,
  storage: /^(swift|memcached)/,
};

/** The servers that bin/test-servers has started, by the files in which it notes them. */
export function findBackends(directory = process.env.TEST_SERVERS): Record<keyof typeof programs, number[]> {
  const names = directory ? readdirSync(join(directory, "pids")) : [];
  const pidOf = (name: string) => Number(readFileSync(join(directory ?? "", "pids", name), "utf8").split(" ")[0]);
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name)).map(pidOf);
  return { database: find(programs.database), redis: find(programs.redis), storage: find(programs.storage) };
}

export type Processes = Record<Part, number[]>;

export function readUsage(processes: Processes): Usage {
  const entries = parts.map((part) => {
    return [part, processes[part].length > 0 ? processorTimeOf(...processes[part]) : Number.NaN];
  });
  return Object.fromEntries(entries) as Usage;
}
