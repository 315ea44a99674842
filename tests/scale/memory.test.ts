// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
// Runs on the embedded engines only: it measures the memory of the server's process.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { startVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";

/** In short runs, four times of what may be needed. */
const size = (isLong ? 512 : 256) * 2 ** 20;
const scratch = useScratch();

test.if(process.platform === "linux")(
  "uploading and downloading a large file needs less than 64 MiB of memory",
  async () => {
    await using server = await startVitrine({ DATA_DIR: join(scratch, "files") });
    const owner = await person(server, "owner");
    await owner.upload("warm.bin", new Uint8Array(2 ** 20));
    const before = peak(server.process.pid);

    const { status, body: file } = await owner.request("POST", "/api/v1/files", {
      body: form(),
      headers: { "Content-Type": "multipart/form-data; boundary=edge" },
    });
    expect([status, file.size]).toEqual([201, size]);
    expect(peak(server.process.pid) - before).toBeLessThan(64);

    const hasher = new Bun.CryptoHasher("sha256");
    const response = await fetch(client(server).url(file.url));
    for await (const chunk of response.body as ReadableStream<Uint8Array>) hasher.update(chunk);
    expect(hasher.digest("hex")).toBe(file.sha256);
    expect(peak(server.process.pid) - before).toBeLessThan(64);
  },
);

test.if(process.platform === "linux" && isLong)(
  "ten clients that read a list of 50 MB at the same time need less than 160 MiB of memory",
  async () => {
    const content = "x".repeat(500_000);
    const need = await needOfTen("posts", async (_dataDir, owner) => {
      for (let number = 0; number < 100; number++) await owner.post("/api/v1/blog", { title: `${number}`, content });
      return { path: "/api/v1/blog?pageSize=1000", leastBytes: 50_000_000 };
    });
    expect(need).toBeLessThan(maxForTen);
  },
);

// Lists of other records are read in the same way.
test.if(isLong && process.platform === "linux")(
  "ten clients that read 100,000 comments at the same time need less than 160 MiB of memory",
  async () => {
    const comments = 100_000;
    const need = await needOfTen("comments", async (dataDir, owner) => {
      const { body: post } = await owner.post("/api/v1/blog", { title: "Talk", content: "x" });
      const db = await openSqlite(join(dataDir, "vitrine.db"));
      await db.transaction((tx) =>
        tx.run(sql`
          INSERT INTO comments (target_kind, target_id, owner_id, content, created_at, updated_at)
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${comments})
          SELECT 'post', ${post.id}, ${owner.userID}, 'Comment ' || n, n, n FROM numbers`),
      );
      await db.close();
      return { path: `/api/v1/comments?blogPostID=${post.id}`, leastBytes: comments * 100 };
    });
    expect(need).toBeLessThan(maxForTen);
  },
);

test.if(process.platform === "linux")("the pages that SQLite caches are freed when they are released", async () => {
  const path = join(scratch, "cache.db");
  const code = `
    const { openSqlite } = await import(${JSON.stringify(new URL("../../src/platform/database/sqlite.ts", import.meta.url).href)});
    const { sql } = await import(${JSON.stringify(new URL("../../src/platform/database/sql.ts", import.meta.url).href)});
    const db = await openSqlite(${JSON.stringify(path)});
    const memory = async () => (Bun.gc(true), await Bun.sleep(2000), process.memoryUsage().rss / 2 ** 20);
    await db.transaction((tx) => tx.run(sql\`CREATE TABLE cached AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
      SELECT n, randomblob(3500) AS bytes FROM numbers\`));
    await db.get(sql\`SELECT sum(length(hex(bytes))) FROM cached\`);
    const before = await memory();
    db.releaseMemory();
    console.log(before - (await memory()));
    await db.close();`;
  const child = Bun.spawn([process.execPath, "--no-orphans", "-e", code], { stderr: "inherit" });
  expect(Number(await child.stdout.text())).toBeGreaterThan(16);
});

const maxForTen = 160;

/**
 * How much memory in MiB a server needs for ten clients who read the same at the same time. The least of three servers counts,
 * because the garbage collector is late on a busy machine.
 */
async function needOfTen(
  name: string,
  fill: (dataDir: string, owner: Client) => Promise<{ path: string; leastBytes: number }>,
): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least >= maxForTen; attempt++) {
    const dataDir = join(scratch, `${name}-${attempt}`);
    await using server = await startVitrine({ DATA_DIR: dataDir });
    const { path, leastBytes } = await fill(dataDir, await person(server, "owner"));
    const before = peak(server.process.pid);
    const sizes = await Promise.all(Array.from({ length: 10 }, () => countBytes(client(server).url(path))));
    expect(Math.min(...sizes)).toBeGreaterThan(leastBytes);
    least = Math.min(least, peak(server.process.pid) - before);
  }
  return least;
}

async function countBytes(url: string): Promise<number> {
  const response = await fetch(url);
  let bytes = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) bytes += chunk.length;
  return bytes;
}

function form(): ReadableStream {
  const block = crypto.getRandomValues(new Uint8Array(65_536));
  let sent = 0;
  return new ReadableStream({
    start: (controller) =>
      controller.enqueue(
        Buffer.from(`--edge\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`),
      ),
    pull(controller) {
      if (sent < size) controller.enqueue(block);
      else {
        controller.enqueue(Buffer.from("\r\n--edge--\r\n"));
        controller.close();
      }
      sent += block.length;
    },
  });
}

/** The peak memory of the process, in MiB. */
function peak(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
