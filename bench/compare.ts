import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prepareBare } from "./servers/bare.ts";
import { preparePocketBase } from "./servers/pocketbase.ts";
import { findPocketBase } from "./servers/pocketbase-binary.ts";
import { prepareVitrine } from "./servers/vitrine.ts";
import { type MeasuredServer, type Operation, operations } from "./operations.ts";
import type { Options } from "./options.ts";
import { memoryOfProgram } from "./processes.ts";
import { measureCeiling } from "./generator/ceiling.ts";
import { startGenerator } from "./generator/generator.ts";
import { connections, measure, type Plan, progress } from "./rounds.ts";
import { recordResults } from "./results.ts";
import { renderRates } from "./table.ts";

const phases: Operation[][] = [
  ["list", "get", "getBesideComments"],
  ["getBesidePhotos"],
  ["missedList", "missedPhoto", "missedPost", "ownList", "download"],
  ["create", "upload"],
];

/** Garbage of the last requests is collected after a few seconds. */
const quietMs = 15_000;

/** Vitrine compared with a server that does nothing and one that does much the same. */
export async function compare(directory: string, plan: Plan, options: Options): Promise<void> {
  progress("filling the servers");
  const servers = await prepare(directory, options);
  const generator = startGenerator();
  const ceiling = await measureCeiling(generator, connections);
  const rates = await measure(generator, servers, phases, plan);
  const [vitrine = "", ...others] = servers.map(({ name }) => name);
  const comparisons = others.map((name) => ({ title: `to ${name}`, of: vitrine, to: name }));
  console.log(`\nRequests per second, median of ${plan.rounds} rounds, and Vitrine's ratio to the others:\n`);
  console.log(renderRates(operations, rates, [vitrine, ...others], comparisons));
  await Bun.sleep(quietMs);
  const memory = memoryOfProgram("src/main.ts");
  console.log(`\nAfter that and ${quietMs / 1000} quiet seconds, Vitrine uses ${memory.toFixed(0)} MiB of memory.`);
  recordResults("memory", { afterBenchMiB: memory });
  console.log(
    `\nThe load generator itself reaches ${Math.round(ceiling).toLocaleString("en-US")} requests per second here.`,
  );
}

async function prepare(directory: string, { emulate, engine }: Options): Promise<MeasuredServer[]> {
  const makeDirectory = (name: string) => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };
  const vitrine = await prepareVitrine(makeDirectory("vitrine"), engine);
  const bare = await prepareBare(makeDirectory("bare"), vitrine);
  const found = await findPocketBase(emulate);
  if ("reason" in found) {
    console.log(`PocketBase: ${found.reason}; skipped`);
    return [vitrine, bare];
  }
  if (emulate) console.log("PocketBase is emulated here: its numbers are meaningless and only show that it runs.");
  return [vitrine, bare, await preparePocketBase(makeDirectory("pocketbase"), found.command)];
}
