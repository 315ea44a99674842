// Mixed load on a real server for ten minutes: memory, descriptors and latency must stay flat. Linux only.
//   npm run test:soak
//   npm run test:soak -- --minutes 2
//   npm run test:soak -- --program dist/main.js
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { memoryOf, sumOver } from "../../bench/processes.ts";
import { stopChecking } from "../kit/check-responses.ts";
import { startVitrine } from "../kit/process.ts";
import { choose, fill, type Site } from "./soak-operations.ts";

const workers = 8;
const sampleEveryMs = 1000;
const warmUpMs = 60_000;
const delayEveryMs = 10;

type Sample = { memory: number; descriptors: number };
/** `delays`: how late the timers of this process ran, in milliseconds. */
type Part = { samples: Sample[]; durations: number[]; delays: number[] };

/** In the last third, at most this many times what it was in the first, plus a constant. */
const bounds = {
  memory: { factor: 1.1, more: 8, unit: " MiB" },
  descriptors: { factor: 1, more: 16, unit: "" },
  p99: { factor: 1.5, more: 5, unit: " ms" },
};

async function soak(minutes: number, program: string | undefined): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-soak-"));
  try {
    const settings = { DATA_DIR: dataDir, MEDIA_RATE_LIMIT_BURST: "1000000000" };
    await using server = await startVitrine(settings, program && resolve(program));
    stopChecking(server.url);
    const { pid } = server.process;
    const site = await fill(server.url);
    // Caches fill, and the compiler of the runtime is done with most functions.
    await load(site, pid, Math.max(warmUpMs, (minutes * 60_000) / 5));
    const parts: Part[] = [];
    for (const _third of [1, 2, 3]) parts.push(await load(site, pid, (minutes * 60_000) / 3));
    return judge(parts);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function load(site: Site, pid: number, milliseconds: number): Promise<Part> {
  const part: Part = { samples: [], durations: [], delays: [] };
  const end = performance.now() + milliseconds;
  const timer = setInterval(() => part.samples.push(takeSample(pid)), sampleEveryMs);
  let due = performance.now() + delayEveryMs;
  const delayTimer = setInterval(() => {
    part.delays.push(Math.max(0, performance.now() - due));
    due = performance.now() + delayEveryMs;
  }, delayEveryMs);
  const work = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await choose()(site);
      part.durations.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: workers }, work)).finally(() => {
    clearInterval(timer);
    clearInterval(delayTimer);
  });
  return part;
}

/** Memory includes that of child processes. */
function takeSample(pid: number): Sample {
  return { memory: sumOver(pid, memoryOf), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** Prints a table, and returns a sentence for everything that has grown. */
function judge(parts: Part[]): string[] {
  const values = parts.map(({ samples, durations, delays }) => ({
    memory: percentile(
      samples.map(({ memory }) => memory),
      0.5,
    ),
    descriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
    p99: percentile(durations, 0.99),
    delay: percentile(delays, 0.99),
    requests: durations.length,
  }));
  console.table(
    values.map((row) => Object.fromEntries(Object.entries(row).map(([key, number]) => [key, round(number)]))),
  );
  const [first, , last] = values;
  return (Object.keys(bounds) as (keyof typeof bounds)[]).flatMap((name) => {
    const { factor, more, unit } = bounds[name];
    const [before, after] = [first?.[name] ?? 0, last?.[name] ?? 0];
    // A machine that has become busier with other work also delays the timers of this process.
    const busier = name === "p99" ? Math.max(1, (last?.delay ?? 1) / (first?.delay ?? 1)) : 1;
    const most = before * factor * busier + more;
    return after <= most ? [] : [`${name}: ${round(before)} in the first third, ${round(after)}${unit} in the last.`];
  });
}

const round = (number: number) => Math.round(number * 10) / 10;

function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

const { values: options } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, program: { type: "string" } },
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new Error("--minutes must be a number above 0.");
const complaints = await soak(minutes, options.program);
for (const complaint of complaints) console.error(`soak: ${complaint}`);
if (complaints.length === 0) console.log("Memory, descriptors and latency stayed flat.");
process.exit(complaints.length === 0 ? 0 : 1);
