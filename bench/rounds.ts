import type { Contestant, Target } from "./deeds.ts";
import type { Generator } from "./generator/generator.ts";
import { toWire } from "./request.ts";

/** Requests a second of every contestant at every deed, one number a round. */
export type Rates<Deed extends string> = Record<Deed, Record<string, number[]>>;
export type Plan = { rounds: number; milliseconds: number };

export const connections = 32;
const warmUp = 500;

/**
 * In every round every deed is asked of every contestant, one directly after the other and each time in another order:
 * what happens to the machine meanwhile happens to all of them. The phases follow each other, so that what fills or
 * empties a cache does not come between what is measured with it.
 */
export async function measure<Deed extends string>(
  generator: Generator,
  contestants: Contestant<Deed>[],
  phases: Deed[][],
  plan: Plan,
): Promise<Rates<Deed>> {
  const rates = {} as Rates<Deed>;
  for (const deed of phases.flat()) rates[deed] = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (const deeds of phases) {
    progress(`${deeds.join(", ")}: ${plan.rounds} rounds`);
    await runRound(deeds, 0, warmUp);
    for (let round = 1; round <= plan.rounds; round++) {
      const results = await runRound(deeds, round, plan.milliseconds);
      for (const { deed, name, rate } of results) rates[deed][name]?.push(rate);
    }
  }
  return rates;

  async function runRound(deeds: Deed[], round: number, milliseconds: number) {
    const results: { deed: Deed; name: string; rate: number }[] = [];
    for (const [place, deed] of deeds.entries()) {
      for (const { name, targets } of rotate(contestants, round + place)) {
        const rate = await takeTurn(generator, targets[deed], milliseconds).catch((error: Error) =>
          Promise.reject(new Error(`${name} failed at ${deed}: ${error.message}`)),
        );
        results.push({ deed, name, rate });
      }
    }
    return results;
  }
}

export function progress(text: string): void {
  console.error(`${text} …`);
}

function takeTurn(generator: Generator, target: Target, milliseconds: number): Promise<number> {
  const { port, calls, status, bodyBytes = null, most = Infinity } = target;
  const requests = calls.map((call) => toWire(port, call));
  return generator.rate({ port, connections, milliseconds, most, requests, status, bodyBytes });
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
