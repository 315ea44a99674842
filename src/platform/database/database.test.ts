// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDatabase, openSqliteWithThread } from "../../../tests/kit/engine.ts";
import type { Problem } from "../errors.ts";
import type { Database } from "./database.ts";
import { countRecord, listPage, recountList } from "./lists.ts";
import { openPostgres } from "./postgres.ts";
import { inChunks, list, sql, type Sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";
import { needs, serverNames } from "../../../tests/kit/optional.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const scratch = useScratch();

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`)),
  "sqlite with a thread": () => openSqliteWithThread(join(scratch, `${crypto.randomUUID()}.db`)),
};
if (process.env.TEST_DATABASE_URL) engines.postgres = async () => openPostgres(await makeDatabase());

describe.each(Object.entries(engines))("a database on %s", (_name, open) => {
  const addUser = (name: string) => sql`
    INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
    VALUES (${name}, ${name}, ${name}, 'x', 'author', 1, 1) RETURNING id`;

  test("values are bound by position, including those of nested pieces", async () => {
    const db = await open();
    const part = sql`${"b"} AS second`;
    expect(await db.get<object>(sql`SELECT ${"a"} AS first, ${part}, ${"c"} AS third`)).toEqual({
      first: "a",
      second: "b",
      third: "c",
    });
    await db.close();
  });

  test("a value is never interpreted as SQL", async () => {
    const db = await open();
    const evil = "'; DROP TABLE users; --";
    await db.transaction((tx) => tx.get(addUser(evil)));
    expect(await db.get<{ username: string }>(sql`SELECT username FROM users WHERE username = ${evil}`)).toEqual({
      username: evil,
    });
    await db.close();
  });

  test("without rows, get returns null and all returns an empty list", async () => {
    const db = await open();
    expect(await db.get<object>(sql`SELECT id FROM users WHERE id = ${1}`)).toBeNull();
    expect(await db.all<object>(sql`SELECT id FROM users`)).toEqual([]);
    await db.close();
  });

  test("a transaction that throws is rolled back, and the next one works", async () => {
    const db = await open();
    const failing = db.transaction(async (tx) => {
      await tx.get(addUser("a"));
      throw new Error("no");
    });
    expect(await failing.catch(({ message }: Error) => message)).toBe("no");
    await db.transaction((tx) => tx.get(addUser("b")));
    expect(await db.all<object>(sql`SELECT username FROM users`)).toEqual([{ username: "b" }]);
    await db.close();
  });

  test("transactions are atomic and isolated from each other", async () => {
    const db = await open();
    const seen: number[] = [];
    const count = async () => seen.push((await db.all(sql`SELECT id FROM users`)).length);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        db.transaction(async (tx) => {
          await tx.get(addUser(`a${index}`));
          await count();
          await Promise.resolve();
          await tx.get(addUser(`b${index}`));
        }),
      ),
    );
    await count();
    expect(seen.every((number) => number % 2 === 0)).toBe(true);
    expect(seen.at(-1)).toBe(40);
    await db.close();
  });

  test("the generation grows with a commit, but not with a read or a failed transaction", async () => {
    const db = await open();
    const before = db.generation();
    await db.all(sql`SELECT id FROM users`);
    await db.transaction(() => Promise.reject(new Error("no"))).catch(() => {});
    expect(db.generation()).toBe(before);
    await db.transaction((tx) => tx.get(addUser("a")));
    expect(db.generation()).toBeGreaterThan(before);
    await db.close();
  });

  test("ids are never reused", async () => {
    const db = await open();
    const first = await db.transaction((tx) => tx.get<{ id: number }>(addUser("a")));
    await db.transaction((tx) => tx.run(sql`DELETE FROM users`));
    const second = await db.transaction((tx) => tx.get<{ id: number }>(addUser("a")));
    expect(second?.id).toBeGreaterThan(first?.id as number);
    await db.close();
  });

  test("long lists of values are queried in chunks", async () => {
    const db = await open();
    for (const name of ["a", "b", "c"]) await db.transaction((tx) => tx.get(addUser(name)));
    const ids = Array.from({ length: 5000 }, (_, index) => index);
    const rows = await inChunks(ids, (some) =>
      db.all<{ id: number }>(sql`SELECT id FROM users WHERE id IN (${list(some)})`),
    );
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set([1, 2, 3]));
    expect(await db.all(sql`SELECT id FROM users WHERE id IN (${list([])})`)).toEqual([]);
    await db.close();
  });

  test("pages that are found by counting blocks are the same as those of a sequential read", async () => {
    const db = await open();
    const albums = "albums";
    await db.transaction((tx) => tx.get(addUser("a")));
    const live: number[] = [];
    await db.transaction(async (tx) => {
      for (const id of [1, 2, 4095, 4096, 4097, 8191, 8192, 20_000, 20_001, 99_999]) {
        const trash = id % 2 === 0 && id > 8000;
        await tx.run(sql`INSERT INTO albums (id, owner_id, created_at, updated_at, name) VALUES (${id}, 1, 1, 1, 'x')`);
        countRecord(tx, albums, id, 1);
        if (!trash) live.unshift(id);
        else {
          await tx.run(
            sql`INSERT INTO trash (kind, record_id, owner_id, deleted_at, name) VALUES ('album', ${id}, 1, 1, 'x')`,
          );
          await tx.run(sql`UPDATE albums SET trash_id = 1 WHERE id = ${id}`);
          countRecord(tx, albums, id, -1);
        }
      }
    });
    for (let offset = 0; offset <= live.length + 2; offset++) {
      const read = (ids: Sql) => db.all<{ id: number; total: number }>(ids);
      const { items, total } = await listPage(
        db,
        albums,
        { offset, size: 3 },
        { live: sql`trash_id IS NULL`, atOnce: 2, read },
      );
      const rows = (await Array.fromAsync(items)).flat();
      expect(total).toBe(live.length);
      expect(rows.map((row) => row.id)).toEqual(live.slice(offset, offset + 3));
    }
    await db.close();
  });

  test("a page past the end of a long list is empty, and has the total", async () => {
    const db = await open();
    const live = sql`trash_id IS NULL`;
    await db.transaction(async (tx) => {
      await tx.get(addUser("a"));
      await tx.run(sql`
        INSERT INTO albums (owner_id, created_at, updated_at, name)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
        SELECT 1, 1, 1, 'x' FROM numbers`);
    });
    // One block of 65,536 ids, three of 1024, and the whole list.
    expect(await recountList(db, "albums", live)).toBe(1 + 3 + 1);
    expect(await recountList(db, "albums", live)).toBe(0);
    const read = (ids: Sql) => db.all<{ id: number; total: number }>(ids);
    for (const [offset, ids] of [
      [2498, [2, 1]],
      [2499, [1]],
      [2500, []],
      [2501, []],
      [99_999, []],
    ] as const) {
      const { items, total } = await listPage(db, "albums", { offset, size: 2 }, { live, atOnce: 2, read });
      expect([total, (await Array.fromAsync(items)).flat().map(({ id }) => id)]).toEqual([2500, [...ids]]);
    }
    await db.close();
  });
});

needs(serverNames, "postgres" in engines).test(
  "a PostgreSQL that is full, read-only or without memory fails with a reason",
  async () => {
    const db = await (engines.postgres as () => Promise<Database>)();
    const failWith = (state: string) =>
      db
        .transaction((tx) =>
          tx.run({ text: [`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`], values: [] }),
        )
        .catch((error: Problem) => [error.code, error.status]);
    expect(await failWith("53100")).toEqual(["full", 507]);
    expect(await failWith("53200")).toEqual(["busy", 503]);
    expect(await failWith("58030")).toEqual(["unavailable", 500]);
    const readOnly = db.transaction(async (tx) => {
      await tx.run(sql`SET TRANSACTION READ ONLY`);
      await tx.run(sql`DELETE FROM users`);
    });
    expect(await readOnly.catch((error: Problem) => error.message)).toContain("read-only");
    await db.close();
  },
);
