import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openEngines } from "../../engines.ts";
import { sweep } from "./sweep.ts";
import { createCounter } from "../holdings/counter.ts";
import { kindsOf, schemaOf, tablesOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { admin, person, signedIn } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { serverConfig, startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { isScaled } from "../../../tests/kit/engine.ts";
import { until } from "../../../tests/kit/until.ts";

const scratch = useScratch();
const files = "/api/v1/files";
const reported = {
  kinds: kindsOf(modules),
  tables: tablesOf(modules),
  holdings: modules.flatMap(({ holdings }) => holdings ?? []),
};

describe("the storage report", () => {
  let server: TestServer;
  let owner: Client;
  const read = async () => (await owner.get("/api/v1/storage")).body;

  beforeAll(async () => {
    server = await startServer();
    owner = await person(server, "owner");
  });
  afterAll(() => server.close());

  test("tells which kinds of files there are, and in which months they were uploaded", async () => {
    const image = (await owner.upload("a.png", png(2, 2))).body;
    const text = (await owner.upload("a.txt", "four")).body;
    const film = (await owner.upload("a.bin", "film")).body;
    await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        await tx.run(sql`UPDATE files SET created_at = ${Date.UTC(2024, 1, 29, 23, 59)} WHERE id = ${image.id}`);
        await tx.run(sql`UPDATE files SET created_at = ${Date.UTC(2024, 2, 1)} WHERE id = ${text.id}`);
        await tx.run(sql`
          UPDATE files SET created_at = ${Date.UTC(2024, 2, 31)}, content_type = 'video/mp4' WHERE id = ${film.id}`);
      }),
    );
    // Commands beside a server show in its responses after a moment.
    const { owners, months } = await until(read, (report) => report.owners[0].videos.count === 1);
    expect(owners[0]).toMatchObject({
      images: { count: 1, bytes: image.size },
      videos: { count: 1, bytes: 4 },
      otherFiles: { count: 1, bytes: 4 },
      files: { count: 3, bytes: image.size + 8 },
    });
    expect(months).toEqual([
      { month: "2024-03", count: 2, bytes: 8 },
      { month: "2024-02", count: 1, bytes: image.size },
    ]);
  });

  test("counts what lies deep below a directory in the trash as trash, and no longer when it is restored", async () => {
    await owner.upload("deep.txt", "deep", { path: "/a/b/c/d" });
    await owner.upload("high.txt", "high", { path: "/a" });
    const before = (await read()).owners[0];
    const directory = (await owner.get(files)).body.find(({ name }: any) => name === "a");
    await owner.delete(`${files}/${directory.id}`);
    const trashed = (await read()).owners[0];
    expect(trashed.trash).toEqual({ count: 2, bytes: 8 });
    expect(trashed.directories).toBe(before.directories - 4);
    expect([trashed.files.count, trashed.bytes]).toEqual([before.files.count - 2, before.bytes]);
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect((await read()).owners[0]).toEqual(before);
  });

  test("always includes what was written before it was requested, even if many request it at the same time", async () => {
    const start = (await read()).owners[0].files.count;
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        await owner.upload(`${number}.txt`, String(number), { path: "/many" });
        const { count } = (await read()).owners[0].files;
        expect(count).toBeGreaterThan(start);
      }),
    );
    expect((await read()).owners[0].files.count).toBe(start + 20);
  });
});

test("a sweep counts the variants of pictures, and admins see how much space they take", async () => {
  const dataDir = newDirectory(scratch);
  const first = await startServer({ DATA_DIR: dataDir });
  const owner = await person(first, "owner");
  await admin(first, "chief");
  const file = (await owner.upload("a.png", png(400, 300))).body;
  const photo = (await owner.post("/api/v1/photos", { title: "a", fileID: file.id })).body;
  const variant = await fetch(owner.url(`/api/v1/photos/${photo.id}/image?w=320`));
  const { byteLength } = await variant.arrayBuffer();
  const config = await serverConfig(first);
  await first.close();
  const engines = await openEngines(config, schemaOf(modules));
  await sweep(engines.db, engines.blobs, { check: async () => {} });
  await engines.close();

  await using second = await startServer({ DATA_DIR: dataDir });
  const { site } = (await (await signedIn(second, "chief")).get("/api/v1/storage")).body;
  expect(site.variants).toEqual({ count: 1, bytes: byteLength, countedAt: expect.any(String) });
});

describe("counting the storage of a large site", () => {
  const records = 20_000;
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await person(server, "owner");
    await withDatabase(server, (db) => fill(db));
  });
  afterAll(() => server.close());

  test("reads few records by each statement, and is not repeated within a minute", async () => {
    await withDatabase(server, async (db) => {
      const largest: number[] = [];
      const counter = createCounter(measure(db, largest), reported);
      const first = await counter.read();
      expect(first.site.parts.get("images")).toEqual({ count: records, bytes: records * 3 });
      // Half of the files have the content of another one.
      expect(first.site.different).toEqual({ count: records / 2, bytes: (records / 2) * 3 });
      expect(first.site.parts.get("posts")?.count).toBe(records);
      // Only a statement of SQLite makes others wait.
      if (!isScaled) expect(Math.max(...largest)).toBeLessThanOrEqual(2500);
      await db.transaction((tx) => tx.run(sql`DELETE FROM posts WHERE id = 1`));
      expect((await counter.read()).countedAt).toBe(first.countedAt);
    });
  });
});

/** Stores how many rows each statement has grouped. */
function measure(db: Database, largest: number[]): Database {
  const all: Reader["all"] = async (query) => {
    const rows = await db.all<any>(query);
    largest.push(rows.reduce((sum, row) => sum + (row.count ?? 1), 0));
    return rows;
  };
  return { ...db, all };
}

async function fill(db: Database): Promise<void> {
  const numbers = sql`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)`;
  await db.transaction(
    async (tx) => {
      const owner = sql`(SELECT min(id) FROM users)`;
      const now = Date.now();
      const digits = sql`CAST((n - 1) / 2 AS TEXT)`;
      const hash = sql`substr(${"0".repeat(64)} || ${digits}, length(${digits}) + 1)`;
      await tx.run(sql`
      INSERT INTO files (parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)
      ${numbers} SELECT 0, ${owner}, 3, ${now}, ${now}, ${hash}, 'image/png', 'f' || n, 'f' || n, 'f' || n FROM n`);
      await tx.run(sql`
      INSERT INTO posts (owner_id, title, content, slug, created_at, updated_at)
      ${numbers} SELECT ${owner}, 'x', 'x', 'x' || n, ${now}, ${now} FROM n`);
    },
    { isLong: true },
  );
}
