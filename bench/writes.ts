import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { counter } from "./generator/job.ts";
import { startGenerator } from "./generator/generator.ts";
import { bytesOf, forEachNumber, type MeasuredServer, photo, post, type Target, uploadBytes } from "./operations.ts";
import { bun, startServer } from "./processes.ts";
import { ask, type Call, postFile, postJSON } from "./request.ts";
import { measure, type Plan, progress, type Turns } from "./rounds.ts";
import { costOf, missingRow, rateOf, ratios, type Row, rowOf } from "./row.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { renderRates } from "./table.ts";

const titles = {
  create16: "CREATE a post, 16 connections",
  create64: "CREATE a post, 64 connections",
  comment: "CREATE a comment, 16 connections",
  photo: "CREATE a photo, 16 connections",
  attach: "ADD a photo to an album, 16 connections",
  small: "UPLOAD 100 KB, 16 connections",
  large: "UPLOAD 1 MB, 16 connections",
} as const;
type Operation = keyof typeof titles;
type Measured = MeasuredServer<Operation>;

const photos = 1000;
const largeBytes = 1_000_000;
/** A directory in memory, where a flush costs nothing. */
const memory = "/dev/shm";

/** Writes that are small are compared with the same server without flushing; uploads, with the least that can be done. */
const small: Operation[] = ["create16", "create64", "comment", "photo", "attach"];
const uploads: Operation[] = ["small", "large"];

export async function writes(directory: string, plan: Plan): Promise<void> {
  const { names, turns } = await measureTurns(directory, plan);
  const [vitrine = "", ...others] = names;
  const comparisons = others.map((name) => ({ title: `to ${name}`, of: vitrine, to: name }));
  console.log(`\nWrites per second, median of ${plan.rounds} rounds, and Vitrine's ratio to the others:\n`);
  console.log(renderRates(titles, turns, names, comparisons));
  console.log("\n`no flush` is Vitrine with its data in memory; `bare` stores the body of each request as a file.");
}

export async function measureWrites(directory: string, plan: Plan): Promise<Row[]> {
  const { turns } = await measureTurns(directory, plan);
  const toUnflushed = small.map((operation) => {
    const described = {
      name: titles[operation],
      unit: "rate, Vitrine / Vitrine without flushing",
      goal: { atLeast: 0.5 },
    };
    const { Vitrine = [], "no flush": unflushed } = turns[operation];
    return unflushed
      ? rowOf(described, ratios(Vitrine, unflushed, rateOf))
      : missingRow(described, `this system has no ${memory}`);
  });
  const toBare = uploads.map((operation) => {
    const { Vitrine = [], bare = [] } = turns[operation];
    const unit = "processor time, Vitrine / a server that only stores the body";
    return rowOf({ name: titles[operation], unit, goal: { atMost: 1.5 } }, ratios(Vitrine, bare, costOf));
  });
  return [...toUnflushed, ...toBare];
}

/** Writes on Vitrine, on the same server without flushing, and on a server that only stores the bytes. */
async function measureTurns(directory: string, plan: Plan): Promise<{ names: string[]; turns: Turns<Operation> }> {
  progress("filling the servers");
  const servers = [await prepare("Vitrine", join(directory, "data"), plan)];
  if (existsSync(memory)) {
    const path = mkdtempSync(join(memory, "vitrine-bench-"));
    process.on("exit", () => rmSync(path, { recursive: true, force: true }));
    servers.push(await prepare("no flush", path, plan));
  }
  servers.push(await prepareBare(join(directory, "bare"), servers[0] as Measured));
  const generator = startGenerator();
  const turns = await measure(
    generator,
    servers,
    (Object.keys(titles) as Operation[]).map((one) => [one]),
    plan,
  );
  return { names: servers.map(({ name }) => name), turns };
}

async function prepare(name: string, dataDir: string, plan: Plan): Promise<Measured> {
  const { port, pid, url } = await startVitrine(dataDir);
  const user = { username: "bench", password: "correct horse battery" };
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  const make = async (path: string, json: unknown) =>
    (await ask<{ id: number }>(`${url}/api/v1/${path}`, { method: "POST", token, json })).id;
  const form = new FormData();
  form.set("file", new File([bytesOf(1000, 1)], "photo.bin"));
  const { id: fileID } = await ask<{ id: number }>(`${url}/api/v1/files`, { method: "POST", token, form });
  const ids: number[] = [];
  await forEachNumber(photos, async (number) => void ids.push(await make("photos", { ...photo(number), fileID })));
  const blogPostID = await make("blog", post("0"));
  const albums: number[] = [];
  await forEachNumber(plan.rounds + 1, async (number) => void albums.push(await make("albums", { name: `${number}` })));

  const write = (call: Call, connections = 16): Target => ({ port, calls: [call], status: 201, connections });
  const upload = (size: number) =>
    postFile("/api/v1/files", token, `${counter}.bin`, counter, bytesOf(size - counter.length, 0));
  const create = postJSON("/api/v1/blog", token, post(counter));
  return {
    name,
    pid,
    targets: {
      create16: write(create),
      create64: write(create, 64),
      comment: write(postJSON("/api/v1/comments", token, { content: `Comment ${counter}`, blogPostID })),
      photo: write(postJSON("/api/v1/photos", token, { ...photo(0), title: `Photo ${counter}`, fileID })),
      attach: {
        port,
        status: 200,
        connections: 16,
        most: photos,
        // Each turn has an album of its own: a photo that is in it already would not be added.
        get calls() {
          const path = `/api/v1/albums/${albums.pop()}/photos`;
          return ids.map((photoID) => postJSON(path, token, { photoID }));
        },
      },
      small: { ...write(upload(uploadBytes)), most: 500 },
      large: { ...write(upload(largeBytes)), most: 100 },
    },
  };
}

/** It gets the same requests. */
async function prepareBare(directory: string, { targets }: Measured): Promise<Measured> {
  mkdirSync(directory);
  const server = bun(new URL("servers/store-server.ts", import.meta.url), directory);
  const { printed, pid } = await startServer(server, { on: "stderr", pattern: /Listening: (\d+)/ });
  const port = Number(printed);
  const attach = { ...targets.comment, most: photos };
  const same = Object.entries({ ...targets, attach }).map(([name, target]) => [name, { ...target, port }]);
  return { name: "bare", pid, targets: Object.fromEntries(same) as Measured["targets"] };
}
