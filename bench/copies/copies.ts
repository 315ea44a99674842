import { join } from "node:path";
import { type Generator, startGenerator } from "../generator/generator.ts";
import { type Plan, progress } from "../rounds.ts";
import { largeEngines, type Running, startCopy } from "../servers/vitrine.ts";
import { layOut, median } from "../table.ts";
import type { Part } from "./backends.ts";
import { type ReadBack, readBack } from "./read-back.ts";
import { fillSite, type Kind, kindNames, kinds, type Site } from "./site.ts";
import { pinProcesses } from "./pin.ts";
import { type CopiesTurn, processesOf, takeCopiesTurn } from "./turns.ts";
import { twoCopies } from "./two-copies.ts";
import { countWork } from "./work.ts";

/** How many copies take turns; the first is what the others are compared with. */
export const groups = [1, 2, 4, 8] as const;
export type Group = (typeof groups)[number];
const [, ...more] = groups;

type Measured = {
  turns: Record<Kind, Record<Group, CopiesTurn[]>>;
  readBacks: Record<Group, ReadBack[]>;
};

/** Throws if a request failed or a read was stale. */
export async function copies(directory: string, plan: Plan): Promise<void> {
  await countWork();
  const started = await startCopies(directory, Math.max(...groups), {});
  progress("filling the site");
  const site = await fillSite(started[0]?.url ?? "");
  const generator = startGenerator();
  console.log(pinProcesses(processesOf(started, generator)));
  const measured = await measureCopies(generator, started, site, plan);
  console.log(`\n${renderCopies(measured, plan)}\n`);
  refuseFaults(measured.readBacks);
  await twoCopies(directory, plan);
}

/** Copies of the server on one new database, bucket and Redis. */
export async function startCopies(
  directory: string,
  count: number,
  settings: Record<string, string>,
): Promise<Running[]> {
  const engines = await largeEngines();
  const started: Running[] = [];
  for (let number = 1; number <= count; number++) {
    started.push(await startCopy(join(directory, `copy-${number}`), { ...engines, ...settings }));
  }
  return started;
}

/** In every round, one, two, four and eight copies take turns at each kind of request, in a different order each time. */
export async function measureCopies(
  generator: Generator,
  started: Running[],
  site: Site,
  { rounds, milliseconds }: Plan,
): Promise<Measured> {
  const empty = () => ({ 1: [], 2: [], 4: [], 8: [] });
  const turns = Object.fromEntries(kindNames.map((kind) => [kind, empty()])) as unknown as Measured["turns"];
  const readBacks: Measured["readBacks"] = empty();
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    const order = groups.map((_, index) => groups[(index + round) % groups.length] as Group);
    for (const kind of kindNames) {
      for (const group of order) {
        const turn = await takeCopiesTurn(generator, started.slice(0, group), site.requests[kind], milliseconds);
        if (round > 0) turns[kind][group].push(turn);
      }
    }
    for (const group of order) {
      const result = await readBack(started.slice(0, group), site, milliseconds);
      if (round > 0) readBacks[group].push(result);
    }
  }
  return { turns, readBacks };
}

function renderCopies({ turns, readBacks }: Measured, { rounds }: Plan): string {
  const rates = layOut([
    ["requests per second", "1 copy", ...more.flatMap((group) => [`${group} copies`, "spread"])],
    ...kindNames.map((kind) => rateRow(kinds[kind], turns[kind])),
    rateRow("write, then read at another copy", readBacks),
  ]);
  const costs = layOut([
    ["processor time per request", ...["program", "PostgreSQL"].flatMap((part) => [part, ...more.map(String)])],
    ...kindNames.map((kind) => [
      kinds[kind],
      ...costCells(turns[kind], "program"),
      ...costCells(turns[kind], "database"),
    ]),
  ]);
  const faults = groups.map((group) => {
    const all = readBacks[group];
    const sum = (of: (one: ReadBack) => number) => all.reduce((total, one) => total + of(one), 0);
    return `${group === 1 ? "1 copy" : `${group} copies`}: ${sum(({ writes }) => writes)} writes were read back, ${sum(({ stale }) => stale)} stale, ${sum(({ errors }) => errors.length)} errors`;
  });
  return [
    `Medians of ${rounds} rounds; for several copies, the ratio to one copy in the same round.`,
    rates,
    costs,
    faults.join("\n"),
  ].join("\n\n");
}

function rateRow(title: string, turns: Record<Group, { rate: number }[]>): string[] {
  const compared = more.flatMap((group) => {
    const ratios = turns[group].map(({ rate }, round) => rate / (turns[1][round]?.rate ?? Number.NaN));
    return [median(ratios).toFixed(2), `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`];
  });
  return [title, Math.round(median(turns[1].map(({ rate }) => rate))).toLocaleString("en-US"), ...compared];
}

function costCells(turns: Record<Group, CopiesTurn[]>, part: Part): string[] {
  const costOf = (turn: CopiesTurn | undefined) => turn?.processor[part] ?? Number.NaN;
  const ratioOf = (group: Group) => median(turns[group].map((turn, round) => costOf(turn) / costOf(turns[1][round])));
  const own = median(turns[1].map(costOf));
  if (Number.isNaN(own)) return ["–", ...more.map(() => "–")];
  return [`${own.toFixed(own < 10 ? 1 : 0)} µs`, ...more.map((group) => ratioOf(group).toFixed(2))];
}

function refuseFaults(readBacks: Measured["readBacks"]): void {
  const all = Object.values(readBacks).flat();
  const [error] = all.flatMap(({ errors }) => errors);
  if (error) throw new Error(`a request failed: ${error}`);
  if (all.some(({ stale }) => stale > 0)) throw new Error("a copy returned what was older than an acknowledged write");
}
