import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { memoryOf, readPort, start, stop, sumOver } from "./processes.ts";
import { type Plan, progress } from "./rounds.ts";
import { type Row, rowOf } from "./row.ts";
import { checkOut } from "./servers/version.ts";

const root = Bun.fileURLToPath(new URL("../", import.meta.url));
const memoryAfterMs = 5000;

type Cost = { processor: number; memory: number };
type Costs = { name: string; directory: string; existing: Cost[]; created: Cost[] };

/**
 * What `npm start` costs from the second time on, all its processes but npm itself, for this version and others in turn. Each has a data
 * directory of its own.
 */
export async function measureStartCost(directory: string, plan: Plan, refs: readonly string[]): Promise<Row[]> {
  const versions: Costs[] = [{ name: "", directory: root, existing: [], created: [] }];
  for (const ref of new Set(refs)) {
    const { directory: checkedOut } = await checkOut(ref, directory);
    versions.push({ name: ` (${ref})`, directory: checkedOut, existing: [], created: [] });
  }
  progress(`${plan.rounds} rounds of npm start`);
  // The first round builds what is not built, and creates the data.
  for (let round = 0; round <= plan.rounds; round++) {
    for (const [index, version] of versions.entries()) {
      const [existing, created] = ["existing", "created"].map((name) => join(directory, `${name}-${index}`));
      rmSync(created ?? "", { recursive: true, force: true });
      const costs = [
        await startOnce(version.directory, existing ?? ""),
        await startOnce(version.directory, created ?? ""),
      ];
      if (round > 0 && costs[0] && costs[1]) {
        version.existing.push(costs[0]);
        version.created.push(costs[1]);
      }
    }
  }
  return versions.flatMap(({ name, existing, created }) => {
    const goalOf = (most: number) => (name === "" ? { atMost: most } : null);
    const processor = (title: string, most: number, costs: Cost[]) =>
      rowOf(
        { name: title + name, unit: "ms", goal: goalOf(most) },
        costs.map((cost) => cost.processor),
      );
    return [
      processor("processor time of npm start until the first response", 250, existing),
      processor("processor time of npm start until the first response, new directory", 400, created),
      rowOf(
        { name: `memory 5 s after npm start${name}`, unit: "MiB", goal: goalOf(60) },
        existing.map((cost) => cost.memory),
      ),
    ];
  });
}

async function startOnce(directory: string, dataDir: string): Promise<Cost> {
  const { scripts } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  // npm runs one script by another; what it costs itself is the same for all versions.
  const before = scripts.prestart?.replace("npm run --silent build", scripts.build ?? "");
  const prepared = before ? await prepare(directory, before) : 0;
  const env = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, DRAIN_SECONDS: "0" };
  const child = start(["sh", "-c", `cd '${directory}' && exec ${scripts.start}`], ["ignore", "pipe", "ignore"], env);
  const port = await readPort(child, `npm start in ${directory}`);
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/photos`);
  if (!response.ok) throw new Error(`npm start in ${directory} returned ${response.status}`);
  await response.text();
  const processor = prepared + sumOver(child.pid ?? 0, exactProcessorTimeOf);
  await Bun.sleep(memoryAfterMs);
  const memory = sumOver(child.pid ?? 0, memoryOf);
  await stop(child);
  return { processor, memory };
}

/** Returns its processor time, and that of what it has started, in milliseconds. */
async function prepare(directory: string, script: string): Promise<number> {
  const child = Bun.spawn(["sh", "-c", script], { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
  if ((await child.exited) !== 0) throw new Error(`${script} failed in ${directory}`);
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
}

/** In milliseconds. Linux counts it exactly for each thread, and in hundredths of a second for a process. */
export function exactProcessorTimeOf(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
