// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
// Runs on the embedded engines only: its records are written into the file of SQLite.
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { prepareDataDirectory } from "../../src/platform/data-directory.ts";
import { newestFormat } from "../../src/platform/database/migrate.ts";
import { recountList } from "../../src/platform/database/lists.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { isLive } from "../../src/core/trash/trash.ts";
import { visitPages } from "../kit/cursors.ts";
import { uncached } from "../kit/client.ts";
import { countTurns } from "../kit/event-loop.ts";
import { useScratch } from "../kit/scratch.ts";
import { useServer } from "../kit/use-server.ts";

const photos = 300_000;
const children = 100_000;
const gone = [photos, 200_000, 4096, 4095, 1];
const dataDir = useScratch();

beforeAll(fill);
const server = useServer({ DATA_DIR: dataDir });
const { guest } = server;
const chief = server.person("root", "admin");

describe(`lists of ${photos} photos`, () => {
  test("have a stored total and the right last page", async () => {
    const { body, headers } = await guest.get(`/api/v1/photos?page=${photos / 10}`);
    expect(headers.get("x-total-count")).toBe(String(photos));
    expect(body.map((photo: any) => photo.id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect((await guest.get(`/api/v1/photos?page=${photos / 10 + 1}`)).body).toEqual([]);
  });

  test("move up when records before them are deleted", async () => {
    for (const id of gone) expect((await chief.delete(`/api/v1/photos/${id}`)).status).toBe(200);
    const total = photos - 5;
    const first = await guest.get("/api/v1/photos");
    expect(first.headers.get("x-total-count")).toBe(String(total));
    expect(first.body[0].id).toBe(photos - 1);
    const last = await guest.get(`/api/v1/photos?page=${total}&pageSize=1`);
    expect(last.body[0].id).toBe(2);
    // The id n comes after all higher ids except the deleted ones.
    for (const id of [299_000, 250_000, 199_999, 150_000, 65_537, 65_536, 65_535, 4097, 4094, 1025, 1024, 1023, 2]) {
      const above = gone.filter((one) => one > id).length;
      const { body } = await guest.get(`/api/v1/photos?pageSize=1&page=${photos - id - above + 1}`);
      expect(body[0].id).toBe(id);
    }
  });

  test("a deep page costs about as much as the first one", async () => {
    const pages = Array.from({ length: 60 }, (_, index) => index + 1);
    const pathOf = (page: number) => `/api/v1/photos?page=${page}`;
    expect(await compareCosts(pages.map((page) => [pathOf(page), pathOf(20_000 + page)]))).toBeLessThan(4);
  });
});

describe(`a directory of ${children} entries`, () => {
  test("is renamed with one small write, which changes all paths below it", async () => {
    const { body: directory } = await guest.get("/api/v1/files/1");
    const { body: small } = await chief.post("/api/v1/directories", { name: "small" });
    const rename = async (id: number, name: string) => {
      return measureCost(async () => {
        expect((await chief.put(`/api/v1/files/${id}`, { name })).status).toBe(200);
      });
    };
    const costs = { small: Infinity, large: Infinity };
    for (let round = 0; round < 5; round++) {
      costs.small = Math.min(costs.small, await rename(small.id, `small ${round}`));
      costs.large = Math.min(costs.large, await rename(directory.id, round < 4 ? `big ${round}` : "renamed"));
    }
    expect(costs.large).toBeLessThan(20 * costs.small);
    expect((await guest.get(`/api/v1/files/${children}`)).body.path).toBe("/renamed");
    expect((await guest.get("/api/v1/files/dir/renamed/file 77777.txt")).body.id).toBe(77_778);
    expect((await guest.get("/api/v1/files/dir/big")).status).toBe(404);
  });

  test("is listed in natural order", async () => {
    const { body } = await guest.get("/api/v1/files?path=/renamed");
    expect(body).toHaveLength(children);
    expect(body.slice(0, 3).map((file: any) => file.name)).toEqual(["file 1.txt", "file 2.txt", "file 3.txt"]);
    expect(body.at(-1).name).toBe(`file ${children}.txt`);
  });

  test("is deleted with everything below it", async () => {
    expect((await chief.delete("/api/v1/files/1")).status).toBe(200);
    expect((await guest.get(`/api/v1/files/${children}`)).status).toBe(404);
    expect((await guest.get("/api/v1/photos?pageSize=1")).body[0].file).toBeNull();
  });
});

describe(`a post with ${children} comments`, () => {
  const path = "/api/v1/comments?blogPostID=1";

  test("is read whole, oldest first, and the event loop is left to others after at most 1000 comments", async () => {
    let found: { id: number }[] = [];
    const turns = await countTurns(async () => (found = (await guest.get(path)).body));
    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: children }, (_, index) => index + 1));
    expect(turns).toBeGreaterThanOrEqual(children / 1000);
  });

  test("is read by cursor, and the last pages cost about as much as the first", async () => {
    const paths: string[] = [];
    const pages = await visitPages(guest, path, 1000, async (_, address) => void paths.push(address));
    expect(pages.flat()).toHaveLength(children);
    const last = paths.slice(-20);
    expect(await compareCosts(last.map((address, index) => [paths[index] as string, address]))).toBeLessThan(4);
  });
});

/** The processor time of this process, which has the server in it. Other work on the machine does not change it. */
async function measureCost(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** How many times the cost of the first reads the second ones have. They take turns, and the lowest count: jobs of the server add to it. */
async function compareCosts(pairs: [first: string, second: string][]): Promise<number> {
  const lowest: [number, number] = [Infinity, Infinity];
  for (const pair of pairs) {
    for (const index of [0, 1] as const) {
      lowest[index] = Math.min(lowest[index], await measureCost(() => guest.get(pair[index], uncached)));
    }
  }
  return lowest[1] / lowest[0];
}

/** Writes directly to the tables, with the same result as the modules' own functions. */
async function fill(): Promise<void> {
  await prepareDataDirectory(dataDir, newestFormat);
  const db = await openSqlite(join(dataDir, "vitrine.db"));
  const numbers = (count: number) =>
    sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
  await db.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at) VALUES ('x', 'x', 'x', 'x', 'author', 0, 0)`,
    );
    await tx.run(
      sql`INSERT INTO files (parent_id, owner_id, created_at, updated_at, name, name_key, order_key) VALUES (0, 1, 0, 0, 'big', 'big', '0big')`,
    );
    await tx.run(sql`
      INSERT INTO files (parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)
      ${numbers(children)} SELECT 1, 1, 1, n, n, ${"ab".repeat(32)}, 'text/plain', 'file ' || n || '.txt', 'file ' || n || '.txt',
        '1file 00' || length(n) || n || '.txt' FROM numbers`);
    await tx.run(sql`
      INSERT INTO photos (owner_id, file_id, width, height, created_at, updated_at, title, description)
      ${numbers(photos)} SELECT 1, 2 + n % ${children}, 1, 1, n, n, 'Photo ' || n, '' FROM numbers`);
    await tx.run(sql`
      INSERT INTO posts (owner_id, title, content, slug, published_at, created_at, updated_at)
      VALUES (1, 'Talk', 'x', 'talk', 1, 1, 1)`);
    await tx.run(sql`
      INSERT INTO comments (target_kind, target_id, owner_id, content, created_at, updated_at)
      ${numbers(children)} SELECT 'post', 1, 1, 'Comment ' || n, n, n FROM numbers`);
  });
  await recountList(db, "photos", isLive);
  await db.close();
}
