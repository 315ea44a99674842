import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prepareBare } from "./contestants/bare.ts";
import { preparePocketBase } from "./contestants/pocketbase.ts";
import { findPocketBase } from "./contestants/pocketbase-binary.ts";
import { prepareVitrine } from "./contestants/vitrine.ts";
import { type Contestant, type Deed, deeds } from "./deeds.ts";
import type { Options } from "./options.ts";
import { measureCeiling } from "./generator/ceiling.ts";
import { startGenerator } from "./generator/generator.ts";
import { connections, measure, type Plan, progress } from "./rounds.ts";
import { renderRates } from "./table.ts";

const phases: Deed[][] = [
  ["list", "get"],
  ["freshList", "freshGet", "download"],
  ["create", "upload"],
];

/** Vitrine beside a server that does nothing and one that does much the same. */
export async function compare(directory: string, plan: Plan, options: Options): Promise<void> {
  progress("filling the servers");
  const contestants = await prepare(directory, options);
  const generator = startGenerator();
  const ceiling = await measureCeiling(generator, connections);
  const rates = await measure(generator, contestants, phases, plan);
  const [vitrine = "", ...others] = contestants.map(({ name }) => name);
  const comparisons = others.map((name) => ({ title: `to ${name}`, of: vitrine, to: name }));
  console.log(`\nRequests a second, median of ${plan.rounds} rounds; then Vitrine's ratio to the others:\n`);
  console.log(renderRates(deeds, rates, [vitrine, ...others], comparisons));
  console.log(
    `\nThe load generator itself ends at ${Math.round(ceiling).toLocaleString("en-US")} requests a second here.`,
  );
}

async function prepare(directory: string, { emulate, engine }: Options): Promise<Contestant[]> {
  const room = (name: string) => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };
  const vitrine = await prepareVitrine(room("vitrine"), engine);
  const bare = await prepareBare(room("bare"), vitrine);
  const found = await findPocketBase(emulate);
  if ("reason" in found) {
    console.log(`PocketBase: ${found.reason}, left out`);
    return [vitrine, bare];
  }
  if (emulate) console.log("PocketBase is emulated here: its numbers mean nothing, only that it runs.");
  return [vitrine, bare, await preparePocketBase(room("pocketbase"), found.command)];
}
