// Runs on the embedded engines only: it is about the files of SQLite and of the local disk.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { Acknowledged, keepWriting, stories } from "../kit/faults/acknowledged.ts";
import { type Client, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { startOnDisk } from "../kit/faults/power-cut-site.ts";
import { readUntil, runVitrine, startVitrine } from "../kit/process.ts";
import { isLong } from "../kit/long.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const env = { JWT_SECRET: "a secret that is the same before and after" };
const base = join(scratch, "base");
let token: string;

/** A directory with a site that has a writer. */
beforeAll(async () => {
  const data = { ...env, DATA_DIR: join(base, "data") };
  await runVitrine(["user", "add", "writer", "--create"], data, `${password}\n`);
  await using server = await startVitrine(data);
  token = (await client(server).post("/signin", { username: "writer", password })).body.token;
});

function copyOfSite(): string {
  const directory = newDirectory(scratch);
  cpSync(base, directory, { recursive: true });
  return directory;
}

/** Starts a server on what the cut has left. */
async function findLost(directory: string, known: Acknowledged): Promise<string[]> {
  await using server = await startVitrine({ ...env, DATA_DIR: join(directory, "data") });
  return await known.findLost(client(server, token));
}

/** A single write. */
const createAlbum = (writer: Client, known: Acknowledged) =>
  known.create(
    () => writer.post("/api/v1/albums", { name: "Kept" }),
    ({ id }) => ({
      key: `album ${id}`,
      expected: "Kept",
      read: async (reader) => (await reader.get(`/api/v1/albums/${id}`)).body.name,
    }),
  );

// A power cut is a signal.
describe.skipIf(process.platform === "win32")("when the power is cut", () => {
  const kinds = isLong ? Object.keys(stories) : ["post", "smallFile", "largeFile", "fileInParts", "photoInAlbum"];
  test.each(kinds)("at once after a write has been acknowledged, it exists: %s", async (kind) => {
    const directory = copyOfSite();
    const server = await startOnDisk(directory, env);
    const known = new Acknowledged();
    await stories[kind]?.(client(server, token), known);
    await server.cutPower();
    expect(known.size).toBeGreaterThan(0);
    expect(await findLost(directory, known)).toEqual([]);
  });

  const least = ["nothing", () => false] as const;
  const more = [
    ["a random half", () => Math.random() < 0.5],
    ["almost all", () => Math.random() < 0.9],
  ] as const;
  test.each(isLong ? [least, ...more] : [least])(
    "under load, and %s of the rest was written, all that was acknowledged exists",
    async (_which, isLucky) => {
      const directory = copyOfSite();
      const known = new Acknowledged();
      for (let cut = 0; cut < (isLong ? 2 : 1); cut++) {
        // Commits happen while a flush is running.
        const server = await startOnDisk(directory, env, { flushMs: 4 });
        let isStopped = false;
        const writers = Array.from({ length: 8 }, () =>
          keepWriting(client(server, token), known, { isStopped: () => isStopped }),
        );
        const before = known.writes;
        await until(() => known.writes >= before + 60);
        isStopped = true;
        await server.cutPower(isLucky);
        await Promise.all(writers);
        expect(await findLost(directory, known)).toEqual([]);
      }
    },
  );

  test("after the first acknowledgement, those that were committed during that flush are acknowledged only if they exist", async () => {
    const directory = copyOfSite();
    // Long enough that some of the writes are committed while the flush of the first one is running.
    const server = await startOnDisk(directory, env, { flushMs: 700 });
    const known = new Acknowledged();
    const first = Promise.withResolvers<void>();
    const writes = Array.from({ length: 12 }, async (_, number) => {
      await Bun.sleep(number * 50);
      await createAlbum(client(server, token), known).catch(() => {});
    });
    const waitForFirst = setInterval(() => known.writes > 0 && first.resolve(), 1);
    await first.promise;
    clearInterval(waitForFirst);
    // Others that share the flush are acknowledged now; the next flush is not done yet.
    await Bun.sleep(50);
    await server.cutPower();
    await Promise.all(writes);
    expect(known.size).toBeGreaterThan(0);
    expect(await findLost(directory, known)).toEqual([]);
  });

  test("a flush of the log that fails ends the server, and what waited for it is not acknowledged", async () => {
    const directory = copyOfSite();
    const fails = { number: 3, code: "EIO", calls: ["datasync"] };
    const server = await startOnDisk(directory, env, { fails });
    const writer = client(server, token);
    const write = async (title: string) => {
      const answer = await writer.post("/api/v1/blog", { title, content: "…" }).catch(() => null);
      return answer?.status === 201;
    };
    const acknowledged: boolean[] = [];
    for (let number = 0; number < 5; number++) acknowledged.push(await write(`Post ${number}`));
    expect(acknowledged).toContain(true);
    expect(acknowledged.slice(acknowledged.indexOf(false))).not.toContain(true);
    expect(acknowledged).toContain(false);
    expect(await server.process.exited).toBe(1);
    expect(await readUntil(server.process.stderr)).toContain("flushing data to the disk failed");
  });
});
