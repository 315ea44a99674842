// How many machines a load needs: npm run plan -- --reads 50000 --writes 200 --photos 100e6
import { parseArgs } from "node:util";
import { stopAll } from "../processes.ts";
import { makeWorkDirectory } from "../work-directory.ts";
import { readCosts, writeCosts } from "./costs.ts";
import { measureCosts } from "./measure.ts";
import { type Limits, type Load, plan, usualLimits, usualLoad } from "./model.ts";
import { renderCosts, renderPlan } from "./report.ts";

const options = {
  reads: "requests of visitors per second",
  writes: "posts, comments and uploads per second",
  photos: "photos of the site",
  pictures: "share of the reads that are pictures; the others are pages",
  misses: "share of the pages that no copy has in its memory",
  cdn: "share of the pictures that a CDN in front serves",
  picture: "bytes of a picture on a page",
  original: "bytes of an original",
  variants: "bytes of all its variants",
  hot: "share of the records that nearly all requests are about; 1 is the worst case",
} as const satisfies Record<keyof Load, string>;

const limitOptions = {
  databaseCores: "cores of PostgreSQL",
  databaseMemory: "bytes of memory that keep its pages",
  connections: "its max_connections",
  iops: "operations per second of its disk",
  storeRequests: "requests per second that the bucket takes",
  network: "bits per second of the whole site",
  busy: "share of a copy's core that is used before there is another copy",
} as const satisfies Record<keyof Limits, string>;

const nameOf = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const usage = `Usage: npm run plan -- [options]

Prints how many copies a load needs, what PostgreSQL, Redis and the store have to take, and what breaks first. It counts with the costs in
bench/plan/costs.json.

  --measure    measures these costs on this machine and writes them, in about five minutes: after eval "$(bin/test-servers start)"
${[...describe(options, usualLoad), ...describe(limitOptions, usualLimits)].join("\n")}
  --help`;

function describe<Key extends string>(texts: Record<Key, string>, values: Record<Key, number>): string[] {
  return (Object.keys(texts) as Key[]).map(
    (key) => `  --${`${nameOf(key)} N`.padEnd(20)} ${texts[key]}; ${values[key].toLocaleString("en-US")} unless given`,
  );
}

async function run(words: string[]): Promise<number> {
  const value = { type: "string" } as const;
  const numbers = [...Object.keys(options), ...Object.keys(limitOptions)].map((key) => [nameOf(key), value]);
  const flag = { type: "boolean", default: false } as const;
  let values: Record<string, unknown>;
  let [load, limits] = [usualLoad, usualLimits];
  try {
    ({ values } = parseArgs({ args: words, options: { ...Object.fromEntries(numbers), measure: flag, help: flag } }));
    load = fill(usualLoad, values);
    limits = fill(usualLimits, values);
  } catch (error) {
    console.error(`plan: ${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.measure) {
    writeCosts(await measureCosts(makeWorkDirectory()));
    console.log(renderCosts(readCosts()));
    return 0;
  }
  const costs = readCosts();
  console.log(renderPlan(load, plan(load, limits, costs), costs));
  return 0;
}

const shares = new Set(["pictures", "misses", "cdn", "hot", "busy"]);

function fill<Values extends Record<string, number>>(usual: Values, given: Record<string, unknown>): Values {
  const entries = Object.entries(usual).map(([key, value]) => {
    const word = given[nameOf(key)];
    const number = word === undefined ? value : Number(word);
    if (!(number >= 0) || (shares.has(key) && number > 1))
      throw new Error(`--${nameOf(key)} must be a ${shares.has(key) ? "share between 0 and 1" : "number"}`);
    return [key, number];
  });
  return Object.fromEntries(entries) as Values;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(`plan: ${(error as Error).message}`);
  process.exitCode = 1;
}
await stopAll();
process.exit();
