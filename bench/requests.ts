import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prepareBare } from "./servers/bare.ts";
import { preparePocketBase } from "./servers/pocketbase.ts";
import { findPocketBase } from "./servers/pocketbase-binary.ts";
import { prepareSite } from "./servers/site.ts";
import { checkOut, startVersion, type Version } from "./servers/version.ts";
import { type Running, startVitrine } from "./servers/vitrine.ts";
import { type MeasuredServer, type Operation, operations } from "./operations.ts";
import type { Options } from "./options.ts";
import { measureFirstReads } from "./first-reads.ts";
import { memoryOf, sumOver, waitUntilQuiet } from "./processes.ts";
import { measureCeiling } from "./generator/ceiling.ts";
import type { Latency } from "./generator/job.ts";
import { startGenerator } from "./generator/generator.ts";
import { rowsOf } from "./request-rows.ts";
import { connections, measure, type Plan, progress, type Turn, type Turns } from "./rounds.ts";
import { costOf, rateOf, round, type Row } from "./row.ts";
import { median } from "./table.ts";

const phases: Operation[][] = [
  ["list", "post", "get"],
  ["newList", "newPost"],
  ["getBesideComments"],
  ["getBesidePhotos"],
  ["getBesideNewPhotos"],
  ["getBesideNewPosts"],
  ["missedList", "missedPhoto", "missedPost", "ownList", "download"],
  ["create16", "create64", "update16", "update64"],
  ["comment", "photo", "attach"],
  ["small", "large"],
];

const calm: Operation[] = ["list", "get", "missedList", "missedPhoto", "create16", "small"];
const calmConnections = 4;
/** Garbage of the last requests is collected after a few seconds. */
const quietMs = 15_000;

/** Requests per second, microseconds of processor time per request, and milliseconds until the response. */
export type Measured = { name: string; server: string; rate: number; processor: number; p50: number; p99: number };
export type Percentiles = { name: string; server: string } & Latency;
/** MiB of a server and the processes that it has started: when it is idle after its start, and after all requests. */
export type Memory = { server: string; idle: number; after: number };

export type RequestResults = {
  rows: Row[];
  requests: Measured[];
  memory: Memory[];
  /** Other versions of Vitrine that were measured; `ref` is also the name of their server. */
  versions: Pick<Version, "ref" | "commit">[];
  latency: { connections: number; rows: Percentiles[] };
  /** Requests per second that the load generator reaches on a socket that does nothing. */
  generatorMost: number;
  /** Why there is no comparison with PocketBase. */
  withoutPocketBase: string | null;
};

/** Vitrine compared with other versions of it, a server that does nothing, and one that does much the same. */
export async function measureRequests(
  directory: string,
  plan: Plan,
  { emulate, against }: Pick<Options, "emulate" | "against">,
): Promise<RequestResults> {
  const versions: Version[] = [];
  for (const ref of new Set(against)) versions.push(await checkOut(ref, directory));
  const { vitrine, others, bare, pocketBase, withoutPocketBase, idle } = await prepare(directory, plan, {
    versions,
    emulate,
  });
  const generator = startGenerator();
  const generatorMost = round(await measureCeiling(generator, connections));
  const servers = [vitrine, ...others, bare, ...pocketBase];
  const turns = await measure(generator, servers, phases, plan);
  const firstReads = await measureFirstReads(makeDirectory(directory, "first-reads"), { plan, generator, versions });
  progress(`latency with ${calmConnections} connections`);
  const calmTurns = await measure(generator, [vitrine, bare].map(slowDown), [calm], plan);
  await Bun.sleep(quietMs);
  const memory = [vitrine, ...others].map(({ name, pid }, index) => ({
    server: name,
    idle: round(idle[index] ?? Number.NaN),
    after: round(sumOver(pid, memoryOf)),
  }));
  return {
    rows: [...rowsOf(turns, memory, versions), ...firstReads],
    requests: phases.flat().flatMap((operation) => servers.flatMap(({ name }) => summarize(turns, operation, name))),
    memory,
    versions: versions.map(({ ref, commit }) => ({ ref, commit })),
    latency: {
      connections: calmConnections,
      rows: [vitrine, bare].flatMap(({ name }) => calm.map((one) => percentilesOf(calmTurns, one, name))),
    },
    generatorMost,
    withoutPocketBase,
  };
}

function makeDirectory(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path);
  return path;
}

async function prepare(
  directory: string,
  { rounds }: Plan,
  { versions, emulate }: { versions: Version[]; emulate: boolean },
) {
  progress("filling the servers");
  const idle: number[] = [];
  const fill = async (name: string, running: Running) => {
    await waitUntilQuiet(running.pid);
    idle.push(sumOver(running.pid, memoryOf));
    // One turn to warm up, and some to look at the response.
    const server = await prepareSite(name, running, rounds + 5);
    await waitUntilQuiet(running.pid);
    return server;
  };
  const vitrine = await fill("Vitrine", await startVitrine(makeDirectory(directory, "vitrine")));
  const others: MeasuredServer[] = [];
  for (const version of versions) {
    others.push(
      await fill(version.ref, await startVersion(version, makeDirectory(directory, `data-${version.commit}`))),
    );
  }
  const bare = await prepareBare(makeDirectory(directory, "bare"), vitrine);
  const found = await findPocketBase(emulate);
  const isFound = "command" in found;
  return {
    vitrine,
    others,
    bare,
    pocketBase: isFound ? [await preparePocketBase(makeDirectory(directory, "pocketbase"), found.command)] : [],
    withoutPocketBase: isFound ? null : found.reason,
    idle,
  };
}

function summarize(turns: Turns<Operation>, operation: Operation, server: string): Measured[] {
  const own = turns[operation][server] ?? [];
  if (own.length === 0) return [];
  const middle = (measure: (turn: Turn) => number) => round(median(own.map(measure)));
  return [
    {
      name: operations[operation],
      server,
      rate: middle(rateOf),
      processor: middle(costOf),
      p50: middle(({ latency }) => latency.p50),
      p99: middle(({ latency }) => latency.p99),
    },
  ];
}

/** So few connections that requests hardly wait for each other. */
function slowDown({ name, pid, targets }: MeasuredServer): MeasuredServer {
  const slow = calm.map((operation) => [operation, { ...targets[operation], connections: calmConnections }]);
  return { name, pid, targets: Object.fromEntries(slow) as MeasuredServer["targets"] };
}

function percentilesOf(turns: Turns<Operation>, operation: Operation, server: string): Percentiles {
  const all = (turns[operation][server] ?? []).map(({ latency }) => latency);
  const middle = (key: keyof Latency) => round(median(all.map((latency) => latency[key])));
  const name = operations[operation].replace(/, \d+ connections$/, "");
  return { name, server, p50: middle("p50"), p90: middle("p90"), p99: middle("p99") };
}
