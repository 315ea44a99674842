// Runs on the embedded engines only: it opens each engine itself.
import { afterAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDatabase } from "../../../tests/engine.ts";
import type { Database } from "./database.ts";
import { collectReads } from "./generations.ts";
import { countRecord, listPage } from "./lists.ts";
import { openPostgres } from "./postgres.ts";
import { sql, type Sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";
import type { Schema } from "./tables.ts";

const scratch = mkdtempSync(join(tmpdir(), "vitrine-generations-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Triggers remove the search documents of comments. */
const blob = { column: "sha256", size: "size", counts: "stored" as const, label: () => "''" };
const schema: Schema = {
  tables: [{ name: "file_versions", key: ["id"], blobs: [blob] }],
  documents: [{ kind: "comment", table: "comments" }],
  maintained: [],
  derived: [],
  deriveSchema: [],
  migrations: [],
};

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`), { schema }),
};
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL);
if (hasPostgres) engines.postgres = async () => openPostgres(await makeDatabase(), { schema });

const addUser = (name: string) => sql`
  INSERT INTO users (username, username_key, password_hash, role, created_at, updated_at)
  VALUES (${name}, ${name}, 'x', 'author', 1, 1)`;

describe.each(Object.entries(engines))("generations of tables on %s", (_name, open) => {
  /** Those of the tables that a transaction with this statement counts as written. */
  async function written(db: Database, tables: string[], statement: Sql): Promise<string[]> {
    const before = db.generation();
    await db.transaction((tx) => tx.run(statement));
    return tables.filter((table) => db.lastWrite([table]) > before);
  }

  test("whether a statement may write a table follows from its triggers and foreign keys", async () => {
    const db = await open();
    const statements = [
      sql`DELETE FROM posts WHERE id = ${1}`,
      sql`DELETE FROM comments`,
      sql`UPDATE posts SET content = ${"x"}`,
      sql`UPDATE posts SET title = ${"x"}`,
      sql`SELECT id FROM comments`,
    ];
    const answers = await db.transaction(async (tx) =>
      statements.map((statement) =>
        ["posts", "comments", "documents", "post_bytes"].filter((table) => tx.mayWrite(statement, table)),
      ),
    );
    const ofPosts = ["posts", "comments", "documents", "post_bytes"];
    expect(answers).toEqual([
      ofPosts,
      ["comments", "documents"],
      // A trigger for that column. PostgreSQL does not tell what a function does.
      db.engine === "sqlite" ? ["posts", "post_bytes"] : ofPosts,
      db.engine === "sqlite" ? ["posts"] : ofPosts,
      [],
    ]);
    await db.close();
  });

  test("a write counts for its table and for those that foreign keys and triggers change, not for others", async () => {
    const db = await open();
    const tables = ["users", "sessions", "posts", "comments", "post_tags", "documents", "documents_index", "photos"];
    expect(await written(db, tables, addUser("a"))).toEqual(["users", "sessions"]);
    expect(await written(db, tables, sql`DELETE FROM posts`)).toEqual(
      // By foreign keys of foreign keys, and by a trigger of a trigger.
      ["posts", "comments", "post_tags", "documents", "documents_index"],
    );
    expect(await written(db, tables, sql`WITH old AS (SELECT 1) UPDATE sessions SET expires_at = 0`)).toEqual([
      "sessions",
    ]);
    expect(await written(db, tables, sql`SELECT id FROM posts`)).toEqual([]);
    expect(await written(db, tables, sql`CREATE TABLE more (id BIGINT)`)).toEqual(tables);
    await db.close();
  });

  test("the tables of all statements are collected, also of those that run later", async () => {
    const db = await open();
    const reads = async (work: () => Promise<unknown>) => {
      const tables = new Set<string>();
      await collectReads(tables, async () => {
        await Bun.sleep(1);
        await work();
      });
      return [...tables].toSorted();
    };
    const nested = sql`SELECT id FROM posts WHERE owner_id IN (SELECT id FROM users) AND id = ${1}`;
    expect(await reads(() => db.all(nested))).toEqual(["posts", "users"]);
    expect(await reads(() => db.transaction((tx) => tx.get(nested)))).toEqual(["posts", "users"]);
    expect(await reads(() => db.all(sql`SELECT sha256 FROM blob_references`))).toContain("file_versions");
    expect(await reads(() => db.all(sql`SELECT live FROM list_counts`))).toEqual(["*"]);
    await db.close();
  });

  test("the counts of lists are counted for each list", async () => {
    const db = await open();
    const tables = new Set<string>();
    const read = (ids: Sql) => db.all<{ id: number; total: number }>(ids);
    await collectReads(tables, () =>
      listPage(db, "photos", { offset: 0, size: 1 }, { live: sql`1 = 1`, atOnce: 1, read }),
    );
    const before = db.generation();
    await db.transaction(async (tx) => countRecord(tx, "posts", 1, 1));
    expect(db.lastWrite(tables)).toBeLessThanOrEqual(before);
    await db.transaction(async (tx) => countRecord(tx, "photos", 1, 1));
    expect(db.lastWrite(tables)).toBeGreaterThan(before);
    await db.close();
  });
});

describe.if(hasPostgres)("writes of another process to the same database", () => {
  test("count for the tables that it has written", async () => {
    const url = await makeDatabase();
    const [db, other] = [await openPostgres(url), await openPostgres(url)];
    let isExact = false;
    // Transactions in other databases of the server, such as those of other tests, count as writes to every table.
    for (let time = 0; time < 100 && !isExact; time++) {
      await db.fresh();
      const before = db.generation();
      await Promise.all(["a", "b", "c"].map((name) => other.transaction((tx) => tx.run(addUser(`${name}${time}`)))));
      await db.fresh();
      expect(db.lastWrite(["users"])).toBeGreaterThan(before);
      isExact = db.lastWrite(["posts", "photos"]) <= before;
    }
    expect(isExact).toBe(true);
    await Promise.all([db.close(), other.close()]);
  });

  test("count for every table if it does not say which ones", async () => {
    const url = await makeDatabase();
    const [db, stranger] = [await openPostgres(url), new SQL(url, { max: 1 })];
    await db.fresh();
    const before = db.generation();
    await stranger.unsafe("UPDATE migrations SET applied_at = 1");
    await db.fresh();
    expect(db.lastWrite(["posts"])).toBeGreaterThan(before);
    await Promise.all([db.close(), stranger.close()]);
  });
});
