import os from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { OpenAPI } from "../../src/platform/http/openapi.ts";
import { textParametersOf } from "../../tests/kit/text-parameters.ts";
import { largeEngines, startVitrine } from "../servers/vitrine.ts";
import { describeMachine } from "../machine.ts";
import type { Options } from "../options.ts";
import { stopAll } from "../processes.ts";
import { ask } from "../request.ts";
import { progress } from "../rounds.ts";
import { layOut } from "../table.ts";
import { type Input, input, type Outcome, send } from "./input.ts";
import { authorInputs, costlyPosts, deletingInputs, everything, guestInputs, longPosts } from "./inputs.ts";
import { percentile, type Reader, startReader } from "./reader.ts";
import type { Seen } from "./reader-process.ts";
import { worstTextInputs } from "./worst-texts.ts";
import { fillSite, user } from "./site.ts";

/** In milliseconds: the target for the longest wait of the second client on two idle cores. */
const aim = 100;
const idleMilliseconds = 3000;
const jobMilliseconds = 12_000;
const warmUp = 1000;
/** Long enough for the reader to complete a few requests even during the shortest attempt. */
const shortest = 20;

type Target = { url: string; token: string; reader: Reader };
type Row = {
  name: string;
  outcomes: Outcome[];
  seen: Seen;
  worst: { label: string; milliseconds: number };
  isDown: boolean;
};

/** How long a second client waits while hostile requests are served. Returns the exit code: 1 if the server failed. */
export async function hostile(directory: string, { quick, engine, only }: Options): Promise<number> {
  const settings = engine === "postgres" ? await largeEngines() : {};
  const dataDir = join(directory, "data");
  progress("filling a site");
  const site = await fillSite({ DATA_DIR: dataDir, ...settings });
  let target = await start(dataDir, settings);
  const document = await ask<OpenAPI>(`${target.url}/openapi.json`);

  const longest = longestContent(document);
  const rows = [await watch("nothing", target.reader, idleMilliseconds)];
  const inputs = [
    input(`40 posts of ${longest} characters`, () => longPosts(longest)),
    ...costlyPosts(longest),
    ...guestInputs(site),
    ...authorInputs(site),
    ...worstTextInputs(document, site, quick),
    ...(quick ? [] : [everything(site)]),
    ...deletingInputs(site),
  ].filter(({ name }) => name.includes(only));
  // They start ten seconds after the server.
  if (!quick) rows.push(await watch("the server's own jobs", target.reader, jobMilliseconds));
  for (const each of inputs) {
    progress(each.name);
    const row = await attack(target, each);
    rows.push(row);
    if (row.isDown) {
      await stopAll();
      target = await start(dataDir, settings);
    }
  }
  return report(rows);
}

async function start(dataDir: string, settings: Record<string, string>): Promise<Target> {
  const { url } = await startVitrine(dataDir, "embedded", { TRUST_PROXY: "loopback", ...settings });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  // The first page loads the styles and scripts of all.
  await (await fetch(url)).arrayBuffer();
  const reader = startReader(url);
  await setTimeout(warmUp);
  await reader.take();
  return { url, token, reader };
}

function longestContent(document: OpenAPI): number {
  const content = textParametersOf(document).find(({ path, field }) => path === "/api/v1/blog" && field === "content");
  return content?.longest ?? 1_000_000;
}

/** What the reader measures for this long without any attack. */
async function watch(name: string, reader: Reader, milliseconds: number): Promise<Row> {
  progress(name);
  await setTimeout(milliseconds);
  const row = createRow(name);
  add(row, "", (await reader.take()) ?? row.seen);
  return row;
}

async function attack({ url, token, reader }: Target, { name, attempts, atOnce }: Input): Promise<Row> {
  const row = createRow(name);
  await reader.take();
  for (const some of inGroups(attempts(), atOnce)) {
    const over = setTimeout(shortest);
    row.outcomes.push(...(await Promise.all(some.map((one) => send(url, token, one)))));
    await over;
    const seen = await reader.take();
    row.isDown = !seen || !(await isUp(url));
    if (row.isDown) return row;
    add(row, some[0]?.label ?? "", seen as Seen);
  }
  return row;
}

const createRow = (name: string): Row => ({
  name,
  outcomes: [],
  seen: { cached: [], fresh: [] },
  worst: { label: "", milliseconds: 0 },
  isDown: false,
});

function add({ seen, worst }: Row, label: string, { cached, fresh }: Seen): void {
  seen.cached.push(...cached);
  seen.fresh.push(...fresh);
  const milliseconds = Math.max(...cached, ...fresh);
  if (milliseconds > worst.milliseconds) Object.assign(worst, { label, milliseconds });
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  return response?.status === 200;
}

function report(rows: Row[]): number {
  const head = ["", "requests", "statuses", "slowest", "cached p50", "p99", "max", "fresh p50", "p99", "max", ""];
  console.log(`\nMilliseconds that a second client waits for GET /api/v1/photos, while these requests are served:\n`);
  console.log(`${layOut([head, ...rows.map(toCells)])}\n`);
  console.log(`"cached" is a URL in the response cache, "fresh" one that is not. ${describeMachine()},`);
  console.log(`load average ${os.loadavg()[0]?.toFixed(1)}: other processes on the machine make all waits longer.`);
  const failed = rows.filter(({ isDown, outcomes }) => isDown || outcomes.some(({ status }) => Number(status) >= 500));
  for (const { name, isDown } of failed)
    console.log(`The server ${isDown ? "stopped responding" : "failed"}: ${name}.`);
  const { name, worst } = rows.reduce((one, other) =>
    other.worst.milliseconds > one.worst.milliseconds ? other : one,
  );
  const cause = [name, worst.label].filter(Boolean).join(", ");
  console.log(`The longest wait was ${print(worst.milliseconds)} ms (target: ${aim} ms on two idle cores): ${cause}.`);
  return failed.length > 0 ? 1 : 0;
}

function toCells({ name, outcomes, seen, worst, isDown }: Row): string[] {
  const statuses = [...new Set(outcomes.map(({ status }) => status))].join(" ");
  const slowest = Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds));
  const times = [seen.cached, seen.fresh].flatMap((all) => [0.5, 0.99, 1].map((part) => print(percentile(all, part))));
  const remark = isDown ? "no longer responds" : worst.milliseconds > aim ? worst.label : "";
  return [name, String(outcomes.length), statuses, print(slowest), ...times, remark];
}

const print = (milliseconds: number) => milliseconds.toFixed(milliseconds < 100 ? 1 : 0);
