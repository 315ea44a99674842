import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Generator, startGenerator } from "./generator/generator.ts";
import { type MeasuredServer, type Operation, operations } from "./operations.ts";
import { memoryOf, sumOver } from "./processes.ts";
import { toWire } from "./request.ts";
import { connections, type Plan } from "./rounds.ts";
import { prepareSite } from "./servers/site.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { layOut, median } from "./table.ts";

const measured = ["list", "post", "get", "missedList", "missedPhoto", "missedPost"] as const satisfies Operation[];

/**
 * What a second process for reads could give at most: two whole servers, each with a site of its own, so that nothing has to be
 * shared, compared with one of them. All of them, and the load generators, are on this machine.
 */
export async function twoProcesses(directory: string, plan: Plan): Promise<void> {
  const pairs: [Generator, MeasuredServer][] = [];
  for (const name of ["one", "two"]) {
    mkdirSync(join(directory, name));
    pairs.push([startGenerator(), await prepareSite(name, await startVitrine(join(directory, name)), 0)]);
  }
  const rows: string[][] = [];
  for (const operation of measured) {
    const ratios: number[] = [];
    const rates: number[] = [];
    // The first round warms up.
    for (let round = 0; round <= plan.rounds; round++) {
      const alone = await rateOf(pairs.slice(0, 1), operation, plan);
      const together = await rateOf(pairs, operation, plan);
      if (round === 0) continue;
      rates.push(alone);
      ratios.push(together / alone);
    }
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
    rows.push([
      operations[operation],
      Math.round(median(rates)).toString(),
      median(ratios).toFixed(2),
      `${least}–${most}`,
    ]);
  }
  console.log(`\n${layOut([["", "one, per second", "two / one", "spread"], ...rows])}\n`);
  console.log(`Memory of each: ${pairs.map(([, { pid }]) => Math.round(sumOver(pid, memoryOf))).join(" and ")} MiB.`);
}

async function rateOf(pairs: [Generator, MeasuredServer][], operation: Operation, { milliseconds }: Plan) {
  const runs = pairs.map(([generator, { targets }]) => {
    const target = targets[operation];
    if (!target) throw new Error(`There is no ${operation}.`);
    const { port, calls, status } = target;
    return generator.run({
      port,
      connections: connections / pairs.length,
      milliseconds,
      most: Infinity,
      requests: calls.map((call) => toWire(port, call)),
      status,
      bodyBytes: null,
      beside: undefined,
    });
  });
  const outcomes = await Promise.all(runs);
  return outcomes.reduce((sum, { count, milliseconds: taken }) => sum + (count / taken) * 1000, 0);
}
