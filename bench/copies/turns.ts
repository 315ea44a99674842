import type { Generator } from "../generator/generator.ts";
import { settle } from "../processes.ts";
import { type Call, toWire } from "../request.ts";
import type { Running } from "../servers/vitrine.ts";
import { findBackends, type Part, parts, type Processes, readUsage } from "./backends.ts";
import type { Request } from "./site.ts";

/** `rate` in requests per second, `processor` in microseconds per request of each part, during `milliseconds`. */
export type CopiesTurn = { rate: number; count: number; milliseconds: number; processor: Record<Part, number> };

export const processesOf = (copies: Running[], generator: Generator | null): Processes => ({
  ...findBackends(),
  program: copies.map(({ pid }) => pid),
  generator: generator ? [generator.pid] : [],
});

/** Reads are asked for once at each copy, because a write of the turn before has emptied its memory. */
export async function remember(copies: Running[], calls: Call[]): Promise<void> {
  for (const { method, path, headers } of calls) {
    if (method !== "GET") continue;
    await Promise.all(copies.map(async ({ url }) => (await fetch(`${url}${path}`, { headers })).bytes()));
  }
}

/** Requests of one kind, spread over copies. Throws if any response was not as expected. */
export async function takeCopiesTurn(
  generator: Generator,
  copies: Running[],
  { calls, status, most, connections }: Request,
  turnMs: number,
): Promise<CopiesTurn> {
  const ports = copies.map(({ port }) => port);
  const port = ports[0] ?? 0;
  const requests = calls.map((call) => toWire(port, call));
  await remember(copies, calls);
  const processes = processesOf(copies, generator);
  const before = readUsage(processes);
  const began = performance.now();
  const job = { port, ports, connections, milliseconds: turnMs, most, requests, status, bodyBytes: null };
  const { count, milliseconds: taken } = await generator.run(job);
  // What a copy puts off is part of a request, too.
  await settle(...processes.program);
  const milliseconds = performance.now() - began;
  const after = readUsage(processes);
  const processor = Object.fromEntries(parts.map((part) => [part, ((after[part] - before[part]) / count) * 1000]));
  return { rate: (count / taken) * 1000, count, milliseconds, processor: processor as Record<Part, number> };
}
