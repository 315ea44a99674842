import { SQL } from "bun";
import { expect, test } from "bun:test";
import { describeScaled, makeDatabase, makeMigratedDatabase } from "../../../tests/kit/engine.ts";
import { countRowsRead, explainKept } from "../../../tests/rows/measure.ts";
import { checkSettings } from "../../commands/doctor-database.ts";
import type { Reader } from "./database.ts";
import { listPage } from "./lists.ts";
import { openPostgres } from "./postgres.ts";
import { findMissingSetting, keepPlans } from "./postgres-plans.ts";
import type { Rows } from "./postgres-statements.ts";
import { type Sql, sql, type Value } from "./sql.ts";

type Mode = { plan_cache_mode: string };
const readMode = async (db: Reader) => (await db.get<Mode>(sql`SHOW plan_cache_mode`))?.plan_cache_mode;

const open = (url: string) => openPostgres(url, { connections: 1 });

async function askOnce(url: string, statement: string): Promise<unknown> {
  const connection = new SQL(url, { max: 1 });
  try {
    return await connection.unsafe(statement);
  } finally {
    await connection.close();
  }
}

/** Statements whose plans PostgreSQL has made for single values, on the connection for reads. */
const listPlannedAnew = (db: Reader) =>
  db.all<{ statement: string }>(sql`SELECT statement FROM pg_prepared_statements WHERE custom_plans > 0`);

const addPosts = `
  INSERT INTO users (id, username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
  VALUES (1, 'owner', 'owner', 'owner', 'x', 'author', 1, 1);
  INSERT INTO posts (owner_id, title, content, slug, revised_at, created_at, updated_at)
  SELECT 1, 'Post ' || n, repeat('A long walk. ', 20), 'post-' || n, 1, 1, 1 FROM generate_series(1, 3000) AS n;
  ANALYZE`;

describeScaled("the plans of PostgreSQL", () => {
  test("are kept for reads, and made as usual in transactions", async () => {
    const url = await makeDatabase();
    const db = await open(url);
    expect(await readMode(db)).toBe("force_generic_plan");
    expect(await db.transaction((tx) => readMode(tx))).toBe("auto");
    // PostgreSQL would plan this one for each value: only one value has few rows.
    await askOnce(url, "CREATE TABLE marks AS SELECT (n % 2) AS mark FROM generate_series(1, 1000) AS n");
    for (const mark of [0, 1, 2, 0, 1, 2, 3]) await db.all(sql`SELECT mark FROM marks WHERE mark = ${mark}`);
    expect(await listPlannedAnew(db)).toEqual([]);
    await db.close();
  });

  test("are for the rows that a page has, and not for a part of the table", async () => {
    const url = await makeMigratedDatabase();
    await askOnce(url, addPosts);
    await askOnce(url, explainKept);
    const db = await open(url);
    const rowsRead: number[] = [];
    const read = async (ids: Sql) => {
      const rows = sql`SELECT posts.id, total, content FROM (${ids}) AS page JOIN posts ON posts.id = page.id`;
      rowsRead.push(await countRowsRead(db, rows));
      return db.all<{ id: number; total: number }>(rows);
    };
    for (const offset of [0, 10, 700])
      await listPage(db, "posts", { offset, size: 10 }, { live: sql`trash_id IS NULL`, atOnce: 50, read });
    expect(rowsRead).toEqual([20, 30, 720]);
    await db.close();
  });

  test("are what somebody else has chosen for the role or the database", async () => {
    for (const owner of ["ROLE CURRENT_USER IN DATABASE", "DATABASE"]) {
      const url = await makeDatabase();
      const name = new URL(url).pathname.slice(1);
      await askOnce(url, `ALTER ${owner} ${name} SET plan_cache_mode = auto`);
      const db = await open(url);
      expect(await readMode(db)).toBe("auto");
      expect(await findMissingSetting(db)).toBeNull();
      await db.close();
    }
  });

  test("are kept after the next start on a restored database", async () => {
    const url = await makeDatabase();
    await (await open(url)).close();
    const name = new URL(url).pathname.slice(1);
    await askOnce(url, `ALTER ROLE CURRENT_USER IN DATABASE ${name} RESET ALL`);
    const db = await open(url);
    expect(await readMode(db)).toBe("force_generic_plan");
    await db.close();
  });

  test("are kept on a connection that a pooler has opened before", async () => {
    const url = await makeDatabase();
    const before = new SQL(url, { max: 1 });
    const read = async () => (await before`SHOW plan_cache_mode`)[0] as Mode;
    expect(await read()).toEqual({ plan_cache_mode: "auto" });
    const send = (text: string, values: readonly Value[] = []) => before.unsafe(text, [...values]) as Promise<Rows>;
    await keepPlans(async () => ({ send, close() {}, release() {} }));
    expect(await read()).toEqual({ plan_cache_mode: "force_generic_plan" });
    await before.close();
  });

  test("are made as usual where the role may not change its settings, and the doctor prints the statement for an administrator", async () => {
    const url = await makeDatabase();
    const [name, role] = [new URL(url).pathname.slice(1), `vitrine_${crypto.randomUUID().slice(0, 8)}`];
    // It acts as another role.
    const owner = `${role}_owner`;
    await askOnce(
      url,
      `CREATE ROLE ${owner}; CREATE ROLE ${role} LOGIN IN ROLE ${owner}; ALTER ROLE ${role} SET role = ${owner}`,
    );
    await askOnce(url, `ALTER DATABASE ${name} OWNER TO ${owner}; ALTER SCHEMA public OWNER TO ${owner}`);
    const db = await open(Object.assign(new URL(url), { username: role }).href);
    expect(await readMode(db)).toBe("auto");
    const statement = await findMissingSetting(db);
    expect(statement).toBe(`ALTER ROLE ${role} IN DATABASE ${name} SET plan_cache_mode = force_generic_plan`);
    expect(await checkSettings(db)).toMatchObject([
      { severity: "warning", repair: expect.stringContaining(`: ${statement}`) },
    ]);
    await askOnce(url, statement ?? "");
    expect(await checkSettings(db)).toEqual([]);
    await db.close();
    await askOnce(url, `REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP ROLE ${role}, ${owner}`);
  });
});
