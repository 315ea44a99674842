import { test } from "bun:test";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { backup, expectWhole, listIDs, makeSite, readSite, signUp } from "../kit/backup-kit.ts";
import { isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { startVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";

/*
 * Backups beside writers: `npm run test:backups`, or with TEST_ENGINE=scaled on PostgreSQL and S3. Each backup is restored,
 * checked, and compared with what was acknowledged before it began. Prints the slowest writes with and without a backup.
 */

const backupCount = Number(process.env.BACKUPS ?? 20);
const writerCount = Number(process.env.WRITERS ?? 64);
/** Each writer sends so many writes a second, so that the backups, and not the number of files, take the time. */
const writesPerSecond = 2;
/** What the site has at first: 50 MB of texts, so that copying the database takes a while. */
const firstPosts = 500;
const firstPostLength = 100_000;
/** One write of so many is an upload; the others are posts. */
const uploadEvery = 16;
const maxMinutes = 25;
const restMs = 1000;

type Write = { startedAt: number; ms: number };

const scratch = useScratch();
const started = performance.now();

test("backups beside writers contain everything that was acknowledged before", runAll, 30 * 60_000);

async function runAll(): Promise<void> {
  const site = await makeSite(join(scratch, "site"));
  const repo = join(scratch, "backups");
  await using server = await startVitrine(site);
  const token = await signUp(server);
  const stopping = new AbortController();
  const acknowledged: string[] = [];
  const writes: Write[] = [];
  await fill();
  const writers = Array.from({ length: writerCount }, (_, number) => write(number));
  await Bun.sleep(5000);

  const before: string[][] = [];
  const backups: [from: number, to: number][] = [];
  while (before.length < backupCount && minutes() < maxMinutes / 2) {
    before.push([...acknowledged]);
    const from = performance.now();
    await backup(["create", "--to", repo], site);
    backups.push([from, performance.now()]);
    await Bun.sleep(restMs);
  }
  stopping.abort();
  await Promise.all(writers);
  console.log(`${backups.length} backups were made in ${minutes().toFixed(1)} minutes.`);

  let compared = 0;
  for (const [round, id] of (await listIDs(repo, site)).entries()) {
    if (minutes() > maxMinutes) break;
    const restored = { DATA_DIR: join(scratch, `restored-${round}`) };
    await backup(["restore", "--from", repo, "--snapshot", id], restored);
    await expectWhole(restored);
    const titles = new Set((await readSite(restored, token)).titles);
    const missing = (before[round] ?? []).filter((title) => !titles.has(title));
    if (missing.length > 0) throw new Error(`Backup ${id} lacks ${missing.length} acknowledged posts: ${missing[0]}.`);
    rmSync(restored.DATA_DIR, { recursive: true });
    compared++;
  }
  const isBeside = ({ startedAt, ms }: Write) => backups.some(([from, to]) => startedAt < to && startedAt + ms > from);
  console.log(
    `${isScaled ? "PostgreSQL and S3" : "SQLite and disk"}: ${backups.length} backups beside ${writerCount} writers, ${compared} of them restored and compared, none corrupt.`,
  );
  const seconds = backups.map(([from, to]) => (to - from) / 1000).toSorted((a, b) => a - b);
  console.log(`The longest backup took ${seconds.at(-1)?.toFixed(1)} s, the shortest ${seconds[0]?.toFixed(1)} s.`);
  console.log(`Writes beside a backup: ${describe(writes.filter(isBeside))}`);
  console.log(`Writes without one: ${describe(writes.filter((one) => !isBeside(one)))}`);

  async function fill(): Promise<void> {
    const owner = client(server, token);
    for (let number = 0; number < firstPosts; number++) {
      const content = randomBytes(firstPostLength / 2).toString("hex");
      const { status } = await owner.post("/api/v1/blog", { title: `first-${number}`, content });
      if (status !== 201) throw new Error(`A first post returned ${status}.`);
      acknowledged.push(`first-${number}`);
    }
  }

  async function write(number: number): Promise<void> {
    const writer = client(server, token);
    await Bun.sleep((number * 1000) / writesPerSecond / writerCount);
    for (let count = 0; !stopping.signal.aborted; count++) {
      const startedAt = performance.now();
      const title = `${number}-${count}`;
      const { status } =
        count % uploadEvery === 0
          ? await writer.upload(`${title}.txt`, `bytes of ${title} ${crypto.randomUUID()}`)
          : await writer.post("/api/v1/blog", { title, content: "x".repeat(500) });
      if (status !== 201) throw new Error(`A write returned ${status}.`);
      if (count % uploadEvery !== 0) acknowledged.push(title);
      const ms = performance.now() - startedAt;
      writes.push({ startedAt, ms });
      await Bun.sleep(Math.max(0, 1000 / writesPerSecond - ms));
    }
  }
}

const minutes = () => (performance.now() - started) / 60_000;

function describe(writes: Write[]): string {
  const sorted = writes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return `${sorted.length}, median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(1)} ms.`;
}
