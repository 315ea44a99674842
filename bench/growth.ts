import { join } from "node:path";
import { startGenerator } from "./generator/generator.ts";
import { counter } from "./generator/job.ts";
import { countRareWords, fillForGrowth } from "./growth-fill.ts";
import { account } from "./library-fill.ts";
import { type MeasuredServer, post, type Target } from "./operations.ts";
import { stopAll, waitUntilQuiet } from "./processes.ts";
import { ask, getUncached, postJSON } from "./request.ts";
import { measure, type Plan, progress, type Turns } from "./rounds.ts";
import { costOf, ratios, round, type Row, rowOf } from "./row.ts";
import { type Running, startVitrine } from "./servers/vitrine.ts";
import { median } from "./table.ts";

const operations = {
  list: "LIST, a page in the middle",
  posts: "LIST posts, a page in the middle",
  get: "GET a photo",
  create: "CREATE a post",
  timeline: "the timeline",
  album: "the first page of an album",
  albumMiddle: "a page of an album in the middle",
  comments: "a page of comments",
  directory: "a page of a directory",
  search: "SEARCH two words",
  postPage: "the page of a post with comments",
  photosPage: "the page of photos",
  albumPage: "the page of an album",
} as const;
type Operation = keyof typeof operations;

export const sizes = { usual: [1000, 100_000], million: [1000, 100_000, 1_000_000] };

/** Microseconds of processor time per request with this many records. */
type Point = { records: number; median: number; spread: [number, number]; samples: number[] };
export type Growth = { name: string; points: Point[] };
export type GrowthResults = { rows: Row[]; growth: Growth[] };

/** Fills a data directory for each size. Everything that the servers measure later is in them. */
export async function fillSizes(directory: string, wanted: number[]): Promise<string[]> {
  const directories: string[] = [];
  for (const size of wanted) {
    const dataDir = join(directory, String(size));
    progress(`adding ${print(size)} photos, posts and comments`);
    await fillForGrowth(dataDir, size);
    directories.push(dataDir);
  }
  return directories;
}

/** Whether requests cost the same with many times more records. All reads are true misses. */
export async function measureGrowth(directories: string[], wanted: number[], plan: Plan): Promise<GrowthResults> {
  const servers: MeasuredServer<Operation>[] = [];
  for (const [index, size] of wanted.entries()) {
    const running = await startVitrine(directories[index] ?? "");
    await waitUntilQuiet(running.pid);
    servers.push({ name: String(size), pid: running.pid, targets: await targetsOf(running, size) });
  }
  const names = Object.keys(operations) as Operation[];
  const turns = await measure(startGenerator(), servers, [names], plan);
  await stopAll();
  return { rows: names.map((name) => toRow(turns, name, wanted)), growth: names.map((name) => toGrowth(turns, name)) };
}

async function targetsOf({ port, url }: Running, size: number): Promise<MeasuredServer<Operation>["targets"]> {
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: account });
  const middle = size / 20;
  const paths: Record<Exclude<Operation, "create">, string[]> = {
    list: numbers(20).map((index) => `/api/v1/photos?page=${middle + index - 10}`),
    posts: numbers(20).map((index) => `/api/v1/blog?page=${middle + index - 10}`),
    get: numbers(1000).map((index) => `/api/v1/photos/${1 + (Math.floor((index * 7919 * size) / 1000) % size)}`),
    timeline: ["/api/v1/photos/timeline"],
    album: ["/api/v1/albums/1?page=1&pageSize=10"],
    albumMiddle: numbers(20).map((index) => `/api/v1/albums/1?page=${middle + index - 10}&pageSize=10`),
    comments: ["/api/v1/comments?blogPostID=1&cursor="],
    directory: ["/api/v1/files?path=/&cursor="],
    postPage: ["/blog/p1"],
    photosPage: ["/photos"],
    albumPage: ["/albums/1-all-photos"],
    search: numbers(20).map((index) => `/api/v1/search?q=photo%20w${1 + ((index * 47) % (countRareWords(size) - 1))}`),
  };
  // Every hundredth photo is private.
  paths.get = paths.get.filter((path) => !path.endsWith("00"));
  for (const [first = ""] of Object.values(paths)) if (first.startsWith("/api/")) await checkFound(`${url}${first}`);
  const reads = Object.entries(paths).map(([name, all]): [string, Target] => [
    name,
    { port, calls: all.map(getUncached), status: 200 },
  ]);
  const create: Target = { port, calls: [postJSON("/api/v1/blog", token, post(counter))], status: 201 };
  return { ...(Object.fromEntries(reads) as Record<keyof typeof paths, Target>), create };
}

/** A list that is empty would be fast, too. */
async function checkFound(url: string): Promise<void> {
  const body = await ask<unknown[] | { photos?: unknown[] }>(url);
  const found = Array.isArray(body) ? body : (body.photos ?? [body]);
  if (found.length === 0) throw new Error(`${url} found nothing`);
}

function toRow(turns: Turns<Operation>, name: Operation, wanted: number[]): Row {
  const [smallest, largest] = [String(wanted[0]), String(wanted.at(-1))];
  const samples = ratios(turns[name][largest] ?? [], turns[name][smallest] ?? [], costOf);
  const title = `${operations[name]}, ${print(Number(largest))} to ${print(Number(smallest))} records`;
  return rowOf({ name: title, unit: "processor time", goal: { atMost: name === "search" ? 3 : 1.5 } }, samples);
}

function toGrowth(turns: Turns<Operation>, name: Operation): Growth {
  const points = Object.entries(turns[name]).map(([records, own]) => {
    const samples = own.map(costOf).map(round);
    const spread: [number, number] = [Math.min(...samples), Math.max(...samples)];
    return { records: Number(records), median: median(samples), spread, samples };
  });
  return { name: operations[name], points };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

export const print = (size: number) => size.toLocaleString("en-US");
