import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startGenerator } from "./generator/generator.ts";
import { type MeasuredServer, operations } from "./operations.ts";
import { bun, startServer } from "./processes.ts";
import { measure, type Plan, progress } from "./rounds.ts";
import { prepareSite } from "./servers/site.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { renderRates } from "./table.ts";

const { create16, create64, update16, update64, comment, photo, attach, small, large } = operations;
const titles = { create16, create64, update16, update64, comment, photo, attach, small, large };
type Operation = keyof typeof titles;
type Measured = MeasuredServer<Operation>;

/** A directory in memory, where a flush costs nothing. */
const memory = "/dev/shm";

/** Writes on Vitrine, on the same server without flushing, and on a server that only stores the bytes. */
export async function writes(directory: string, plan: Plan): Promise<void> {
  progress("filling the servers");
  const vitrine = await prepare("Vitrine", join(directory, "data"), plan);
  const servers = [vitrine];
  if (existsSync(memory)) {
    const path = mkdtempSync(join(memory, "vitrine-bench-"));
    process.on("exit", () => rmSync(path, { recursive: true, force: true }));
    servers.push(await prepare("no flush", path, plan));
  }
  servers.push(await prepareStore(join(directory, "bare"), vitrine));
  const phases = (Object.keys(titles) as Operation[]).map((one) => [one]);
  const turns = await measure(startGenerator(), servers, phases, plan);
  const names = servers.map(({ name }) => name);
  const comparisons = names.slice(1).map((name) => ({ title: `to ${name}`, of: "Vitrine", to: name }));
  console.log(`\nWrites per second, median of ${plan.rounds} rounds, and Vitrine's ratio to the others:\n`);
  console.log(renderRates(titles, turns, names, comparisons));
  console.log("\n`no flush` is Vitrine with its data in memory; `bare` stores the body of each request as a file.");
}

async function prepare(name: string, dataDir: string, { rounds }: Plan): Promise<Measured> {
  return prepareSite(name, await startVitrine(dataDir), rounds + 2);
}

/** It gets the same requests. */
async function prepareStore(directory: string, { targets }: Measured): Promise<Measured> {
  mkdirSync(directory);
  const server = bun(new URL("servers/store-server.ts", import.meta.url), directory);
  const { printed, pid } = await startServer(server, { on: "stderr", pattern: /Listening: (\d+)/ });
  const same = Object.entries(targets).map(([name, target]) => [
    name,
    { ...target, port: Number(printed), status: 201 },
  ]);
  return { name: "bare", pid, targets: Object.fromEntries(same) as Measured["targets"] };
}
