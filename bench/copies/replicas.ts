import { join } from "node:path";
import { type PostgresServer, startPostgres } from "../../tests/kit/servers/postgres.ts";
import { startGenerator } from "../generator/generator.ts";
import { counter } from "../generator/job.ts";
import { processorTimeOf, settle } from "../processes.ts";
import { get, toWire } from "../request.ts";
import { type Plan, progress } from "../rounds.ts";
import { largeEngines, type Running, startCopy } from "../servers/vitrine.ts";
import { layOut, median } from "../table.ts";
import { readBack } from "./read-back.ts";
import { fillSite, type Site } from "./site.ts";

const counts = [0, 1, 2] as const;
type Count = (typeof counts)[number];
type Turn = { rate: number; primary: number; replicas: number };

/** None of these comes from memory. */
const requestsOf = ({ requests }: Site) => ({
  "a search for another word each time": [get(`/api/v1/search?q=harbour${counter}`)],
  "a list with another filter each time": [get(`/api/v1/photos?tag=${counter}`)],
  "a picture of 640 px": requests.picture.calls,
});

/** Three copies on one primary, which read from none, one and two replicas. Throws if a request failed or a read was stale. */
export async function replicas(directory: string, plan: Plan): Promise<void> {
  await using primary = await startPostgres();
  await using first = await startPostgres({ standbyOf: primary });
  await using second = await startPostgres({ standbyOf: primary });
  const engines = { ...(await largeEngines()), DATABASE_URL: primary.url };
  const urls = [first.url, second.url];
  const copies: Running[] = [];
  for (const count of counts) {
    const settings = { ...engines, DATABASE_REPLICA_URL: urls.slice(0, count).join(",") };
    copies.push(await startCopy(join(directory, `replicas-${count}`), settings));
  }
  progress("filling the site");
  const site = await fillSite(copies[0]?.url ?? "");
  const measured = await measure(copies, site, [primary, first, second], plan);
  const { writes, stale, errors } = await readBack(copies, site, plan.rounds * plan.milliseconds);
  console.log(
    `\n${render(measured, plan)}\n\n${writes} writes were read back, ${stale} stale, ${errors.length} errors\n`,
  );
  if (stale > 0 || errors.length > 0) throw new Error(`a read was stale or failed: ${errors[0] ?? "stale"}`);
}

type Measured = Record<string, Record<Count, Turn[]>>;

async function measure(
  copies: Running[],
  site: Site,
  [primary, ...followers]: PostgresServer[],
  { rounds, milliseconds }: Plan,
): Promise<Measured> {
  const generator = startGenerator();
  const kinds = requestsOf(site);
  const measured: Measured = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { 0: [], 1: [], 2: [] }]));
  const usage = () => [primary?.pid() ?? 0, ...followers.map(({ pid }) => pid())].map((pid) => processorTimeOf(pid));
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const [kind, calls] of Object.entries(kinds)) {
      for (const [index] of counts.entries()) {
        const count = counts[(index + round) % counts.length] ?? 0;
        const { port = 0, pid = 0 } = copies[count] ?? {};
        const before = usage();
        const requests = calls.map((call) => toWire(port, call));
        const job = { port, connections: 32, milliseconds, most: Infinity, requests, status: 200, bodyBytes: null };
        const outcome = await generator.run(job);
        await settle(pid);
        const [own = 0, ...others] = usage().map(
          (time, server) => ((time - (before[server] ?? 0)) * 1000) / outcome.count,
        );
        const turn = {
          rate: (outcome.count / outcome.milliseconds) * 1000,
          primary: own,
          replicas: others.reduce((sum, time) => sum + time, 0),
        };
        if (round > 0) measured[kind]?.[count].push(turn);
      }
    }
  }
  return measured;
}

function render(measured: Measured, { rounds }: Plan): string {
  const rows = Object.entries(measured).map(([kind, turns]) => {
    const ratios = ([1, 2] as const).map((count) =>
      median(turns[count].map(({ rate }, round) => rate / (turns[0][round]?.rate ?? Number.NaN))).toFixed(2),
    );
    const times = counts.map((count) => {
      const of = (part: "primary" | "replicas") => Math.round(median(turns[count].map((turn) => turn[part])));
      return count === 0 ? `${of("primary")} µs` : `${of("primary")} + ${of("replicas")} µs`;
    });
    const rate = Math.round(median(turns[0].map((turn) => turn.rate))).toLocaleString("en-US");
    return [kind, rate, ...ratios, ...times];
  });
  return [
    `Medians of ${rounds} rounds; the ratios are to no replica in the same round, the times those of the primary and the replicas per request.`,
    layOut([["requests per second", "none", "one", "two", "PostgreSQL", "one", "two"], ...rows]),
  ].join("\n\n");
}
