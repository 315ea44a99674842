// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { makeDatabase, openSqliteWithThread } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import type { Database, Queries } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";

const scratch = useScratch();

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`)),
  "sqlite with a thread": () => openSqliteWithThread(join(scratch, `${crypto.randomUUID()}.db`)),
};
if (process.env.TEST_DATABASE_URL) engines.postgres = async () => openPostgres(await makeDatabase());

const addUser = (tx: Queries, name: string) =>
  tx.run(sql`
    INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
    VALUES (${name}, ${name}, ${name}, 'x', 'author', 1, 1)`);
const listUsers = async (db: Database) =>
  (await db.all<{ username: string }>(sql`SELECT username FROM users ORDER BY id`)).map(({ username }) => username);
const times = <Result>(count: number, work: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => work(index));

describe.each(Object.entries(engines))("many transactions at once on %s", (_name, open) => {
  test("those that fail leave nothing behind, and the others are not affected", async () => {
    const db = await open();
    const isBad = (index: number) => index % 3 === 1;
    const outcomes = await Promise.allSettled(
      times(60, (index) =>
        db.transaction(async (tx) => {
          await addUser(tx, `a${index}`);
          if (index % 6 === 1) throw new Error(`refused ${index}`);
          await addUser(tx, `b${index}`);
          if (isBad(index)) await tx.run(sql`UPDATE users SET username = NULL`);
          return index;
        }),
      ),
    );
    const good = times(60, (index) => index).filter((index) => !isBad(index));
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(times(60, (index) => !isBad(index)));
    expect(good.map((index) => outcomes[index])).toEqual(good.map((value) => ({ status: "fulfilled", value })));
    expect(outcomes[7]).toMatchObject({ status: "rejected", reason: { message: "refused 7" } });
    expect((await listUsers(db)).toSorted()).toEqual(good.flatMap((index) => [`a${index}`, `b${index}`]).toSorted());
    await db.close();
  });

  test("one inside another is refused at once, and one that its work started comes after it", async () => {
    const db = await open();
    const nested = db.transaction(async (tx) => {
      await addUser(tx, "outer");
      await db.transaction((inner) => addUser(inner, "inner"));
    });
    expect(await nested.catch((error: Error) => error.message)).toContain("in the work of another one");
    const { promise: after, resolve: end } = Promise.withResolvers<void>();
    let started: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await addUser(tx, "first");
      started = after.then(() => db.transaction((later) => addUser(later, "second")));
    });
    end();
    await started;
    expect(await listUsers(db)).toEqual(["first", "second"]);
    await db.close();
  });

  test("each sees what those before it have written, and nothing of those that failed", async () => {
    const db = await open();
    await db.transaction((tx) => addUser(tx, "counter"));
    const outcomes = await Promise.allSettled(
      times(20, (index) =>
        db.transaction(async (tx) => {
          const row = await tx.get<{ updated_at: number }>(sql`SELECT updated_at FROM users ${tx.forUpdate}`);
          const next = (row?.updated_at ?? 0) + 1;
          await tx.run(sql`UPDATE users SET updated_at = ${next}`);
          if (index % 5 === 0) throw new Error("no");
          return next;
        }),
      ),
    );
    const counted = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(counted.toSorted((one, other) => one - other)).toEqual(times(16, (index) => index + 2));
    await db.close();
  });
});

describe.each([
  ["SQLite", openSqlite],
  ["SQLite with a thread", openSqliteWithThread],
])("many transactions at once on %s", (_name, openAt) => {
  test("are committed together: the pages that all of them change are written once", async () => {
    const written = async (write: (db: Database, name: string) => Promise<unknown>, isAtOnce: boolean) => {
      const path = join(scratch, `${crypto.randomUUID()}.db`);
      const db = await openAt(path);
      const before = statSync(`${path}-wal`).size;
      const all = times(60, (index) => () => write(db, `name ${index}`));
      if (isAtOnce) await Promise.all(all.map((one) => one()));
      else for (const one of all) await one();
      const bytes = statSync(`${path}-wal`).size - before;
      expect(await listUsers(db)).toEqual(times(60, (index) => `name ${index}`));
      await db.close();
      return bytes;
    };
    const write = (db: Database, name: string) => db.transaction((tx) => addUser(tx, name));
    expect(await written(write, true)).toBeLessThan((await written(write, false)) / 2);
  });

  test("resolve in the order in which they were started, and none before its changes can be read", async () => {
    const db = await open();
    const order: number[] = [];
    await Promise.all(
      times(30, async (index) => {
        await db.transaction((tx) => addUser(tx, `name ${index}`));
        expect(await listUsers(db)).toContain(`name ${index}`);
        order.push(index);
      }),
    );
    expect(order).toEqual(times(30, (index) => index));
    await db.close();
  });

  test("if SQLite rolls back all of them, those before the failure run again, and those after it run", async () => {
    const db = await open();
    const outcomes = await Promise.allSettled(
      times(5, (index) =>
        db.transaction(async (tx) => {
          await addUser(tx, `name ${index}`);
          // As SQLite does when the disk is full.
          if (index === 2) await tx.run(sql`ROLLBACK`);
          if (index === 2) throw new Error("full");
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, true]);
    expect(await listUsers(db)).toEqual(["name 0", "name 1", "name 3", "name 4"]);
    await db.close();
  });

  test("a commit that fails is acknowledged to none, and those that can be committed run again", async () => {
    const addOrphan = async (tx: Queries) => {
      // Checked only when the transaction is committed.
      await tx.run(sql`PRAGMA defer_foreign_keys = ON`);
      await tx.run(
        sql`INSERT INTO sessions (token_id, user_id, expires_at, created_at, seen_at) VALUES ('orphan', 1000, 1, 1, 1)`,
      );
    };
    const db = await open();
    const run = (indexes: number[]) =>
      Promise.allSettled(
        indexes.map((index) =>
          db.transaction(async (tx) => {
            await addUser(tx, `name ${index}`);
            if (index % 3 === 2) await addOrphan(tx);
          }),
        ),
      );
    const outcomes = [...(await run([0, 1, 2, 3, 4])), ...(await run([5]))];
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, true, false]);
    expect((await listUsers(db)).toSorted()).toEqual(["name 0", "name 1", "name 3", "name 4"]);
    expect(await db.get(sql`SELECT token_id FROM sessions`)).toBeNull();
    await db.close();
  });

  test("a long one delays none that were started before it", async () => {
    const db = await open();
    const short = times(5, (index) => db.transaction((tx) => addUser(tx, `short ${index}`)));
    // It ends only when the others are done.
    const long = db.transaction(
      async (tx) => {
        await Promise.all(short);
        await addUser(tx, "long");
      },
      { isLong: true },
    );
    const after = db.transaction((tx) => addUser(tx, "after"));
    await Promise.all([...short, long, after]);
    expect(await listUsers(db)).toEqual([...times(5, (index) => `short ${index}`), "long", "after"]);
    await db.close();
  });

  test("closing waits for those that were started", async () => {
    const path = join(scratch, `${crypto.randomUUID()}.db`);
    const db = await openAt(path);
    const writes = times(5, (index) => db.transaction((tx) => addUser(tx, `name ${index}`)));
    await Promise.all([...writes, db.close()]);
    const again = await openAt(path);
    expect(await listUsers(again)).toHaveLength(5);
    await again.close();
  });

  const open = () => openAt(join(scratch, `${crypto.randomUUID()}.db`));
});
