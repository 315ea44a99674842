// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { join } from "node:path";
import { makeDatabase, openSqliteWithThread } from "../../../tests/kit/engine.ts";
import type { Database } from "./database.ts";
import { collectReads } from "./generations.ts";
import { countRecord, listPage } from "./lists.ts";
import { openPostgres } from "./postgres.ts";
import { list, sql, type Sql } from "./sql.ts";
import { blob, table } from "./table.ts";
import { openSqlite } from "./sqlite.ts";
import type { Schema } from "./tables.ts";
import { needs, serverNames } from "../../../tests/kit/optional.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const scratch = useScratch();

/** Triggers remove the search documents of posts and comments. */
const blobs = { sha256: blob("", { size: "size", counts: "stored", label: () => "''" }) };
const schema: Schema = {
  tables: [table("file_versions", blobs)],
  documents: [
    { kind: "post", table: "posts" },
    { kind: "comment", table: "comments" },
  ],
  maintained: [],
  derived: [],
  deriveSchema: [],
  migrations: [],
};

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`), { schema }),
  "sqlite with a thread": () => openSqliteWithThread(join(scratch, `${crypto.randomUUID()}.db`), { schema }),
};
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL);
if (hasPostgres) engines.postgres = async () => openPostgres(await makeDatabase(), { schema });

const addUser = (name: string) => sql`
  INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
  VALUES (${name}, ${name}, ${name}, 'x', 'author', 1, 1)`;

/** Nobody waits for the outcome, so that what the statement may write counts as written, although the tables are empty. */
const claim = (db: Database, statement: Sql) => db.transaction(async (tx) => tx.later(statement));

describe.each(Object.entries(engines))("generations of tables on %s", (_name, open) => {
  /** Those of the tables that a transaction with this statement counts as written. */
  async function written(db: Database, tables: string[], statement: Sql): Promise<string[]> {
    const before = db.generation();
    await claim(db, statement);
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
        ["posts", "post_html", "comments", "documents", "post_bytes"].filter((table) => tx.mayWrite(statement, table)),
      ),
    );
    expect(answers).toEqual([
      ["posts", "post_html", "documents", "post_bytes"],
      ["comments", "documents"],
      ["posts", "post_bytes"],
      // That trigger is for another column. PostgreSQL does not tell what a function does.
      db.engine === "sqlite" ? ["posts"] : ["posts", "post_bytes"],
      [],
    ]);
    await db.close();
  });

  test("a write counts for its table and for those that foreign keys and triggers change, not for others", async () => {
    const db = await open();
    const search = db.engine === "sqlite" ? ["documents", "documents_index"] : ["documents"];
    const tables = ["users", "sessions", "posts", "comments", "post_tags", ...search, "photos"];
    expect(await written(db, tables, addUser("a"))).toEqual(["users"]);
    expect(await written(db, tables, sql`DELETE FROM posts`)).toEqual(
      // By foreign keys of foreign keys, and by a trigger of a trigger.
      ["posts", "post_tags", ...search],
    );
    expect(await written(db, tables, sql`WITH old AS (SELECT 1) UPDATE sessions SET expires_at = 0`)).toEqual([
      "sessions",
    ]);
    expect(await written(db, tables, sql`SELECT id FROM posts`)).toEqual([]);
    // These rows are not deleted with the post, because an update deletes none.
    expect(await written(db, tables, sql`UPDATE posts SET title = 'x'`)).not.toContain("comments");
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

  test("a statement that finds rows by their ids reads only these", async () => {
    const db = await open();
    const isRead = async (statement: Sql, written: Sql) => {
      const names = new Set<string>();
      const before = db.generation();
      await collectReads(names, () => db.all(statement));
      await claim(db, written);
      return db.lastWrite(names) > before;
    };
    const [one, other] = [sql`UPDATE users SET username = 'x' WHERE id = ${1}`, sql`DELETE FROM users WHERE id = ${2}`];
    const byID = [
      sql`SELECT username FROM users WHERE id = ${1}`,
      sql`SELECT username FROM users WHERE id = ${1} AND (role = 'x' OR role = 'y')`,
      sql`SELECT username FROM users WHERE id IN (${list([3, 4, 1])})`,
      sql`SELECT CAST(${5} AS BIGINT) AS five, username FROM (SELECT id FROM users WHERE id = ${1}) AS chosen
        JOIN users ON users.id = chosen.id AND (role = 'x' OR role = 'y') LEFT JOIN photos ON photos.owner_id = users.id`,
      sql`SELECT (SELECT username FROM users WHERE id = ${1}) AS name FROM posts`,
    ];
    for (const statement of byID) {
      expect([statement.text, await isRead(statement, one)]).toEqual([statement.text, true]);
      expect([statement.text, await isRead(statement, other)]).toEqual([statement.text, false]);
      expect([statement.text, await isRead(statement, sql`UPDATE users SET role = 'reader'`)]).toEqual([
        statement.text,
        true,
      ]);
      expect([statement.text, await isRead(statement, addUser(crypto.randomUUID()))]).toEqual([statement.text, true]);
    }
    const byOthers = [
      sql`SELECT username FROM users WHERE id = ${1} OR role = 'x'`,
      sql`SELECT username FROM users WHERE id = ${1} AND role = 'x' OR role = 'y'`,
      sql`SELECT username FROM users WHERE NOT id = ${1}`,
      sql`SELECT username FROM users WHERE id = ${1} + 1`,
      sql`SELECT username FROM users WHERE id >= ${1}`,
      sql`SELECT username FROM users WHERE id IN (SELECT max(id) FROM users WHERE id = ${1})`,
      sql`SELECT username FROM users WHERE id = ${1} UNION ALL SELECT username FROM users`,
      sql`SELECT users.username FROM (SELECT id FROM users WHERE id = ${1}) AS chosen JOIN users ON users.id = chosen.id + 1`,
      sql`SELECT users.username FROM (SELECT id + 1 AS id FROM users WHERE id = ${1}) AS chosen JOIN users ON users.id = chosen.id`,
      sql`SELECT users.username FROM (SELECT id FROM users WHERE id = ${1}) AS chosen JOIN users ON users.id = chosen.id OR 1 = 1`,
      sql`SELECT users.username FROM (SELECT id FROM users WHERE id = ${1}) AS chosen JOIN users AS others ON others.id = chosen.id
        JOIN users ON users.role = others.role`,
      sql`SELECT username FROM users WHERE id IN (${list(Array.from({ length: 100 }, (_, index) => index + 3))})`,
      // The column of the query around it, because this table has none of that name.
      sql`SELECT username FROM users WHERE EXISTS (SELECT 1 FROM stored_bytes WHERE id = ${1})`,
    ];
    for (const statement of byOthers)
      expect([statement.text, await isRead(statement, other)]).toEqual([statement.text, true]);
    await db.close();
  });

  test("a statement that changes rows by their ids ends what was read from these, and from the whole table", async () => {
    const db = await open();
    const read = async (statement: Sql) => {
      const names = new Set<string>();
      await collectReads(names, () => db.all(statement));
      return names;
    };
    const [one, two, all] = [
      await read(sql`SELECT title FROM photos WHERE id = ${1}`),
      await read(sql`SELECT title FROM photos WHERE id = ${2}`),
      await read(sql`SELECT title FROM photos`),
    ];
    const ended = async (statement: Sql) => {
      const before = db.generation();
      await claim(db, statement);
      return [one, two, all].map((names) => db.lastWrite(names) > before);
    };
    expect(await ended(sql`UPDATE photos SET title = 'x' WHERE id = ${1}`)).toEqual([true, false, true]);
    expect(
      await ended(sql`UPDATE photos SET title = (SELECT 'x' WHERE 1 = CAST(${2} AS BIGINT)) WHERE id = ${1}`),
    ).toEqual([true, false, true]);
    expect(await ended(sql`UPDATE photos SET title = 'x' WHERE id = ${1} AND kind = 'x'`)).toEqual([true, false, true]);
    expect(await ended(sql`UPDATE photos SET title = 'x' WHERE id IN (${list([1, 2])})`)).toEqual([true, true, true]);
    expect(await ended(sql`DELETE FROM photos WHERE id = ${2}`)).toEqual([false, true, true]);
    const everyRow = [
      sql`UPDATE photos SET title = 'x'`,
      sql`UPDATE photos SET title = 'x' WHERE id = ${1} OR kind = 'x'`,
      sql`UPDATE photos SET title = 'x' WHERE id > ${1}`,
      sql`UPDATE photos SET title = 'x' WHERE owner_id = (SELECT owner_id FROM photos WHERE id = ${1})`,
      sql`WITH old AS (SELECT 1) UPDATE photos SET title = 'x' WHERE id = ${1}`,
      // PostgreSQL refuses both. For SQLite, the text is the number 1.
      ...(db.engine === "sqlite"
        ? [sql`UPDATE photos SET id = ${2} WHERE id = ${1}`, sql`UPDATE photos SET title = 'x' WHERE id = ${"1"}`]
        : []),
    ];
    for (const statement of everyRow)
      expect([statement.text, ...(await ended(statement))]).toEqual([statement.text, true, true, true]);
    await db.close();
  });

  test("a row that takes others along is not the only one that is written", async () => {
    const db = await open();
    const names = new Set<string>();
    await collectReads(names, () => db.all(sql`SELECT content FROM comments WHERE id = ${2}`));
    const isEnded = async (statement: Sql) => {
      const before = db.generation();
      await claim(db, statement);
      return db.lastWrite(names) > before;
    };
    expect(await isEnded(sql`UPDATE comments SET content = 'x' WHERE id = ${1}`)).toBe(false);
    // Replies are deleted with a comment.
    expect(await isEnded(sql`DELETE FROM comments WHERE id = ${1}`)).toBe(true);
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

needs(serverNames, hasPostgres).describe("writes of another process to the same database", () => {
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

  test("count for the rows that it has written", async () => {
    const url = await makeDatabase();
    const [db, other] = [await openPostgres(url), await openPostgres(url)];
    const [one, two] = [new Set<string>(), new Set<string>()];
    await collectReads(one, () => db.all(sql`SELECT title FROM photos WHERE id = ${1}`));
    await collectReads(two, () => db.all(sql`SELECT title FROM photos WHERE id = ${2}`));
    let isExact = false;
    for (let time = 0; time < 100 && !isExact; time++) {
      await db.fresh();
      const before = db.generation();
      await claim(other, sql`UPDATE photos SET title = 'x' WHERE id = ${1}`);
      await db.fresh();
      expect(db.lastWrite(one)).toBeGreaterThan(before);
      expect(db.lastWrite(["photos"])).toBeGreaterThan(before);
      isExact = db.lastWrite(two) <= before;
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
