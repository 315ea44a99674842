import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Generator } from "./generator/generator.ts";
import { forEachNumber } from "./operations.ts";
import { settle, stopServer, sumOver, waitUntilQuiet } from "./processes.ts";
import { ask, get, toWire } from "./request.ts";
import { type Plan, progress } from "./rounds.ts";
import { type Goal, type Row, rowOf } from "./row.ts";
import { startVersion, type Version } from "./servers/version.ts";
import { type Running, startVitrine } from "./servers/vitrine.ts";
import { exactProcessorTimeOf } from "./start-cost.ts";

const posts = 300;
const connections = 8;
const turnMs = 60_000;
const words = "harbour train evening water window bread lamp river stone garden letter".split(" ");

/** How often each post is read after a start, with the goals in microseconds. */
const reads: [name: string, goal: Goal][] = [
  ["first read of a post after a start", { atMost: 280 }],
  ["second read of a post after a start", { atMost: 60 }],
  ["third read of a post after a start", { atMost: 50 }],
];

type Site = { name: string; start: () => Promise<Running>; costs: number[][] };
type Needed = { plan: Plan; generator: Generator; versions: Version[] };

/** What reads cost a server that was just started: it has nothing in memory, and its code is not compiled. */
export async function measureFirstReads(directory: string, { plan, generator, versions }: Needed): Promise<Row[]> {
  progress(`first reads after a start: ${plan.rounds} rounds`);
  const own = siteOf("Vitrine", join(directory, "vitrine"), startVitrine);
  const others = versions.map((version) =>
    siteOf(version.ref, join(directory, version.commit), (dataDir) => startVersion(version, dataDir)),
  );
  for (const { start } of [own, ...others]) await fill(await start());
  for (let round = 0; round < plan.rounds; round++) {
    const sites = [own, ...others];
    for (const { start, costs } of round % 2 ? sites.toReversed() : sites)
      costs.push(await readAll(generator, await start()));
  }
  return reads.flatMap(([name, goal], read) => {
    const costsOf = ({ costs }: Site) => costs.map((each) => each[read] ?? Number.NaN);
    return [
      rowOf({ name, unit: "microseconds of processor time", goal }, costsOf(own)),
      ...others.map((other) => {
        const described = { name: `${name}, to ${other.name}`, unit: `processor time, ${other.name} / Vitrine` };
        return rowOf(
          described,
          costsOf(other).map((cost, round) => cost / (costsOf(own)[round] ?? Number.NaN)),
        );
      }),
    ];
  });
}

function siteOf(name: string, dataDir: string, start: (dataDir: string) => Promise<Running>): Site {
  mkdirSync(dataDir);
  return { name, start: () => start(dataDir), costs: [] };
}

async function fill({ url, pid }: Running): Promise<void> {
  const user = { username: "bench", password: "correct horse battery" };
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  await forEachNumber(posts, async (number) => {
    const json = { title: `Post ${number}`, content: textOf(number) };
    await ask(`${url}/api/v1/blog`, { method: "POST", token, json });
  });
  await stopServer(pid);
}

/** About 2 KB. */
const textOf = (number: number) =>
  Array.from({ length: 300 }, (_, index) => words[(index * (number % 10) + index) % words.length]).join(" ");

/** Microseconds of processor time for each read of a post, in the order of `reads`. */
async function readAll(generator: Generator, { port, pid }: Running): Promise<number[]> {
  await waitUntilQuiet(pid);
  const requests = Array.from({ length: posts }, (_, index) => toWire(port, get(`/api/v1/blog/${index + 1}`)));
  const costs: number[] = [];
  for (const _ of reads) {
    const before = sumOver(pid, exactProcessorTimeOf);
    const job = { port, connections, milliseconds: turnMs, most: posts, requests, status: 200, bodyBytes: null };
    const { count } = await generator.run(job);
    await settle(pid);
    costs.push(((sumOver(pid, exactProcessorTimeOf) - before) / count) * 1000);
  }
  await stopServer(pid);
  return costs;
}
