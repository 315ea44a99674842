import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Format } from "../src/platform/images/decoder.ts";
import type { Work } from "./servers/bare-sharp.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { softPicture } from "./own-pictures.ts";
import { bun, start } from "./processes.ts";
import { ask } from "./request.ts";
import { type Plan, progress, type Turn } from "./rounds.ts";
import { renderRates } from "./table.ts";

const perRound = 8;
const cores = Math.min(4, availableParallelism());
const crowd = 200;

const operations = {
  jpeg640: "640 px JPEG",
  webp640: "640 px WebP",
  avif640: "640 px AVIF",
  webp1280: "1280 px WebP",
} as const;
type Operation = keyof typeof operations;

type Picture = { path: string; image: string };

/**
 * How much of the library's throughput reaches a browser, and what happens if many clients request the same picture at
 * once.
 */
export async function pictures(directory: string, plan: Plan): Promise<void> {
  const rounds = Math.min(plan.rounds, 7);
  const { url } = await startVitrine(join(directory, "data"));
  progress("making and uploading pictures of 12 megapixels");
  const all = await uploadPictures(directory, url, perRound * (rounds + 1) + 1);
  const library = start(bun(new URL("servers/bare-sharp.ts", import.meta.url)), ["ignore", "ignore", "ignore", "ipc"]);

  const rates = {} as Record<Operation, Record<string, Pick<Turn, "rate">[]>>;
  for (const operation of Object.keys(operations) as Operation[]) {
    progress(`${operations[operation]}: ${rounds} rounds`);
    rates[operation] = { Vitrine: [], sharp: [] };
    for (let round = 0; round <= rounds; round++) {
      const some = all.slice(round * perRound, (round + 1) * perRound);
      const turns = { Vitrine: () => viaHTTP(url, some, operation), sharp: () => byLibrary(library, some, operation) };
      const order = ["Vitrine", "sharp"] as const;
      for (const name of round % 2 === 0 ? order : order.toReversed()) {
        const rate = (perRound / (await turns[name]())) * 1000;
        // The first round is for warming up.
        if (round > 0) rates[operation][name]?.push({ rate });
      }
    }
  }
  const comparisons = [{ title: "Vitrine to sharp", of: "Vitrine", to: "sharp" }];
  console.log(`\nPictures per second, first-time rendering from a 12-megapixel JPEG, median of ${rounds} rounds:\n`);
  console.log(`${renderRates(operations, rates, ["Vitrine", "sharp"], comparisons)}\n`);
  await stampede(url, all.at(-1) as Picture);
}

async function stampede(url: string, { image }: Picture): Promise<void> {
  const one = await timed(() => load(`${url}${image}?w=1280`, "image/webp"));
  const many = await timed(() =>
    Promise.all(Array.from({ length: crowd }, () => load(`${url}${image}?w=1920`, "image/webp"))),
  );
  const again = await timed(() => load(`${url}${image}?w=1920`, "image/avif"));
  console.log(
    `One picture of 1280 px: ${one} ms. ${crowd} requests at once for one missing picture of 1920 px: ${many} ms.`,
  );
  console.log(`The same width in another format, one request: ${again} ms.\n`);
}

async function uploadPictures(directory: string, url: string, count: number): Promise<Picture[]> {
  const user = { username: "bench", password: "correct horse battery" };
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  const original = await softPicture();
  const made: Picture[] = [];
  for (let number = 1; number <= count; number++) {
    const bytes = withComment(original, `picture ${number}`);
    const path = join(directory, `picture-${number}.jpg`);
    writeFileSync(path, bytes);
    const form = new FormData();
    form.set("file", new File([bytes], `picture-${number}.jpg`));
    const file = await ask<{ id: number }>(`${url}/api/v1/files`, { method: "POST", token, form });
    const json = { title: `Picture ${number}`, fileID: file.id };
    const photo = await ask<{ id: number }>(`${url}/api/v1/photos`, { method: "POST", token, json });
    made.push({ path, image: `/api/v1/photos/${photo.id}/image` });
  }
  return made;
}

/** The same picture with different bytes, so that each has to be processed. */
function withComment(jpeg: Buffer, text: string): Buffer<ArrayBuffer> {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([head, Buffer.from(text, "latin1"), jpeg.subarray(2)]);
}

async function viaHTTP(url: string, some: Picture[], operation: Operation): Promise<number> {
  const { format, width } = read(operation);
  const started = performance.now();
  await Promise.all(some.map(({ image }) => load(`${url}${image}?w=${width}`, `image/${format}`)));
  return performance.now() - started;
}

async function byLibrary(library: ReturnType<typeof start>, some: Picture[], operation: Operation): Promise<number> {
  const work: Work = { paths: some.map(({ path }) => path), ...read(operation), sideBySide: cores };
  library.send(work);
  const [milliseconds] = (await once(library, "message")) as [number];
  return milliseconds;
}

function read(operation: Operation): { format: Format; width: number } {
  const [, format = "", width = ""] = /^([a-z]+)(\d+)$/.exec(operation) ?? [];
  return { format: format as Format, width: Number(width) };
}

async function load(url: string, accept: string): Promise<void> {
  const response = await fetch(url, { headers: { Accept: accept } });
  const { size } = await response.blob();
  const type = response.headers.get("content-type");
  if (response.status !== 200 || type !== accept || size === 0)
    throw new Error(`${url} returned ${response.status} ${type}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return Math.round(performance.now() - started);
}
