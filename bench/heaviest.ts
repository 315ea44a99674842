import { Database } from "bun:sqlite";
import { join } from "node:path";
import { print } from "./growth.ts";
import { fillForHeaviest } from "./heavy-fill.ts";
import { heavyRequests } from "./heavy-requests.ts";
import { stopAll } from "./processes.ts";
import { type Plan, progress } from "./rounds.ts";
import { round, type Row, rowOf } from "./row.ts";
import type { Report } from "./servers/probe.ts";
import { startCopy } from "./servers/vitrine.ts";
import { layOut, median } from "./table.ts";

const shown = 10;
/** The server's own jobs start ten seconds after it; with a million records, they take a while. */
const jobMilliseconds = 25_000;

/** Milliseconds of processor time per execution. `request` is where it took longest. */
export type SlowStatement = { text: string; request: string; median: number; most: number; plan: string[] };
export type HeaviestResults = {
  records: number;
  row: Row;
  turns: { name: string; longest: number }[];
  statements: SlowStatement[];
};

type Times = { request: string; samples: number[]; most: number };

/**
 * The longest turn of the event loop in any request or job, and the slowest statements, with many records. Each request
 * is sent alone.
 */
export async function measureHeaviest(dataDir: string, records: number, { rounds }: Plan): Promise<HeaviestResults> {
  await fillForHeaviest(dataDir);
  const server = await startCopy(dataDir, {}, new URL("servers/probe.ts", import.meta.url));
  const unix = join(dataDir, "probe.sock");
  const takeReport = async () => (await (await fetch("http://localhost/", { unix })).json()) as Report;
  const turns: { name: string; samples: number[] }[] = [];
  const statements = new Map<string, Times>();

  async function watch(request: string, count: number, work: () => Promise<unknown>): Promise<void> {
    const samples: number[] = [];
    for (let number = 0; number < count; number++) {
      await takeReport();
      await work();
      const report = await takeReport();
      samples.push(report.longestTurn);
      for (const statement of report.statements) {
        const known = statements.get(statement.text) ?? { request, samples: [], most: 0 };
        if (statement.most > known.most) Object.assign(known, { request, most: statement.most });
        known.samples.push(statement.total / statement.count);
        statements.set(statement.text, known);
      }
    }
    turns.push({ name: request, samples });
  }

  progress(`the longest turns of the event loop with ${print(records)} records`);
  await watch("the server's own jobs after its start", 1, () => Bun.sleep(jobMilliseconds));
  for (const [name, work] of Object.entries(await heavyRequests(server, records))) {
    // The first one also compiles the functions that it uses.
    await work();
    await watch(name, Math.min(rounds, 5), work);
  }
  await stopAll();
  return {
    records,
    row: toRow(turns, records),
    turns: turns.map(({ name, samples }) => ({ name, longest: round(Math.max(...samples)) })),
    statements: explainSlowest(dataDir, statements),
  };
}

function toRow(turns: { name: string; samples: number[] }[], records: number): Row {
  const longest = turns.reduce((one, other) => (median(other.samples) > median(one.samples) ? other : one));
  const name = `longest turn of the event loop with ${print(records)} records: ${longest.name}`;
  return rowOf({ name, unit: "ms of processor time", goal: { atMost: 10 } }, longest.samples);
}

function explainSlowest(dataDir: string, statements: Map<string, Times>): SlowStatement[] {
  using db = new Database(join(dataDir, "vitrine.db"), { readonly: true });
  return [...statements]
    .filter(([text]) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text))
    .map(([text, { request, samples, most }]) => ({ text, request, median: median(samples), most }))
    .toSorted((one, other) => other.median - one.median)
    .slice(0, shown)
    .map((statement) => ({
      ...statement,
      text: statement.text.replaceAll(/\s+/g, " ").trim(),
      median: round(statement.median),
      most: round(statement.most),
      plan: db
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement.text}`)
        .all()
        .map(({ detail }) => detail),
    }));
}

export function printStatements({ records, statements, turns }: HeaviestResults): string {
  const rows = statements.map(({ text, request, median, most }, index) => [
    `${index + 1}. ${shorten(text, 70)}`,
    shorten(request, 45),
    median.toFixed(2),
    most.toFixed(2),
  ]);
  const plans = statements.map(({ text, plan }, index) => `${index + 1}. ${text}\n   ${plan.join("\n   ")}`);
  return [
    `The slowest statements with ${print(records)} records, in milliseconds of processor time:\n`,
    layOut([["", "slowest in", "median", "slowest"], ...rows]),
    `\nTheir plans:\n\n${plans.join("\n\n")}`,
    "\nThe longest turn of the event loop in each request, in milliseconds of processor time:\n",
    layOut([["", "longest"], ...turns.map(({ name, longest }) => [name, longest.toFixed(1)])]),
  ].join("\n");
}

const shorten = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
