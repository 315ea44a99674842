import type { MeasuredServer, Target } from "./operations.ts";
import type { Generator } from "./generator/generator.ts";
import type { Latency } from "./generator/job.ts";
import { processorTimeOf, settle } from "./processes.ts";
import { toWire } from "./request.ts";

/** `rate` in requests per second, `processor` in microseconds of the server's processor time per request. */
export type Turn = { rate: number; processor: number; latency: Latency };
/** The turns of every operation and server, one per round. */
export type Turns<Operation extends string> = Record<Operation, Record<string, Turn[]>>;
export type Plan = { rounds: number; milliseconds: number };

export const connections = 32;

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
): Promise<Turns<Operation>> {
  const turns = {} as Turns<Operation>;
  for (const operation of phases.flat()) turns[operation] = Object.fromEntries(servers.map(({ name }) => [name, []]));
  for (const operations of phases) {
    progress(`${operations.join(", ")}: ${plan.rounds} rounds`);
    // The first round warms up.
    for (let round = 0; round <= plan.rounds; round++) {
      const results = await runRound(operations, round);
      if (round > 0) for (const { operation, name, turn } of results) turns[operation][name]?.push(turn);
    }
  }
  return turns;

  async function runRound(operations: Operation[], round: number) {
    const results: { operation: Operation; name: string; turn: Turn }[] = [];
    for (const [place, operation] of operations.entries()) {
      for (const { name, pid, targets } of rotate(servers, round + place)) {
        const target = targets[operation];
        if (!target) continue;
        const turn = await takeTurn(generator, pid, target, plan.milliseconds).catch((error: Error) =>
          Promise.reject(new Error(`${name} failed at ${operation}: ${error.message}`)),
        );
        results.push({ operation, name, turn });
      }
    }
    return results;
  }
}

export function progress(text: string): void {
  console.error(`${text} …`);
}

async function takeTurn(generator: Generator, pid: number, target: Target, milliseconds: number): Promise<Turn> {
  const { port, calls, status, bodyBytes = null, most = Infinity, beside, connections: open = connections } = target;
  const requests = calls.map((call) => toWire(port, call));
  const written = beside && toWire(port, beside);
  const job = { port, connections: open, milliseconds, most, requests, status, bodyBytes, beside: written };
  const before = processorTimeOf(pid);
  const { count, milliseconds: taken, latency } = await generator.run(job);
  // Work that a server puts off is part of a request, too, and must not disturb the next server.
  const processor = (((await settle(pid)) - before) / count) * 1000;
  return { rate: (count / taken) * 1000, processor, latency };
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
