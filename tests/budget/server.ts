// A server in a process of its own that counts what it does. It runs no jobs by itself.
import { heapStats } from "bun:jsc";
import { Database as Sqlite } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Statements } from "../../src/platform/database/database.ts";
import { observe } from "../../src/platform/database/observe.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";
import type { Job } from "../../src/platform/jobs/jobs.ts";
import { metricsToken, readDatabaseCost } from "../kit/database-cost.ts";
import { isScaled } from "../kit/engine.ts";
import { addMembers } from "../kit/people.ts";
import { startServer } from "../kit/server.ts";
import { withoutJobs } from "../kit/without-jobs.ts";

export type Started = { url: string; dataDir: string; people: { token: string | null; userID: number }[] };
/** What was done since the start. Where it is not counted, it is 0. */
export type Counted = { statements: number; roundTrips: number; rows: number; pages: number; objects: number };
/** Asks for the counts, after a job if one is named. */
export type Ask = { job?: string | undefined };

// Time stands still, so that a slow machine does not do more than a fast one.
const started = performance.now();
performance.now = () => started;
const never = 2 ** 30;
const { setTimeout, setInterval } = globalThis;
globalThis.setTimeout = ((work: () => void) => setTimeout(work, never)) as typeof setTimeout;
globalThis.setInterval = ((work: () => void) => setInterval(work, never)) as typeof setInterval;

/** More would take longer to count. */
const mostObjects = 300_000;

const jobs: Job[] = [];
let sent = 0;
let writer: Partial<Statements> = {};
const stop = observe((_engine, queries) => {
  // The connection that writes is opened last.
  writer = queries;
  return { ...queries, ...countCalls(queries) };
});
// An address whose length is always the same.
const env = { METRICS_TOKEN: metricsToken, BASE_URL: "http://127.0.0.1:8080" };
/** Of a site that is there already. */
const existing = process.env.EXISTING_DATA_DIR;
const server = await startServer({ ...env, ...(existing && { DATA_DIR: existing }) }, withoutJobs(jobs));
stop();
const people = existing
  ? []
  : await addMembers(server, [
      { username: "owner", role: "author" },
      { username: "root", role: "admin" },
    ]);
const { url, dataDir } = server;
const countAll = isScaled ? countRoundTrips : openCounter(join(dataDir, "vitrine.db"));

process.on("message", (ask: Ask) => void answer(ask));
process.on("disconnect", () => void server.close().then(() => process.exit()));
process.send?.({ url, dataDir, people: people.map(({ token, userID }) => ({ token, userID })) } satisfies Started);

async function answer({ job }: Ask): Promise<void> {
  if (job) await jobs.find(({ name }) => name === job)?.run({ check: async () => {} });
  process.send?.(await countAll());
}

function countCalls({ all, get, run, later }: Partial<Statements>): Partial<Statements> {
  return {
    ...(all && { all: <Row>(query: Sql) => (sent++, all<Row>(query)) }),
    ...(get && { get: <Row>(query: Sql) => (sent++, get<Row>(query)) }),
    ...(run && { run: (query: Sql) => (sent++, run(query)) }),
    ...(later && { later: (query: Sql) => (sent++, later(query)) }),
  };
}

async function countRoundTrips(): Promise<Counted> {
  return { ...(await readDatabaseCost(url)), rows: 0, pages: 0, objects: 0 };
}

/** Counts what is done with the SQLite database at this path, and the objects that are allocated. */
function openCounter(path: string): () => Promise<Counted> {
  const log = new Sqlite(path);
  const [headerBytes, frameBytes] = [32, 24 + 4096];
  let pages = 0;
  let collected = 0;
  return async () => ({ ...(await countStatements()), roundTrips: 0, pages: countPages(), objects: countObjects() });

  async function countStatements() {
    const changes = await writer.get?.<{ rows: number }>(sql`SELECT total_changes() AS rows`);
    return { statements: sent, rows: changes?.rows ?? 0 };
  }

  function countPages(): number {
    const { size } = statSync(`${path}-wal`);
    // Without a reason to, it is not emptied: that would end what is kept in memory.
    if (size === 0) return pages;
    log.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return (pages += (size - headerBytes) / frameBytes);
  }

  /** Garbage is collected here only. */
  function countObjects(): number {
    const found = countLive();
    const objects = collected + found;
    if (found > mostObjects) {
      Bun.gc(true);
      collected = objects - countLive();
    }
    return objects;
  }
}

/** What the engine needs for itself: it is allocated when an object gets a new shape, or a function is called for the first time. */
const internal = /Structure|Propert|CodeBlock|Executable/;

function countLive(): number {
  const counts = Object.entries(heapStats().objectTypeCounts);
  return counts.reduce((sum, [type, count]) => (internal.test(type) ? sum : sum + count), 0);
}
