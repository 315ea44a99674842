import { SQL } from "bun";
import { join } from "node:path";
import { metricsToken, readDatabaseCost } from "../../tests/kit/database-cost.ts";
import { readUsage } from "../copies/backends.ts";
import { fillSite, type Kind, kindNames, type Request, type Site } from "../copies/site.ts";
import { processesOf, remember, takeCopiesTurn } from "../copies/turns.ts";
import { type Generator, startGenerator } from "../generator/generator.ts";
import { describeMachine } from "../machine.ts";
import { runCommand } from "../processes.ts";
import { toWire } from "../request.ts";
import { progress } from "../rounds.ts";
import { largeEngines, type Running, startCopy } from "../servers/vitrine.ts";
import type { Check, Cost, Costs } from "./costs.ts";
import { type Counted, endpointOf, startCountingProxy } from "./counting-proxy.ts";
import { busyCores, type Rates } from "./model.ts";
import { measureSizes } from "./sizes.ts";

const groups = [1, 3, 6];
const turnMs = 3000;
/** PostgreSQL reports what a connection has done when it was idle for ten seconds, at the latest. */
const reportMs = 11_000;
const idleSeconds = 20;

type Bench = {
  copies: Running[];
  site: Site;
  generator: Generator;
  database: SQL;
  store: { read(): Counted };
};
type Counters = { statements: number; transactions: number; blocks: number; log: number } & Counted;

/** Measures everything that the model counts with, and how far it is off with 1, 3 and 6 copies. */
export async function measureCosts(directory: string): Promise<Costs> {
  progress("sizes of records");
  const sizes = await measureSizes();
  const engines = await largeEngines();
  const endpoint = endpointOf(engines.STORAGE_URL ?? "");
  const store = await startCountingProxy(endpoint);
  const through = engines.STORAGE_URL?.replace(endpoint.host, `127.0.0.1:${store.port}`) ?? "";
  const settings = { ...engines, STORAGE_URL: through, METRICS_TOKEN: metricsToken };
  const copies: Running[] = [];
  for (let number = 1; number <= Math.max(...groups); number++)
    copies.push(await startCopy(join(directory, `copy-${number}`), settings));
  progress("filling the site");
  const site = await fillSite(copies[0]?.url ?? "");
  const database = new SQL(engines.DATABASE_URL ?? "", { max: 1 });
  const bench: Bench = { copies, site, generator: startGenerator(), database, store };
  progress(`${idleSeconds} seconds without requests`);
  const idle = await measureIdle(bench);
  const kinds = {} as Costs["kinds"];
  const shares = {} as Record<Kind, number>;
  for (const kind of kindNames) {
    progress(kind);
    const { cost, transactions } = await measureKind(bench, site.requests[kind], idle);
    kinds[kind] = cost;
    shares[kind] = transactions;
  }
  progress("a look at the database");
  const look = await measureLook(bench, kinds.memory, shares.memory, idle);
  for (const kind of ["memory", "page"] as const) {
    kinds[kind].program = Math.max(0, kinds[kind].program - shares[kind] * look.program);
    kinds[kind].database = Math.max(0, kinds[kind].database - shares[kind] * look.database);
  }
  const commit = (await runCommand(["git", "rev-parse", "--short", "HEAD"])).trim();
  const date = new Date().toISOString().slice(0, 10);
  const costs: Costs = { date, commit, machine: describeMachine(), kinds, look, sizes, idle, checks: [] };
  for (const count of groups) {
    progress(`a mix of requests to ${count === 1 ? "one copy" : `${count} copies`}`);
    costs.checks.push(...(await checkMix(bench, count, costs)));
  }
  await database.close();
  store.close();
  return costs;
}

async function readCounters({ copies, database, store }: Bench): Promise<Counters> {
  const { statements } = await readDatabaseCost(copies[0]?.url ?? "");
  const [row] = await database`
    SELECT xact_commit + xact_rollback AS transactions, blks_hit + blks_read AS blocks, pg_current_wal_lsn() - '0/0' AS log
    FROM pg_stat_database WHERE datname = current_database()`;
  const { transactions, blocks, log } = row as Record<string, string>;
  return {
    statements,
    transactions: Number(transactions),
    blocks: Number(blocks),
    log: Number(log),
    ...store.read(),
  };
}

