import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prepareBare } from "./servers/bare.ts";
import { preparePocketBase } from "./servers/pocketbase.ts";
import { findPocketBase } from "./servers/pocketbase-binary.ts";
import { prepareVitrine } from "./servers/vitrine.ts";
import { type MeasuredServer, type Operation, operations } from "./operations.ts";
import { memoryOf, sumOver } from "./processes.ts";
import { measureCeiling } from "./generator/ceiling.ts";
import type { Latency } from "./generator/job.ts";
import { startGenerator } from "./generator/generator.ts";
import { connections, measure, type Plan, progress, type Turn, type Turns } from "./rounds.ts";
import { costOf, type Goal, rateOf, ratios, round, type Row, rowOf } from "./row.ts";
import { median } from "./table.ts";

const phases: Operation[][] = [
  ["list", "get", "newList", "newPost", "getBesideComments"],
  ["getBesidePhotos"],
  ["missedList", "missedPhoto", "missedPost", "ownList", "download"],
  ["create", "upload"],
];

/** Operations compared with those of the bare server. */
const outside: [name: string, operation: Operation, goal: Goal | null][] = [
  [operations.list, "list", { atLeast: 0.78 }],
  [operations.get, "get", { atLeast: 0.72 }],
  [operations.newList, "newList", null],
  [operations.newPost, "newPost", null],
  // Records are not kept by themselves: such a request reads the database like any other.
  ["LIST, new address, records known", "missedList", { atLeast: 0.25 }],
  ["GET a post, new address, records known", "missedPost", { atLeast: 0.4 }],
  [operations.missedList, "missedList", { atLeast: 0.1 }],
  [operations.missedPhoto, "missedPhoto", { atLeast: 0.14 }],
  [operations.missedPost, "missedPost", { atLeast: 0.2 }],
  [operations.download, "download", null],
];

/** Operations of one server compared with each other. */
const inside: [name: string, of: Operation, to: Operation, goal: Goal][] = [
  ["GET photos while comments are written, to GET from memory", "getBesideComments", "get", { atMost: 1.3 }],
  ["GET photos while a photo is changed, to GET from memory", "getBesidePhotos", "get", { atMost: 3 }],
  ["LIST, signed in, to a guest's true miss", "ownList", "missedList", { atMost: 1.5 }],
];

const calm: Operation[] = ["list", "get", "missedList", "missedPhoto", "create", "upload"];
const calmConnections = 4;
/** Garbage of the last requests is collected after a few seconds. */
const quietMs = 15_000;

/** Requests per second and microseconds of processor time per request. */
export type Measured = { name: string; server: string; rate: number; processor: number };
export type Percentiles = { name: string; server: string } & Latency;

export type RequestResults = {
  rows: Row[];
  requests: Measured[];
  latency: { connections: number; rows: Percentiles[] };
  /** Requests per second that the load generator reaches on a socket that does nothing. */
  generatorMost: number;
  /** Why there is no comparison with PocketBase. */
  withoutPocketBase: string | null;
};

/** Vitrine compared with a server that does nothing and one that does much the same. */
export async function measureRequests(directory: string, plan: Plan, emulate: boolean): Promise<RequestResults> {
  progress("filling the servers");
  const { vitrine, bare, pocketBase, reason } = await prepare(directory, emulate);
  const generator = startGenerator();
  const generatorMost = round(await measureCeiling(generator, connections));
  const servers = [vitrine, bare, ...(pocketBase ? [pocketBase] : [])];
  const turns = await measure(generator, servers, phases, plan);
  progress(`latency with ${calmConnections} connections`);
  const calmTurns = await measure(generator, [vitrine, bare].map(slowDown), [calm], plan);
  await Bun.sleep(quietMs);
  const afterBench = sumOver(vitrine.pid, memoryOf);
  return {
    rows: [
      ...compareWithBare(turns),
      ...(pocketBase ? compareWithPocketBase(turns) : []),
      rowOf({ name: "memory after the requests above, with children", unit: "MiB", goal: { atMost: 110 } }, [
        afterBench,
      ]),
    ],
    requests: servers.flatMap(({ name }) => summarize(turns, name)),
    latency: {
      connections: calmConnections,
      rows: [vitrine, bare].flatMap(({ name }) => calm.map((one) => percentilesOf(calmTurns, one, name))),
    },
    generatorMost,
    withoutPocketBase: reason,
  };
}

async function prepare(directory: string, emulate: boolean) {
  const makeDirectory = (name: string) => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };
  const vitrine = await prepareVitrine(makeDirectory("vitrine"), "embedded");
  const bare = await prepareBare(makeDirectory("bare"), vitrine);
  const found = await findPocketBase(emulate);
  if ("reason" in found) return { vitrine, bare, pocketBase: null, reason: found.reason };
  const pocketBase = await preparePocketBase(makeDirectory("pocketbase"), found.command);
  return { vitrine, bare, pocketBase, reason: null };
}

function compareWithBare(turns: Turns<Operation>): Row[] {
  const of = (operation: Operation, server: string) => turns[operation][server] ?? [];
  const unit = "processor time, bare / Vitrine";
  const toBare = outside.map(([name, operation, goal]) =>
    rowOf({ name, unit, goal }, ratios(of(operation, "bare"), of(operation, "Vitrine"), costOf)),
  );
  const toItself = inside.map(([name, one, other, goal]) =>
    rowOf({ name, unit: "processor time", goal }, ratios(of(one, "Vitrine"), of(other, "Vitrine"), costOf)),
  );
  return [...toBare, ...toItself];
}

function compareWithPocketBase(turns: Turns<Operation>): Row[] {
  const wanted: Operation[] = ["list", "get", "missedList", "missedPhoto", "download", "create", "upload"];
  return wanted.map((operation) => {
    const { Vitrine = [], PocketBase = [] } = turns[operation];
    const name = `${operations[operation]}, to PocketBase`;
    return rowOf({ name, unit: "rate, Vitrine / PocketBase" }, ratios(Vitrine, PocketBase, rateOf));
  });
}

function summarize(turns: Turns<Operation>, server: string): Measured[] {
  return phases.flat().map((operation) => {
    const own = turns[operation][server] ?? [];
    const middle = (measure: (turn: Turn) => number) => round(median(own.map(measure)));
    return { name: operations[operation], server, rate: middle(rateOf), processor: middle(costOf) };
  });
}

/** So few connections that requests hardly wait for each other. */
function slowDown(server: MeasuredServer): MeasuredServer {
  const targets = Object.entries(server.targets).map(([name, target]) => [
    name,
    { ...target, connections: calmConnections },
  ]);
  return { ...server, targets: Object.fromEntries(targets) as MeasuredServer["targets"] };
}

function percentilesOf(turns: Turns<Operation>, operation: Operation, server: string): Percentiles {
  const all = (turns[operation][server] ?? []).map(({ latency }) => latency);
  const middle = (key: keyof Latency) => round(median(all.map((latency) => latency[key])));
  return { name: operations[operation], server, p50: middle("p50"), p90: middle("p90"), p99: middle("p99") };
}
