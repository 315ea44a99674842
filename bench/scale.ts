import { join } from "node:path";
import { startVitrine } from "./servers/vitrine.ts";
import type { MeasuredServer } from "./operations.ts";
import { fillDataDirectory } from "./fill.ts";
import { startGenerator } from "./generator/generator.ts";
import { ask, get, getUncached } from "./request.ts";
import { measure, type Plan, progress } from "./rounds.ts";
import { renderRates } from "./table.ts";

const sizes = [1000, 100_000, 1_000_000];
const pageSize = 10;

const cached = { first: "LIST page 1, from memory", get: "GET, 1,000 URLs, from memory" } as const;
const missed = {
  missedFirst: "LIST page 1, true miss",
  missedMiddle: "LIST pages in the middle, true miss",
  missedLast: "LIST last pages, true miss",
  missedGet: "GET anywhere, true miss",
} as const;
const operations = { ...cached, ...missed };

type Operation = keyof typeof operations;

/** Whether it stays as fast with a thousand times more photos. */
export async function scale(directory: string, plan: Plan): Promise<void> {
  const servers: MeasuredServer<Operation>[] = [];
  for (const size of sizes) {
    const dataDir = join(directory, String(size));
    progress(`adding ${print(size)} photos`);
    await fillDataDirectory(dataDir, size);
    const { port, pid } = await startVitrine(dataDir);
    await checkCount(port, size);
    servers.push({ name: print(size), pid, targets: targetsOf(port, size) });
  }
  const rates = await measure(startGenerator(), servers, [cached, missed].map(Object.keys) as Operation[][], plan);
  const [smallest = "", ...larger] = servers.map(({ name }) => name);
  const comparisons = larger.map((name) => ({ title: `${name} to ${smallest}`, of: name, to: smallest }));
  console.log(`\nRequests per second by the number of photos, median of ${plan.rounds} rounds:\n`);
  console.log(`${renderRates(operations, rates, [smallest, ...larger], comparisons)}\n`);
}

/** A list that is empty or truncated would be fast, too. */
async function checkCount(port: number, size: number): Promise<void> {
  const last = `http://127.0.0.1:${port}/api/v1/photos?page=${size / pageSize}`;
  const photos = await ask<{ id: number; file: object | null }[]>(last);
  if (photos.length !== pageSize || photos.at(-1)?.id !== 1 || !photos[0]?.file)
    throw new Error(`${last} is not as expected`);
}

function targetsOf(port: number, size: number): MeasuredServer<Operation>["targets"] {
  const target = (paths: string[]) => ({ port, calls: paths.map(get), status: 200 });
  const missed = (paths: string[]) => ({ port, calls: paths.map(getUncached), status: 200 });
  const last = size / pageSize;
  const ids = (count: number) => numbers(count).map((index) => 1 + Math.floor((index * size) / count));
  return {
    first: target(["/api/v1/photos?page=1"]),
    get: target(ids(1000).map((id) => `/api/v1/photos/${id}`)),
    missedFirst: missed(pages(1, 1)),
    missedMiddle: missed(pages(last / 2 - 10, 20)),
    missedLast: missed(pages(last - 19, 20)),
    missedGet: missed(shuffle(ids(20_000)).map((id) => `/api/v1/photos/${id}`)),
  };
}

function pages(first: number, count: number): string[] {
  return numbers(count).map((index) => `/api/v1/photos?page=${first + index}`);
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const print = (size: number) => size.toLocaleString("en-US");

/** In an order without neighbours, the same every time. */
function shuffle<Item>(items: Item[]): Item[] {
  const step = 7919;
  return items.map((_, index) => items[(index * step) % items.length] as Item);
}
