import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Processes } from "./backends.ts";

/** Of a server with several processes; more do not make it faster here. */
const maxDatabaseCores = 4;

/**
 * Gives each copy a core of its own, and the backends and the generator others, so that copies do not take time from each other.
 * Without enough cores, or without `taskset`, processes run where the system lets them. Returns what it has done.
 */
export function pinProcesses({ program, database, redis, storage, generator }: Processes): string {
  const cores = availableParallelism();
  const left = cores - program.length - 2;
  if (left < 2 || !Bun.which("taskset")) return `${cores} cores: the processes are not pinned`;
  const databaseCores = Math.min(left - 1, maxDatabaseCores);
  let next = 0;
  const pin = (pids: number[], count: number) => {
    const list = `${next}-${(next += count) - 1}`;
    for (const pid of pids.flatMap(listTree)) {
      Bun.spawnSync(["taskset", "--all-tasks", "--cpu-list", "--pid", list, `${pid}`]);
    }
  };
  for (const pid of program) pin([pid], 1);
  pin(database, databaseCores);
  pin([...redis, ...storage], 1);
  pin(generator, left + 1 - databaseCores);
  return `${cores} cores: one for each copy, ${databaseCores} for PostgreSQL, one for Redis and S3`;
}

/** A process and those that it has started; later ones get the cores of the one that starts them. */
function listTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return [pid, ...children.flatMap((child) => listTree(Number(child)))];
}
