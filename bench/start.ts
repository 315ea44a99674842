import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fillForGrowth } from "./growth-fill.ts";
import { bun, memoryOf, readPort, runCommand, start, stop, sumOver } from "./processes.ts";
import { type Plan, progress } from "./rounds.ts";
import { type Row, rowOf } from "./row.ts";
import { exactProcessorTimeOf, measureStartCost } from "./start-cost.ts";
import { layOut, median } from "./table.ts";

const root = Bun.fileURLToPath(new URL("../", import.meta.url));
const idleMs = 1000;

type Sample = { milliseconds: number; processor: number; memory: number };
/** `path` is what is requested first, on a site in `data`. */
type Way = { title: string; command: string[]; path: string; data: string; samples: Sample[] };

/**
 * From the start of a process to its first response, each way in turn, and the memory of its processes when it is idle.
 * The data directory has a site already. The files are in the cache of the system.
 */
export async function starts(directory: string, plan: Plan, refs: readonly string[]): Promise<Row[]> {
  const { smallest, byRuntime, firstPage, byNpx, others } = await prepare(directory);
  const ways = [smallest, byRuntime, firstPage, ...others, byNpx];
  await startInTurn(ways, directory, plan);
  print(ways);
  return measureStartCost(directory, plan, refs);
}

export async function measureStart(directory: string, plan: Plan, refs: readonly string[]): Promise<Row[]> {
  const { smallest, byRuntime, firstPage, byNpx } = await prepare(directory);
  await startInTurn([smallest, byRuntime, firstPage, byNpx], directory, plan);
  const unit = "time to the first response, Vitrine / the smallest server";
  const compare = ({ samples }: Way) =>
    samples.map(({ milliseconds }, index) => milliseconds / (smallest.samples[index]?.milliseconds ?? Number.NaN));
  const idle = byRuntime.samples.map(({ memory }) => memory);
  return [
    rowOf({ name: "cold start of a package, by the runtime", unit, goal: { atMost: 15 } }, compare(byRuntime)),
    rowOf({ name: "cold start of a package, first page of the site", unit, goal: { atMost: 25 } }, compare(firstPage)),
    rowOf({ name: "cold start of a package, by npx", unit }, compare(byNpx)),
    rowOf({ name: "idle memory", unit: "MiB", goal: { atMost: 58 } }, idle),
    ...(await measureStartCost(directory, plan, refs)),
  ];
}

async function prepare(directory: string) {
  progress("packing");
  const installed = await install(directory);
  await fillForGrowth(join(directory, "site"), 1000);
  const way = (title: string, ...command: string[]): Way => ({
    title,
    command,
    path: "/api/v1/photos",
    data: "data",
    samples: [],
  });
  const runtime = process.execPath;
  const byRuntime = () =>
    way("Vitrine from a package, by the runtime", runtime, join(installed, "dist/main.js"), "serve");
  return {
    smallest: way(
      "the smallest server on this runtime",
      ...bun(new URL("servers/smallest-server.ts", import.meta.url)),
    ),
    byRuntime: byRuntime(),
    firstPage: { ...byRuntime(), title: "the same, first page of a site", path: "/", data: "site" },
    byNpx: way("Vitrine from a package, by npx", "npx", "--no-install", "--prefix", directory, "vitrine", "serve"),
    others: [
      way("Vitrine from its sources, by the runtime", runtime, join(root, "src/main.ts"), "serve"),
      way("Vitrine from a package, by its launcher", "node", join(installed, "bin/vitrine"), "serve"),
    ],
  };
}

async function startInTurn(ways: Way[], directory: string, plan: Plan): Promise<void> {
  progress(`${plan.rounds} rounds of ${ways.length} starts`);
  // The first round creates the site and fills the caches of the system.
  for (let round = 0; round <= plan.rounds; round++) {
    for (const way of ways) {
      const sample = await startOnce(way, join(directory, way.data));
      if (round > 0) way.samples.push(sample);
    }
  }
}

/** The package as npm installs it. */
async function install(directory: string): Promise<string> {
  const modules = join(directory, "node_modules");
  const installed = join(modules, "vitrine");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const packed = await runCommand(["npm", "pack", "--silent", "--prefix", root, "--pack-destination", directory, root]);
  await runCommand(["tar", "-xzf", join(directory, packed.trim().split("\n").at(-1) ?? ""), "-C", modules]);
  await runCommand(["mv", join(modules, "package"), installed]);
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  symlinkSync("../vitrine/bin/vitrine", join(modules, ".bin/vitrine"));
  return installed;
}

async function startOnce({ command, path }: Way, dataDir: string): Promise<Sample> {
  const env = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, DRAIN_SECONDS: "0" };
  const started = performance.now();
  const child = start(command, ["ignore", "pipe", "ignore"], env);
  const response = await fetch(`http://127.0.0.1:${await readPort(child, command.join(" "))}${path}`);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  await response.text();
  const milliseconds = performance.now() - started;
  const processor = sumOver(child.pid ?? 0, exactProcessorTimeOf);
  await Bun.sleep(idleMs);
  const memory = sumOver(child.pid ?? 0, memoryOf);
  await stop(child);
  return { milliseconds, processor, memory };
}

function print(ways: Way[]): void {
  const base = ways[0]?.samples ?? [];
  const results = ways.map(({ title, samples }) => {
    const ratioOf = (measure: (sample: Sample) => number) =>
      median(samples.map((sample, round) => measure(sample) / measure(base[round] ?? sample)));
    const durations = samples.map(({ milliseconds }) => milliseconds);
    return {
      title,
      milliseconds: { median: median(durations), least: Math.min(...durations), most: Math.max(...durations) },
      ratio: ratioOf(({ milliseconds }) => milliseconds),
      processorMilliseconds: median(samples.map(({ processor }) => processor)),
      processorRatio: ratioOf(({ processor }) => processor),
      idleMiB: median(samples.map(({ memory }) => memory)),
    };
  });
  const head = ["", "ms", "spread", "ratio", "processor ms", "ratio", "idle MiB"];
  const lines = results.map((row) => [
    row.title,
    row.milliseconds.median.toFixed(0),
    `${row.milliseconds.least.toFixed(0)}–${row.milliseconds.most.toFixed(0)}`,
    row.ratio.toFixed(1),
    row.processorMilliseconds.toFixed(0),
    row.processorRatio.toFixed(1),
    row.idleMiB.toFixed(0),
  ]);
  console.log(`\nFrom the start of the process to the first response, median of ${base.length} rounds:\n`);
  console.log(layOut([head, ...lines]));
}
