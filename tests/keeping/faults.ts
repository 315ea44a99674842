/**
 * Power cuts, kills, and calls of the file system that fail, under writes of all kinds: nothing that was acknowledged may be
 * lost, and the server starts again each time. `npm run test:faults`; with other numbers than the usual ones:
 * `npm run test:faults -- --cuts 10 --kills 20 --minutes 5`.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Acknowledged, keepWriting, stories } from "../kit/faults/acknowledged.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { startOnDisk } from "../kit/faults/power-cut-site.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "100" },
    kills: { type: "string", default: "500" },
    minutes: { type: "string", default: "30" },
  },
});
const [cuts, kills] = [Number(values.cuts), Number(values.kills)];
const endsAt = performance.now() + Number(values.minutes) * 60_000;
const isOver = () => performance.now() > endsAt;

const writersAtOnce = 8;
const writesPerRound = 40;
const codes = ["EIO", "ENOSPC", "EMFILE"];
const failingCalls = "open openSync writeFile rename renameSync rm sync datasync fsync".split(" ");
/** How much of what was not flushed is on the disk after a power cut. */
const shares = { nothing: 0, half: 0.5, "almost all": 0.9 };

const scratch = mkdtempSync(join(tmpdir(), "vitrine-faults-"));
const env = {
  JWT_SECRET: "a secret that is the same before and after",
  // A check reads everything at once.
  RATE_LIMIT_PER_SECOND: "1000000",
  RATE_LIMIT_BURST: "1000000",
};
const counts: Record<string, number> = {};
const count = (name: string, number = 1) => void (counts[name] = (counts[name] ?? 0) + number);
const lost: string[] = [];

let token = "";
try {
  const base = await createSite();
  await cutOften(copyOf(base));
  await killOften(copyOf(base));
  for (const code of codes) await failOften(base, code);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const line of lost.slice(0, 50)) console.error(`lost: ${line}`);
for (const [name, number] of Object.entries(counts)) console.log(`${String(number).padStart(7)}  ${name}`);
console.log(`${String(lost.length).padStart(7)}  acknowledged writes lost`);
const isComplete =
  counts["power cuts"] === cuts && counts["kills"] === kills && counts["codes of errors, to the end"] === codes.length;
if (!isComplete) console.log(`Not all of it was done within ${values.minutes} minutes.`);
process.exit(lost.length === 0 && isComplete ? 0 : 1);

async function createSite(): Promise<string> {
  const directory = join(scratch, "base");
  const data = { ...env, DATA_DIR: join(directory, "data") };
  await runVitrine(["user", "add", "writer", "--create"], data, `${password}\n`);
  await using server = await startVitrine(data);
  token = (await client(server).post("/signin", { username: "writer", password })).body.token;
  return directory;
}

function copyOf(site: string): string {
  const directory = mkdtempSync(join(scratch, "site-"));
  cpSync(site, directory, { recursive: true });
  return directory;
}

/** Each round checks what the last one has written, so that a server is started once per round. */
async function cutOften(directory: string): Promise<void> {
  const rounds: Acknowledged[] = [];
  for (let round = 0; round < cuts && !isOver(); round++) {
    const server = await startOnDisk(directory, env, { flushMs: round % 5 });
    await check(server, rounds.slice(-1));
    const writersEnd = await write(server, rounds);
    const share = Object.values(shares)[round % Object.keys(shares).length] as number;
    await server.cutPower(() => Math.random() < share);
    await writersEnd();
    count("power cuts");
  }
  await checkAll(directory, rounds);
}

/** Kills the server, and before that, sometimes, the processes that render for it. */
async function killOften(directory: string): Promise<void> {
  const rounds: Acknowledged[] = [];
  for (let killed = 0; killed < kills && !isOver();) {
    const server = await startVitrine({ ...env, DATA_DIR: join(directory, "data") });
    await check(server, rounds.slice(-1));
    const load = { isStopped: false };
    const known = new Acknowledged();
    rounds.push(known);
    const writers = startWriting(server, known, load);
    for (let child = 0; child < 4 && killed < kills - 1; child++) {
      await Bun.sleep(20 + Math.random() * 60);
      if (!killChild(server.process.pid)) continue;
      count("of these, of processes that render");
      count("kills");
      killed++;
    }
    await Bun.sleep(Math.random() * 60);
    load.isStopped = true;
    server.process.kill("SIGKILL");
    await Promise.all([...writers, server.process.exited]);
    count("writes acknowledged", known.writes);
    count("kills");
    killed++;
  }
  await checkAll(directory, rounds);
}

/** Lets the first call fail, then the second, and so on, until there is no such call in a run. */
async function failOften(base: string, code: string): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const directory = copyOf(base);
    const known = new Acknowledged();
    const hasFailed = await runWithFault(directory, known, { number, code, calls: failingCalls });
    await checkAll(directory, [known]);
    rmSync(directory, { recursive: true });
    count("writes acknowledged", known.writes);
    if (!hasFailed) return count("codes of errors, to the end");
    count("calls that failed");
  }
}

/** Whether a call has failed. A server that cannot start or go on says so and ends. */
async function runWithFault(
  directory: string,
  known: Acknowledged,
  fails: { number: number; code: string; calls: string[] },
): Promise<boolean> {
  let server;
  try {
    server = await startOnDisk(directory, env, { fails });
  } catch (error) {
    if (!String(error).includes("The disk fails at")) throw error;
    count("of these, at the start");
    return true;
  }
  const writer = client(server, token);
  for (const story of Object.values(stories)) await story(writer, known).catch(() => {});
  const stderr = new Response(server.process.stderr).text();
  await server.cutPower();
  return (await stderr).includes("The disk fails at");
}

type Started = { url: string };
type Load = { isStopped: boolean };

function startWriting(server: Started, known: Acknowledged, load: Load): Promise<void>[] {
  const options = { isStopped: () => load.isStopped, mayFail: true };
  return Array.from({ length: writersAtOnce }, () => keepWriting(client(server, token), known, options));
}

/** Writes of all kinds until enough of them were acknowledged. The writers end when the server does. */
async function write(server: Started, rounds: Acknowledged[]): Promise<() => Promise<void>> {
  const load = { isStopped: false };
  const known = new Acknowledged();
  rounds.push(known);
  const writers = startWriting(server, known, load);
  await until(() => known.writes >= writesPerRound || isOver());
  load.isStopped = true;
  return async () => {
    await Promise.all(writers);
    count("writes acknowledged", known.writes);
  };
}

async function check(server: Started, rounds: Acknowledged[]): Promise<void> {
  for (const known of rounds) {
    lost.push(...(await known.findLost(client(server, token))));
    count("records compared", known.size);
  }
}

async function checkAll(directory: string, rounds: Acknowledged[]): Promise<void> {
  await using server = await startVitrine({ ...env, DATA_DIR: join(directory, "data") });
  await check(server, rounds);
}

/** Kills one of the processes that the server has started; false if there is none. */
function killChild(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    const child = children[Math.floor(Math.random() * children.length)];
    return child !== undefined && process.kill(Number(child), "SIGKILL");
  } catch {
    return false;
  }
}
