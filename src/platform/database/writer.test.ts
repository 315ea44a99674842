// Runs on the embedded engines only: it is about a thread for SQLite.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openSqliteWithThread } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { createLog } from "../log.ts";
import type { Database, Queries } from "./database.ts";
import { sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";
import { slowCommits, startWriterThread, watchCommits } from "./writer.ts";

const scratch = useScratch();

const pathOf = () => join(scratch, `${crypto.randomUUID()}.db`);
const addUser = (name: string) => sql`
  INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
  VALUES (${name}, ${name}, ${name}, 'x', 'author', 1, 1)`;
const listUsers = async (db: Database) =>
  (await db.all<{ username: string }>(sql`SELECT username FROM users ORDER BY id`)).map(({ username }) => username);

test("the fifth slow commit within a minute decides, once", () => {
  let moves = 0;
  const tell = watchCommits(100, () => moves++);
  const after = (...milliseconds: number[]) => {
    for (const each of milliseconds) tell(each);
    return moves;
  };
  expect(after(1, 99, 99)).toBe(0);
  expect(after(100, 1, 100, 100, 100, 1)).toBe(0);
  expect(after(5000)).toBe(1);
  expect(after(5000, 5000)).toBe(1);
});

test("the log says once that a thread writes, after the fifth commit and not before", async () => {
  const said: string[] = [];
  const log = { ...createLog("silent"), warn: (line: string) => void said.push(line) };
  const db = await openSqlite(pathOf(), { log, slowCommitMs: 0 });
  for (let count = 1; count < slowCommits; count++) await db.transaction((tx) => tx.run(addUser(`a${count}`)));
  await Bun.sleep(200);
  expect(said).toEqual([]);
  for (let count = 0; count < 5; count++) await db.transaction((tx) => tx.run(addUser(`b${count}`)));
  await db.close();
  expect(said).toEqual(["the disk is slow: from now on, a thread of its own writes to the database"]);
});

describe("a thread that writes", () => {
  test("keeps no read waiting", async () => {
    const db = await openSqliteWithThread(pathOf());
    const state = { isRunning: false, isDone: false };
    const write = db
      .transaction(async (tx) => {
        await tx.run(addUser("a"));
        state.isRunning = true;
        await tx.get(sql`
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500000)
          SELECT max(n) FROM numbers`);
        state.isRunning = false;
      })
      .then(() => (state.isDone = true));
    let reads = 0;
    while (!state.isDone) {
      await listUsers(db);
      await setImmediate();
      if (state.isRunning) reads++;
    }
    expect(reads).toBeGreaterThan(20);
    await write;
    expect(await listUsers(db)).toEqual(["a"]);
    await db.close();
  });

  test("runs nothing more of a transaction that has failed, even if the failure was ignored", async () => {
    const db = await openSqliteWithThread(pathOf());
    await db.transaction((tx) => tx.run(addUser("taken")));
    const ignoring = db.transaction(async (tx) => {
      const addAgain = sql`INSERT OR ROLLBACK INTO users SELECT * FROM users`;
      await tx.run(addAgain).catch(() => {});
      await tx.run(addUser("without a transaction")).catch(() => {});
    });
    expect(await ignoring.catch(({ code }) => code)).toBe("SQLITE_CONSTRAINT_PRIMARYKEY");
    expect(await listUsers(db)).toEqual(["taken"]);
    await db.close();
  });

  test("does not get what a transaction that has failed wanted to run later", async () => {
    const db = await openSqliteWithThread(pathOf());
    await db.transaction((tx) => tx.run(addUser("taken")));
    const refused = db.transaction(async (tx) => {
      tx.later(addUser("taken"));
      throw new Error("refused");
    });
    expect(await refused.catch(({ message }: Error) => message)).toBe("refused");
    await db.transaction((tx) => tx.run(addUser("a")));
    expect(await listUsers(db)).toEqual(["taken", "a"]);
    await db.close();
  });

  test("that cannot be started leaves all as it was", async () => {
    expect(startWriterThread(join(scratch, "missing", "vitrine.db"))).rejects.toThrow("cannot be opened");
  });

  test("that ends by itself ends the process, because nobody knows what it has committed", async () => {
    const script = `
      import { openSqliteWithThread } from ${JSON.stringify(join(import.meta.dir, "../../../tests/kit/engine.ts"))};
      const threads = new Set();
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (...given) {
        threads.add(this);
        return postMessage.apply(this, given);
      };
      const db = await openSqliteWithThread(${JSON.stringify(pathOf())});
      await db.transaction(async () => {});
      for (const thread of threads) void thread.terminate();
      await db.transaction(async () => {});
      console.log("acknowledged");`;
    const child = Bun.spawn([process.execPath, "--no-orphans", "-e", script], { stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect([await child.exited, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("the thread that writes to the database has failed");
  });

  test("is told of writes of other processes by the connection that reads", async () => {
    const path = pathOf();
    const [db, other] = [await openSqliteWithThread(path), await openSqlite(path)];
    await db.transaction((tx) => tx.run(addUser("a")));
    await db.fresh(0);
    const before = db.generation();
    await db.fresh(0);
    expect(db.generation()).toBe(before);
    await other.transaction((tx) => tx.run(addUser("b")));
    await db.fresh(0);
    expect(db.lastWrite(["users"])).toBeGreaterThan(before);
    await Promise.all([db.close(), other.close()]);
  });
});

describe.each([
  ["the event loop", openSqlite],
  ["a thread", openSqliteWithThread],
])("a statement that %s runs later", (_name, open) => {
  const outcomes = async (db: Database, works: ((tx: Queries) => Promise<unknown>)[]) =>
    (await Promise.allSettled(works.map((work) => db.transaction(work)))).map((outcome) =>
      outcome.status === "fulfilled" ? "committed" : (outcome.reason as { code: string }).code,
    );
  const add = (name: string) => async (tx: Queries) => tx.later(addUser(name));

  test("has run when the next one runs, and when the transaction is committed", async () => {
    const db = await open(pathOf());
    const counts = await db.transaction(async (tx) => {
      tx.later(addUser("a"));
      tx.later(addUser("b"));
      const counted = await tx.get(sql`SELECT count(*) AS count FROM users`);
      tx.later(addUser("c"));
      return counted;
    });
    expect(counts).toEqual({ count: 2 });
    expect(await listUsers(db)).toEqual(["a", "b", "c"]);
    await db.close();
  });

  test("is undone with its transaction, or does not run at all", async () => {
    const db = await open(pathOf());
    const refused = async (tx: Queries) => {
      tx.later(addUser("refused"));
      throw Object.assign(new Error("no"), { code: "refused" });
    };
    const expected = ["refused", "committed", "refused", "committed"];
    expect(await outcomes(db, [refused, add("a"), refused, add("b")])).toEqual(expected);
    expect(await listUsers(db)).toEqual(["a", "b"]);
    await db.close();
  });

  test("fails its own transaction and no other, at whatever place in a group", async () => {
    const db = await open(pathOf());
    await db.transaction(add("taken"));
    const taken = "SQLITE_CONSTRAINT_UNIQUE";
    expect(await outcomes(db, [add("taken"), add("a"), add("taken"), add("b")])).toEqual([
      taken,
      "committed",
      taken,
      "committed",
    ]);
    expect(await listUsers(db)).toEqual(["taken", "a", "b"]);
    await db.close();
  });

  test("fails it also if SQLite has rolled back all of them, and nothing of it is left", async () => {
    const db = await open(pathOf());
    await db.transaction(add("taken"));
    const rollBack = async (tx: Queries) => {
      await tx.run(addUser("before"));
      tx.later(sql`
        INSERT OR ROLLBACK INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
        VALUES ('taken', 'taken', 'taken', 'x', 'author', 1, 1)`);
      tx.later(addUser("after"));
      await tx.run(addUser("later"));
    };
    expect(await outcomes(db, [add("a"), rollBack, add("b")])).toEqual([
      "committed",
      "SQLITE_CONSTRAINT_UNIQUE",
      "committed",
    ]);
    expect(await listUsers(db)).toEqual(["taken", "a", "b"]);
    await db.close();
  });
});
