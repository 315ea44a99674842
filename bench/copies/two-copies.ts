import { join } from "node:path";
import { workloads, run } from "../../tests/kit/faults/contention.ts";
import { client } from "../../tests/kit/client.ts";
import { password } from "../../tests/kit/people.ts";
import { largeEngines, startCopy, startVitrine } from "../servers/vitrine.ts";
import type { Plan } from "../rounds.ts";
import { progress } from "../rounds.ts";

const writers = 64;

type Copy = { url: string };

/**
 * Two copies of the server on PostgreSQL, S3 and Redis: many writers of one record, copying a large directory during
 * other writes (also on SQLite), and how up to date reads are.
 */
export async function twoCopies(directory: string, plan: Plan): Promise<void> {
  const engines = await largeEngines();
  const start = (name: string) => startCopy(join(directory, name), engines);
  const both = [await start("one"), await start("two")] as const;
  const milliseconds = plan.rounds > 3 ? 60_000 : 5000;
  await measureWriters([...both], milliseconds);
  await measureCopying("PostgreSQL", ...both);
  const embedded = await startVitrine(join(directory, "embedded"));
  await measureCopying("SQLite", embedded, embedded);
  await measureFreshness(...both);
}

async function measureWriters(both: Copy[], milliseconds: number): Promise<void> {
  for (const workload of workloads()) {
    progress(`${writers} writers ${workload.name}, ${milliseconds / 1000} s`);
    const { writes, errors, lost, doubled, perSecond } = await run(workload, both, writers, milliseconds);
    console.log(
      `${workload.name}: ${Math.round(perSecond)} per second, ${writes} writes, ${errors.length} errors, ${lost.length} lost, ${doubled.length} duplicated`,
    );
  }
}

async function signUp(copy: Copy, username: string): Promise<string> {
  await client(copy).post("/signup", { username, password });
  return (await client(copy).post("/signin", { username, password })).body.token;
}

/** A directory of 10,000 files is copied while 16 other clients write. */
async function measureCopying(engine: string, one: Copy, two: Copy): Promise<void> {
  progress("filling a directory of 10,000 files");
  const owner = client(one, await signUp(one, "copier"));
  const other = client(two, await signUp(two, "other"));
  const { body: file } = await owner.upload("0.txt", "x", { path: "/source/d0" });
  for (let number = 1; number < 100; number++)
    await owner.post(`/api/v1/files/${file.id}/copy`, { path: "/source/d0" });
  const idOf = async (path: string, name: string) =>
    (await owner.get(`/api/v1/files?path=${path}`)).body.find((entry: any) => entry.name === name).id as number;
  const first = await idOf("/source", "d0");
  for (let number = 1; number < 99; number++) {
    await owner.post(`/api/v1/files/${first}/copy`, { path: "/source", name: `d${number}` });
  }
  const source = await idOf("/", "source");
  progress("copying it while 16 clients write");
  const stop = new AbortController();
  const statuses: number[] = [];
  const working = Array.from({ length: 16 }, async (_, index) => {
    while (!stop.signal.aborted) {
      const { status } = await other.post("/api/v1/blog", { title: `${index}`, content: "x" });
      statuses.push(status);
    }
  });
  const started = performance.now();
  const { status } = await owner.post(`/api/v1/files/${source}/copy`, { path: "/target" });
  const seconds = (performance.now() - started) / 1000;
  stop.abort();
  await Promise.all(working);
  const failed = statuses.filter((one) => one !== 201).length;
  console.log(
    `${engine}: copying 9,999 entries during 16 writers: ${status} in ${seconds.toFixed(1)} s; ${statuses.length} other writes, ${failed} failed`,
  );
}

/**
 * A write on one copy, then a guest's read on the other: how often, and for how long, the read returns the older state.
 */
async function measureFreshness(one: Copy, two: Copy): Promise<void> {
  progress("reading on one copy what was written on the other");
  const owner = client(one, await signUp(one, "fresh"));
  const guest = client(two);
  const { body: post } = await owner.post("/api/v1/blog", { title: "0", content: "x" });
  const delays: number[] = [];
  for (let number = 1; number <= 300; number++) {
    await guest.get(`/api/v1/blog/${post.id}`);
    await guest.get(`/api/v1/blog/${post.id}`);
    await owner.put(`/api/v1/blog/${post.id}`, { title: `${number}` });
    const written = performance.now();
    let read = "";
    let tries = 0;
    while (read !== `${number}`) {
      read = (await guest.get(`/api/v1/blog/${post.id}`)).body.title;
      if (++tries > 1000) throw new Error("The other copy never returned the write.");
    }
    delays.push(tries === 1 ? 0 : performance.now() - written);
  }
  const stale = delays.filter((delay) => delay > 0);
  console.log(
    `freshness: ${delays.length} writes, ${stale.length} returned the older state at first${stale.length > 0 ? `, by ${Math.max(...stale).toFixed(0)} ms at most` : ""}`,
  );
}
