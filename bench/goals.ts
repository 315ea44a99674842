import { mkdirSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { fillSizes, measureGrowth, sizes } from "./growth.ts";
import { measureHeaviest } from "./heaviest.ts";
import type { Options } from "./options.ts";
import { measurePages } from "./pages.ts";
import { measurePostgres } from "./postgres.ts";
import { stopAll } from "./processes.ts";
import { measureRequests } from "./requests.ts";
import { aboutThisRun, type Results } from "./results.ts";
import { type Plan, progress } from "./rounds.ts";
import type { Row } from "./row.ts";
import { measureStart } from "./start.ts";
import { layOut } from "./table.ts";
import { printServers } from "./version-table.ts";

/** Measures everything for which there is a goal. */
export async function measureGoals(directory: string, plan: Plan, options: Options): Promise<Results> {
  const started = performance.now();
  const run = async <Result>(name: string, measure: (own: string) => Promise<Result>) => {
    const minute = ((performance.now() - started) / 60_000).toFixed(1);
    progress(`minute ${minute}: ${name}`);
    const own = join(directory, name);
    mkdirSync(own);
    const result = await measure(own);
    await stopAll();
    return result;
  };
  const requests = await run("requests", (own) => measureRequests(own, plan, options));
  const pages = await run("pages", (own) => measurePages(own, plan));
  const wanted = options.million ? sizes.million : sizes.usual;
  const [growth, heaviest] = await run("growth", async (own) => {
    const directories = await fillSizes(own, wanted);
    return [
      await measureGrowth(directories, wanted, plan),
      await measureHeaviest(directories.at(-1) ?? "", wanted.at(-1) ?? 0, plan),
    ] as const;
  });
  const start = await run("start", (own) => measureStart(own, plan, options.against));
  const postgres = await run("postgres", (own) => measurePostgres(own, plan));

  const { rows, ...measuredRequests } = requests;
  return {
    ...aboutThisRun(),
    minutes: Number(((performance.now() - started) / 60_000).toFixed(1)),
    loadAverage: Number(os.loadavg()[0]?.toFixed(1)),
    rows: [...rows, ...pages, ...growth.rows, heaviest.row, ...start, ...postgres],
    growth: growth.growth,
    ...measuredRequests,
  };
}

export function printGoals(results: Results): string {
  return [printServers(results), "", printRows(results.rows), "", ...remarksOn(results)].join("\n");
}

export function printRows(rows: Row[]): string {
  const lines = rows.map((row) => [row.name, ...cellsOf(row), row.unit]);
  return layOut([["", "measured", "spread", "goal", "met", "unit"], ...lines], [5]);
}

export function remarksOn({ rows, growth, withoutPocketBase, generatorMost }: Results): string[] {
  const largest = growth[0]?.points.at(-1)?.records ?? 0;
  return [
    "Medians of the rounds; the spread is the lowest and the highest. `processor time` is that of the server's processes per request.",
    "Responses to guests are served from memory until a table that they were read from is written. A true miss reads the database.",
    ...notMeasured(rows),
    ...(withoutPocketBase ? [`PocketBase is not compared: ${withoutPocketBase}.`] : []),
    ...(largest < 1_000_000 ? ["Growth is measured up to 100,000 records; --million adds 1,000,000."] : []),
    `The load generator alone reaches ${Math.round(generatorMost).toLocaleString("en-US")} requests per second.`,
  ];
}

/** The rows without results, by what they need. */
function notMeasured(rows: Row[]): string[] {
  const byNote = Map.groupBy(
    rows.filter(({ note }) => note),
    ({ note }) => note,
  );
  return [...byNote].map(([note, some]) => `Not measured (${note}): ${some.map(({ name }) => name).join("; ")}.`);
}

/** Measured value, spread, goal, and whether it is met. */
export function cellsOf({ median, spread, goal, isMet }: Row): string[] {
  const digits = (median ?? 0) < 10 ? 2 : 0;
  const print = (number: number) => number.toFixed(digits);
  return [
    median === null ? "–" : print(median),
    spread ? `${print(spread[0])}–${print(spread[1])}` : "–",
    goal ? ("atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`) : "–",
    isMet === null ? "–" : isMet ? "yes" : "no",
  ];
}
