import { join } from "node:path";
import { startGenerator } from "./generator/generator.ts";
import { libraryEvents } from "./library-events.ts";
import { account, fillLibrary, firstDay, span } from "./library-fill.ts";
import type { MeasuredServer } from "./operations.ts";
import { ask, getUncached } from "./request.ts";
import { measure, type Plan, progress } from "./rounds.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { renderRates } from "./table.ts";

const sizes = [1000, 100_000, 1_000_000];
const batchSize = 1000;
const batches = 5;

const operations = {
  timeline: "the timeline of all photos",
  yearOfTag: "the timeline of a tag in one year, counted",
  first: "first page by date",
  middle: "page in the middle, by date",
  deep: "page in the middle, by creation",
  month: "one month, by date",
  tag: "a tag, by date, in the middle",
  camera: "a camera, by creation",
  combined: "a tag and a camera in one year",
} as const;

type Operation = keyof typeof operations;

/** Whether lists of photos stay as fast with a thousand times more photos, and how long a batch takes. */
export async function library(directory: string, plan: Plan, largest: number): Promise<void> {
  const servers: MeasuredServer<Operation>[] = [];
  const batchTimes = new Map<string, number>();
  for (const size of sizes.filter((one) => one <= largest)) {
    const dataDir = join(directory, `library-${size}`);
    progress(`adding ${print(size)} photos`);
    await fillLibrary(dataDir, size);
    const { port, pid } = await startVitrine(dataDir);
    servers.push({ name: print(size), pid, targets: await targetsOf(port) });
    batchTimes.set(print(size), await timeBatch(port));
  }
  const rates = await measure(startGenerator(), servers, [Object.keys(operations) as Operation[]], plan);
  const [smallest = "", ...larger] = servers.map(({ name }) => name);
  const comparisons = larger.map((name) => ({ title: `${name} to ${smallest}`, of: name, to: smallest }));
  console.log(
    `\nRequests per second by the number of photos, median of ${plan.rounds} rounds, never from the cache:\n`,
  );
  console.log(`${renderRates(operations, rates, [smallest, ...larger], comparisons)}\n`);
  for (const [name, milliseconds] of batchTimes) {
    console.log(
      `A batch of ${print(batchSize)} among ${name} photos: ${milliseconds.toFixed(0)} ms (median of ${batches}).`,
    );
  }
  await libraryEvents(directory, plan);
}

async function targetsOf(port: number): Promise<MeasuredServer<Operation>["targets"]> {
  const photos = "/api/v1/photos";
  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  const middle = firstDay + span / 2;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const month = `from=${day(middle)}&to=${day(middle + 31 * 86_400_000)}`;
  const year = `from=${day(middle)}&to=${day(middle + 365 * 86_400_000)}`;
  const newest = (await ask<{ id: number }[]>(url(photos)))[0]?.id ?? 0;
  const inMiddle = async (query: string, key: number) =>
    `${photos}?${query}&cursor=${await moveCursor(url(`${photos}?${query}&cursor=`), Math.floor(newest / 2), key)}`;
  const paths = {
    timeline: `${photos}/timeline?`,
    yearOfTag: `${photos}/timeline?tag=sea&${year}`,
    first: `${photos}?sort=takenAt`,
    middle: await inMiddle("sort=takenAt", middle),
    deep: await inMiddle("sort=createdAt", Math.floor(newest / 2)),
    month: `${photos}?sort=takenAt&${month}`,
    tag: await inMiddle("sort=takenAt&tag=sea", middle),
    camera: `${photos}?camera=X-T5`,
    combined: `${photos}?sort=takenAt&tag=sea&camera=X-T5&${year}`,
  };
  for (const path of Object.values(paths)) {
    if ((await ask<unknown[]>(url(path))).length === 0) throw new Error(`${path} found nothing`);
  }
  const target = (path: string) => ({ port, calls: [getUncached(path)], status: 200 });
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, target(path)]));
}

/** A cursor of the same list at another position. */
async function moveCursor(url: string, id: number, key: number): Promise<string> {
  const { headers } = await fetch(url);
  const next = /cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  if (!next) throw new Error(`${url} has no next page`);
  const [list] = JSON.parse(Buffer.from(next, "base64url").toString()) as [string];
  return Buffer.from(JSON.stringify([list, id, key])).toString("base64url");
}

/** Each adds another tag to the newest photos, and moves their dates. */
async function timeBatch(port: number): Promise<number> {
  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  const { token } = await ask<{ token: string }>(url("/signin"), { method: "POST", json: account });
  const photos = await ask<{ id: number }[]>(url(`/api/v1/photos?owner=me&pageSize=${batchSize}`), { token });
  const ids = photos.map(({ id }) => id);
  const times: number[] = [];
  for (let number = 0; number < batches; number++) {
    const started = performance.now();
    const json = { ids, addTags: [`tag ${number}`], set: { takenAtShift: 60 } };
    const { changed } = await ask<{ changed: number }>(url("/api/v1/photos/batch"), { method: "POST", token, json });
    if (changed !== ids.length) throw new Error(`only ${changed} photos were changed`);
    times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(batches / 2)] ?? 0;
}

const print = (size: number) => size.toLocaleString("en-US");