async function measureKind(
  bench: Bench,
  request: Request,
  idle: Costs["idle"],
): Promise<{ cost: Cost; transactions: number }> {
  const { copies, generator } = bench;
  const one = copies.slice(0, 1);
  await takeCopiesTurn(generator, one, request, 1000);
  await Bun.sleep(reportMs);
  const before = await readCounters(bench);
  const { count, processor, milliseconds } = await takeCopiesTurn(generator, one, request, turnMs);
  const sent = await readCounters(bench);
  await Bun.sleep(reportMs);
  const after = await readCounters(bench);
  const each = (name: keyof Counters, until: Counters) => (until[name] - before[name]) / count;
  const cost = {
    program: processor.program,
    database: processor.database,
    // With many databases, as the tests have, Redis itself is never idle.
    redis: Math.max(0, processor.redis - (idle.redis * milliseconds) / 1000 / count),
    statements: each("statements", sent),
    blocks: each("blocks", after),
    log: each("log", sent),
    bytes: await bytesOf(one[0] as Running, request),
    storeRequests: each("requests", sent),
    storeBytes: each("bytes", sent),
  };
  return { cost, transactions: each("transactions", after) };
}

/** Of the body of a response; only reads are sent once more. */
async function bytesOf({ url }: Running, { calls }: Request): Promise<number> {
  const [call] = calls;
  if (call?.method !== "GET") return 500;
  const response = await fetch(`${url}${call.path}`, { headers: { ...call.headers, "Accept-Encoding": "identity" } });
  return (await response.bytes()).length;
}

/** With one connection, each request waits for a look of its own. */
async function measureLook(bench: Bench, many: Cost, share: number, idle: Costs["idle"]): Promise<Costs["look"]> {
  const alone = await measureKind(bench, { ...bench.site.requests.memory, connections: 1 }, idle);
  const turn = await takeCopiesTurn(
    bench.generator,
    bench.copies.slice(0, 1),
    { ...bench.site.requests.memory, connections: 1 },
    turnMs,
  );
  const more = alone.transactions - share;
  return {
    program: Math.max(0, (alone.cost.program - many.program) / more),
    database: Math.max(0, (alone.cost.database - many.database) / more),
    milliseconds: 1000 / turn.rate,
  };
}

async function measureIdle(bench: Bench): Promise<Costs["idle"]> {
  await Bun.sleep(reportMs);
  const processes = processesOf(bench.copies, null);
  const [usage, counters] = [readUsage(processes), await readCounters(bench)];
  await Bun.sleep(idleSeconds * 1000);
  const [used, counted] = [readUsage(processes), await readCounters(bench)];
  const each = (amount: number) => amount / idleSeconds / bench.copies.length;
  return {
    program: each(used.program - usage.program) * 1000,
    database: each(used.database - usage.database) * 1000,
    redis: ((used.redis - usage.redis) / idleSeconds) * 1000,
    transactions: each(counted.transactions - counters.transactions),
  };
}

const mix: Kind[] = [...Array<Kind>(10).fill("page"), ...Array<Kind>(4).fill("memory"), "miss", "pageMiss", "picture"];

/** Reads of all kinds and comments at the same time: the processor time that the model says, and that it took. */
async function checkMix({ copies, site, generator }: Bench, count: number, costs: Costs): Promise<Check[]> {
  const used = copies.slice(0, count);
  const ports = used.map(({ port }) => port);
  const port = ports[0] ?? 0;
  const others = startGenerator();
  const calls = mix.map((kind) => site.requests[kind].calls[0]).filter((call) => call !== undefined);
  const job = { port, ports, milliseconds: turnMs * 2, most: Infinity, bodyBytes: null };
  const wire = (all: typeof calls) => all.map((call) => toWire(port, call));
  await remember(used, calls);
  const warm = { ...job, milliseconds: 1000, connections: 28, requests: wire(calls), status: 200 };
  await generator.run(warm);
  const processes = processesOf(copies, generator);
  const before = readUsage(processes);
  const [reads, writes] = await Promise.all([
    generator.run({ ...warm, milliseconds: job.milliseconds }),
    others.run({ ...job, connections: 4, requests: wire(site.requests.comment.calls), status: 201 }),
  ]);
  const after = readUsage(processes);
  const seconds = reads.milliseconds / 1000;
  const rates: Rates = { comment: writes.count / seconds };
  for (const kind of mix) rates[kind] = (rates[kind] ?? 0) + reads.count / seconds / mix.length;
  const predicted = busyCores(rates, count, costs);
  return (["program", "database"] as const).map((part) => ({
    copies: count,
    part,
    predicted: predicted[part],
    measured: (after[part] - before[part]) / 1000 / seconds,
  }));
}
