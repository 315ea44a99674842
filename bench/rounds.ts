import type { MeasuredServer, Target } from "./operations.ts";
import type { Generator } from "./generator/generator.ts";
import { toWire } from "./request.ts";

/** Requests per second of every server and operation, one number per round. */
export type Rates<Operation extends string> = Record<Operation, Record<string, number[]>>;
export type Plan = { rounds: number; milliseconds: number };

export const connections = 32;
const warmUp = 500;

/**
 * In every round, every operation is measured on every server, one directly after the other and in a different order
 * each time, so that other work on the machine affects all of them equally. The phases follow each other, so that
 * operations which fill or empty a cache do not disturb measurements that use it.
 */
export async function measure<Operation extends string>(
  generator: Generator,
  servers: MeasuredServer<Operation>[],
  phases: Operation[][],
  plan: Plan,
): Promise<Rates<Operation>> {
  const rates = {} as Rates<Operation>;
  for (const operation of phases.flat()) rates[operation] = Object.fromEntries(servers.map(({ name }) => [name, []]));
  for (const operations of phases) {
    progress(`${operations.join(", ")}: ${plan.rounds} rounds`);
    await runRound(operations, 0, warmUp);
    for (let round = 1; round <= plan.rounds; round++) {
      const results = await runRound(operations, round, plan.milliseconds);
      for (const { operation, name, rate } of results) rates[operation][name]?.push(rate);
    }
  }
  return rates;

  async function runRound(operations: Operation[], round: number, milliseconds: number) {
    const results: { operation: Operation; name: string; rate: number }[] = [];
    for (const [place, operation] of operations.entries()) {
      for (const { name, targets } of rotate(servers, round + place)) {
        const rate = await takeTurn(generator, targets[operation], milliseconds).catch((error: Error) =>
          Promise.reject(new Error(`${name} failed at ${operation}: ${error.message}`)),
        );
        results.push({ operation, name, rate });
      }
    }
    return results;
  }
}

export function progress(text: string): void {
  console.error(`${text} …`);
}

function takeTurn(generator: Generator, target: Target, milliseconds: number): Promise<number> {
  const { port, calls, status, bodyBytes = null, most = Infinity, beside, connections: open = connections } = target;
  const requests = calls.map((call) => toWire(port, call));
  const written = beside && toWire(port, beside);
  return generator.rate({ port, connections: open, milliseconds, most, requests, status, bodyBytes, beside: written });
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
