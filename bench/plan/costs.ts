import { readFileSync, writeFileSync } from "node:fs";
import type { Kind } from "../copies/site.ts";

/** What one request of a kind costs. Processor times are in microseconds. */
export type Cost = {
  program: number;
  database: number;
  redis: number;
  statements: number;
  /** Pages of 8 KiB that PostgreSQL looked at, from its memory or not. */
  blocks: number;
  /** Bytes that PostgreSQL wrote to its log of changes (WAL). */
  log: number;
  /** Bytes of the response. */
  bytes: number;
  storeRequests: number;
  storeBytes: number;
};

/**
 * A look at the database, with which a copy finds out whether what is in its memory is still true. One look serves all requests that
 * have come since the last one began.
 */
export type LookCost = { program: number; database: number; milliseconds: number };

/** Bytes in the database, with indexes, for each record and everything that belongs to it. */
export type Sizes = { photo: number; post: number; comment: number };

export type Check = { copies: number; part: "program" | "database"; predicted: number; measured: number };

/** What `npm run plan -- --measure` writes. */
export type Costs = {
  date: string;
  commit: string;
  machine: string;
  kinds: Record<Kind, Cost>;
  look: LookCost;
  sizes: Sizes;
  /** Of a copy that serves nothing, for each second; `redis` is of Redis itself. */
  idle: { program: number; database: number; redis: number; transactions: number };
  checks: Check[];
};

const path = new URL("costs.json", import.meta.url);

export const readCosts = (): Costs => JSON.parse(readFileSync(path, "utf8")) as Costs;

export function writeCosts(costs: Costs): void {
  const round = (_: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  writeFileSync(path, `${JSON.stringify(costs, round, 2)}\n`);
}
