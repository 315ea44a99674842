// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDatabase, openSqliteWithThread } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import type { Database } from "./database.ts";
import { collectReads } from "./generations.ts";
import { openPostgres } from "./postgres.ts";
import { raw, sql, type Sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";
import { createTableFinder } from "./touched-tables.ts";

const scratch = useScratch();

const newFile = async () => join(scratch, `${crypto.randomUUID()}.db`);
type Engine = { place(): Promise<string>; openAt(place: string): Promise<Database> };
const engines: Record<string, Engine> = {
  sqlite: { place: newFile, openAt: openSqlite },
  "sqlite with a thread": { place: newFile, openAt: openSqliteWithThread },
};
if (process.env.TEST_DATABASE_URL) engines.postgres = { place: makeDatabase, openAt: openPostgres };

const add = (name: string, rest: Sql) => sql`
  INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
  VALUES (${name}, ${name}, ${name}, 'x', 'author', 1, 1) ${rest}`;

const returningID = sql`RETURNING id, username`;
const upsert = sql`ON CONFLICT (username_key) DO UPDATE SET role = 'reader'`;

type Ended = { all: boolean; one: boolean; two: boolean; next: boolean };

describe.each(Object.entries(engines))("a statement that adds rows, on %s", (name, { place, openAt }) => {
  const open = async () => openAt(await place());

  /** What the statement ends of: all users, the first and the second one, and the one with the next id. */
  async function endedBy(statement: Sql, method: "all" | "get" | "run" | "later" = "get"): Promise<Ended> {
    const db = await open();
    try {
      return await endedIn(db, statement, method);
    } finally {
      await db.close();
    }
  }

  async function endedIn(db: Database, statement: Sql, method: "all" | "get" | "run" | "later"): Promise<Ended> {
    await db.transaction((tx) => tx.run(add("one", sql``)));
    await db.transaction((tx) => tx.run(add("two", sql``)));
    const read = async (where: Sql) => {
      const names = new Set<string>();
      await collectReads(names, () => db.all(sql`SELECT username FROM users ${where}`));
      return names;
    };
    const all = await read(sql``);
    const [one, two, next] = [
      await read(sql`WHERE id = ${1}`),
      await read(sql`WHERE id = ${2}`),
      await read(sql`WHERE id = ${3}`),
    ];
    const before = db.generation();
    await db.transaction(async (tx) => void (await tx[method](statement)));
    const isEnded = (names: Set<string>) => db.lastWrite(names) > before;
    return { all: isEnded(all), one: isEnded(one), two: isEnded(two), next: isEnded(next) };
  }

  test("ends what was read of all rows, and that there was none with its id, but nothing of other rows", async () => {
    const ended = { all: true, one: false, two: false, next: true };
    expect(await endedBy(add("three", returningID))).toEqual(ended);
    expect(await endedBy(add("three", returningID), "all")).toEqual(ended);
    expect(await endedBy(add("three", sql`RETURNING role AS id, users.id AS user_id`))).toEqual(ended);
    expect(await endedBy(add("three", sql`ON CONFLICT DO NOTHING RETURNING users.role, id`))).toEqual(ended);
  });

  test("ends everything of its table if it does not show which rows it adds", async () => {
    const ended = { all: true, one: true, two: true, next: true };
    for (const rest of [sql``, sql`RETURNING username`, sql`RETURNING id + 0, length(username) AS id`])
      expect([rest.text, await endedBy(add("three", rest))]).toEqual([rest.text, ended]);
    // Nobody waits for its rows.
    expect(await endedBy(add("three", returningID), "later")).toEqual(ended);
    const names = Array.from({ length: 40 }, (_, number) => sql`SELECT CAST(${`user ${number}`} AS TEXT) AS name`);
    const many = sql`
      INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
      SELECT name, name, name, 'x', 'author', 1, 1 FROM (${names.reduce((some, name) => sql`${some} UNION ALL ${name}`)}) AS names
      WHERE 1 = 1 RETURNING id`;
    expect(await endedBy(many)).toEqual(ended);
  });

  test("ends what was read of a row that it finds in its way, and changes", async () => {
    const ended = { all: true, one: true, two: false, next: false };
    expect(await endedBy(add("one", sql`${upsert} RETURNING id`))).toEqual(ended);
    // Several rows, of which only the first is asked for.
    const both = sql`
      INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
      SELECT username, username_key, username_skeleton, 'x', 'author', 1, 1 FROM users WHERE 1 = 1 ${upsert} RETURNING id`;
    expect(await endedBy(both)).toEqual({ all: true, one: true, two: true, next: false });
    expect(await endedBy(add("one", upsert))).toEqual({ all: true, one: true, two: true, next: true });
  });

  test("ends nothing if it adds none, as one that changes or removes none", async () => {
    const nothing = { all: false, one: false, two: false, next: false };
    expect(await endedBy(add("one", sql`ON CONFLICT DO NOTHING RETURNING id`))).toEqual(nothing);
    expect(await endedBy(add("one", sql`ON CONFLICT DO NOTHING`), "run")).toEqual(nothing);
    expect(await endedBy(sql`UPDATE users SET role = 'x' WHERE username = 'nobody'`, "run")).toEqual(nothing);
    expect(await endedBy(sql`DELETE FROM users WHERE username = 'nobody' RETURNING username`, "all")).toEqual(nothing);
    // One that reads first returns something else.
    const reading = sql`WITH old AS (SELECT 1) UPDATE users SET role = 'reader' WHERE username = 'one'`;
    expect((await endedBy(reading, "run")).all).toBe(true);
    const deleting = sql`WITH gone AS (DELETE FROM users WHERE username = 'one' RETURNING id) SELECT id FROM gone WHERE id = 0`;
    if (name === "postgres") expect((await endedBy(deleting, "all")).all).toBe(true);
  });

  test("counts for what triggers do when rows are added, or changed if it changes those in its way", async () => {
    const where = await place();
    const first = await openAt(where);
    await first.transaction(async (tx) => {
      for (const statement of [...tables, ...(first.engine === "sqlite" ? sqliteTriggers : postgresTriggers)])
        await tx.run(statement);
    });
    await first.close();
    await using resources = new AsyncDisposableStack();
    const db = resources.adopt(await openAt(where), (opened) => opened.close());
    const mayWrite = (statement: Sql) =>
      db.transaction(async (tx) => ["added", "changed", "removed"].filter((table) => tx.mayWrite(statement, table)));
    expect(await mayWrite(sql`INSERT INTO things (id) VALUES (1) RETURNING id`)).toEqual(["added"]);
    expect(await mayWrite(sql`UPDATE things SET size = 1 WHERE id = ${1}`)).toEqual(["changed"]);
    expect(await mayWrite(sql`DELETE FROM things WHERE id = ${1}`)).toEqual(["removed"]);
    expect(await mayWrite(sql`INSERT INTO things (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET size = 1`)).toEqual([
      "added",
      "changed",
    ]);
    // Its trigger does the same.
    expect(await mayWrite(sql`INSERT INTO causes (id) VALUES (1)`)).toEqual(["added", "changed"]);
    const find = await createTableFinder(db);
    const derived = (text: string) => find(text).writes.map(({ table }) => table);
    const written = ["added", "causes", "changed", "things"];
    expect(derived("INSERT OR IGNORE INTO causes (id) VALUES (1)").toSorted()).toEqual(written);
    // In triggers, too, rows then give way, whatever the triggers say.
    const replaced = ["added", "causes", "changed", "removed", "things"];
    expect(derived("INSERT OR REPLACE INTO causes (id) VALUES (1)").toSorted()).toEqual(replaced);
    expect(derived("UPDATE OR REPLACE things SET id = 1").toSorted()).toEqual([
      "added",
      "changed",
      "removed",
      "things",
    ]);
    expect(derived("UPDATE ONLY things SET size = length(replace('a', 'b', 'c'))")).toEqual(["things", "changed"]);
  });
});

const tables = [
  sql`CREATE TABLE things (id BIGINT PRIMARY KEY, size BIGINT)`,
  sql`CREATE TABLE causes (id BIGINT PRIMARY KEY)`,
  sql`CREATE TABLE added (id BIGINT)`,
  sql`CREATE TABLE changed (id BIGINT)`,
  sql`CREATE TABLE removed (id BIGINT)`,
];
const sqliteTriggers = [
  sql`CREATE TRIGGER one AFTER INSERT ON things BEGIN INSERT INTO added (id) VALUES (1); END`,
  sql`CREATE TRIGGER two AFTER UPDATE OF size ON things BEGIN INSERT INTO changed (id) VALUES (1); END`,
  sql`CREATE TRIGGER three AFTER DELETE ON things BEGIN INSERT INTO removed (id) VALUES (1); END`,
  sql`CREATE TRIGGER four AFTER INSERT ON causes BEGIN
    INSERT INTO things (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET size = 1; END`,
];
const postgresTriggers = [
  ["added", sql`AFTER INSERT ON things`, sql`INSERT INTO added (id) VALUES (1)`] as const,
  ["changed", sql`AFTER UPDATE OF size ON things`, sql`INSERT INTO changed (id) VALUES (1)`] as const,
  ["removed", sql`AFTER DELETE ON things`, sql`INSERT INTO removed (id) VALUES (1)`] as const,
  [
    "caused",
    sql`AFTER INSERT ON causes`,
    sql`INSERT INTO things (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET size = 1`,
  ] as const,
].flatMap(([name, event, work]) => [
  sql`CREATE FUNCTION ${raw(name)}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work}; RETURN NULL; END $$`,
  sql`CREATE TRIGGER ${raw(name)} ${event} FOR EACH ROW EXECUTE FUNCTION ${raw(name)}()`,
]);
