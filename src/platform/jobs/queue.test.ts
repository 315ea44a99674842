// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDatabase } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { until } from "../../../tests/kit/until.ts";
import type { Database } from "../database/database.ts";
import { openPostgres } from "../database/postgres.ts";
import { sql } from "../database/sql.ts";
import { openSqlite } from "../database/sqlite.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { type Handlers, queue } from "./queue.ts";
import { removeSettledTasks } from "./tasks.ts";

const scratch = useScratch();

type Payload = { step: number };
const options = {
  name: "test",
  atOnce: 2,
  delaysMs: [0, 0],
  maxBegins: 2,
  keep: (payload: Payload): unknown => payload,
};
const log = createLog("silent");

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`)),
};
if (process.env.TEST_DATABASE_URL) engines.postgres = async () => openPostgres(await makeDatabase());

type Row = { task_key: string; begins: number; outcome: string | null; reason: string | null };
const listTasks = (db: Database) => db.all<Row>(sql`SELECT task_key, begins, outcome, reason FROM tasks ORDER BY id`);
const listOutcomes = async (db: Database) =>
  (await listTasks(db)).map(({ task_key: key, outcome, reason }) => [key, outcome, reason]);

/** Runs what `run` says, and remembers what was given up. */
function handlersOf(run: Handlers<Payload>["run"]) {
  const givenUp: { key: string; isCrash: boolean; reason: string }[] = [];
  const handlers: Handlers<Payload> = {
    run,
    async givenUp(_tx, { key }, why) {
      givenUp.push({ key, ...why });
    },
  };
  return { handlers, givenUp };
}

describe.each(Object.entries(engines))("a queue on %s", (_name, open) => {
  async function openQueue(more: Partial<Parameters<typeof queue<Payload>>[0]> = {}) {
    const db = await open();
    const tasks = queue<Payload>({ ...options, ...more });
    const add = (...keys: string[]) =>
      db.transaction((tx) =>
        tasks.add(
          tx,
          keys.map((key) => ({ key, group: 1, payload: { step: 0 } })),
        ),
      );
    const start = (handlers: Handlers<Payload>) => tasks.start({ db, log, metrics: createMetrics() }, handlers);
    /** As a process that was killed leaves it. */
    const leaveClaimed = (begins: number) =>
      db.transaction((tx) =>
        tx.run(sql`UPDATE tasks SET claimed_by = 'killed', claimed_until = 1, begins = ${begins}`),
      );
    return { db, tasks, add, start, leaveClaimed };
  }

  test("each task runs once, whatever number of processes looks for it", async () => {
    const { db, add, start } = await openQueue();
    await add(...Array.from({ length: 40 }, (_, index) => `${index}`));
    const ran: string[] = [];
    const { handlers } = handlersOf(async ({ key }) => {
      ran.push(key);
      await Bun.sleep(1);
      return { kind: "done" };
    });
    const workers = await Promise.all([1, 2, 3].map(() => start(handlers)));
    await until(
      () => listTasks(db),
      (rows) => rows.every(({ outcome }) => outcome === "done"),
    );
    for (const worker of workers) await worker.close();
    expect(ran.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => `${index}`).toSorted());
    await db.close();
  });

  test("a task that was begun twice and never ended is given up, and not begun again", async () => {
    const { db, add, start, leaveClaimed } = await openQueue();
    const ran: string[] = [];
    const { handlers, givenUp } = handlersOf(async ({ key, begins }) => {
      ran.push(`${key} ${begins}`);
      return { kind: "done" };
    });
    await add("once");
    await leaveClaimed(1);
    const first = await start(handlers);
    await first.wait(1, 60_000);
    await first.close();
    await add("twice");
    await db.transaction((tx) =>
      tx.run(sql`UPDATE tasks SET claimed_by = 'killed', claimed_until = 1, begins = 2 WHERE task_key = 'twice'`),
    );
    const second = await start(handlers);
    await second.wait(1, 60_000);
    await second.close();
    expect(ran).toEqual(["once 2"]);
    expect(givenUp).toEqual([{ key: "twice", isCrash: true, reason: expect.any(String) }]);
    expect(await listOutcomes(db)).toEqual([
      ["once", "done", null],
      ["twice", "given up", expect.any(String)],
    ]);
    await db.close();
  });

  test("the begin is stored before a task runs, and forgotten when it ends in order, or has brought something new", async () => {
    const { db, add, start } = await openQueue();
    const seen: number[] = [];
    const { handlers } = handlersOf(async ({ payload }, { advanced }) => {
      const read = async () => seen.push((await listTasks(db))[0]?.begins ?? -1);
      await read();
      if (payload.step === 1) return { kind: "done" };
      await db.transaction(advanced);
      await read();
      return { kind: "again", payload: { step: 1 } };
    });
    const worker = await start(handlers);
    await add("task");
    await worker.wait(1, 60_000);
    await worker.close();
    expect(seen).toEqual([1, 0, 1]);
    await db.close();
  });

  test("a task that fails is tried after each delay, and then given up with its reason", async () => {
    const { db, add, start } = await openQueue();
    const failures: number[] = [];
    const { handlers, givenUp } = handlersOf(async (task) => {
      failures.push(task.failures);
      return { kind: "failed", reason: "No." };
    });
    const worker = await start(handlers);
    await add("task");
    await worker.wait(1, 60_000);
    await worker.close();
    expect(failures).toEqual([0, 1, 2]);
    expect(givenUp).toEqual([{ key: "task", isCrash: false, reason: "No." }]);
    expect(await listOutcomes(db)).toEqual([["task", "given up", "No."]]);
    await db.close();
  });

  test("a settled task is not run again, nor one whose result was stored by another process", async () => {
    const { db, tasks, add, start } = await openQueue();
    const [ran, written]: [string[], string[]] = [[], []];
    const taken = Promise.withResolvers<void>();
    const { handlers } = handlersOf(async ({ key }) => {
      ran.push(key);
      if (key === "taken") await taken.promise;
      return { kind: "done", write: async () => written.push(key) };
    });
    const worker = await start(handlers);
    await add("settled", "taken");
    worker.wake();
    await until(() => ran.length === 2);
    expect(await db.transaction((tx) => tasks.take(tx, "taken"))).toEqual({ step: 0 });
    taken.resolve();
    await worker.close();
    const again = await start(handlers);
    await add("last");
    await again.wait(1, 60_000);
    await again.close();
    expect(ran.toSorted()).toEqual(["last", "settled", "taken"]);
    expect(await listOutcomes(db)).toEqual([
      ["settled", "done", null],
      ["last", "done", null],
    ]);
    expect(written).toContain("settled");
    await db.close();
  });

  test("what a task writes is stored with its result, or not at all", async () => {
    const { db, tasks, add, start } = await openQueue();
    let writes = 0;
    const { handlers } = handlersOf(async ({ key }) => ({
      kind: "done",
      async write(tx) {
        writes++;
        await tasks.add(tx, [{ key: "after", group: 2, payload: { step: 9 } }]);
        // The result of a task that is not there cannot be stored.
        await tasks.take(tx, key);
      },
    }));
    const worker = await start(handlers);
    await add("task");
    worker.wake();
    await until(() => writes > 0);
    await worker.close();
    expect((await listTasks(db)).map(({ task_key: key }) => key)).toEqual(["task"]);
    await db.close();
  });

  test("a task that is added again while it runs, runs once more", async () => {
    const { db, add, start } = await openQueue();
    let runs = 0;
    const { handlers } = handlersOf(async () => {
      if (runs++ === 0) await add("task");
      return { kind: "done" };
    });
    const worker = await start(handlers);
    await add("task");
    await worker.wait(1, 60_000);
    await worker.close();
    expect([runs, (await listTasks(db)).length]).toEqual([2, 1]);
    await db.close();
  });

  test("a group of many tasks does not delay another one", async () => {
    const { db, tasks, add, start } = await openQueue({ atOnce: 1 });
    await add(...Array.from({ length: 20 }, (_, index) => `many ${index}`));
    await db.transaction((tx) => tasks.add(tx, [{ key: "single", group: 2, payload: { step: 0 } }]));
    const ran: string[] = [];
    const { handlers } = handlersOf(async ({ key }) => {
      ran.push(key);
      return { kind: "done" };
    });
    const worker = await start(handlers);
    await worker.wait(1, 60_000);
    await worker.close();
    expect(ran.indexOf("single")).toBeLessThan(3);
    await db.close();
  });

  test("a worker that has just started leaves alone what it has found, and runs what was added since", async () => {
    const { db, add, start } = await openQueue({ quietMs: 600_000 });
    await add("old");
    await db.transaction((tx) => tx.run(sql`UPDATE tasks SET added_at = added_at - 1000`));
    const ran: string[] = [];
    const { handlers } = handlersOf(async ({ key }) => {
      ran.push(key);
      return { kind: "done" };
    });
    const worker = await start(handlers);
    await add("new");
    worker.wake();
    await until(() => ran.length > 0);
    await worker.close();
    expect(ran).toEqual(["new"]);
    await db.close();
  });

  test("what runs when a worker closes is done by the next one, and that was no crash", async () => {
    const { db, add, start } = await openQueue();
    const [ran, begun]: [number[], PromiseWithResolvers<void>] = [[], Promise.withResolvers<void>()];
    const { handlers } = handlersOf(async ({ begins }, { signal, check }) => {
      ran.push(begins);
      if (ran.length > 1) return { kind: "done" };
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await check();
      return { kind: "done" };
    });
    const first = await start(handlers);
    await add("task");
    first.wake();
    await begun.promise;
    await first.close();
    const second = await start(handlers);
    await second.wait(1, 60_000);
    await second.close();
    expect(ran).toEqual([1, 1]);
    await db.close();
  });

  test("what a process that has ended had claimed is begun at the next start if no other process can have it", async () => {
    const { db, add, start } = await openQueue();
    await add("task");
    await db.transaction((tx) =>
      tx.run(sql`UPDATE tasks SET claimed_by = 'ended', claimed_until = ${Date.now() + 600_000}, begins = 1`),
    );
    const ran: number[] = [];
    const { handlers } = handlersOf(async ({ begins }) => {
      ran.push(begins);
      return { kind: "done" };
    });
    const worker = await start(handlers);
    await worker.wait(1, db.isShared ? 300 : 60_000);
    await worker.close();
    expect(ran).toEqual(db.isShared ? [] : [2]);
    await db.close();
  });

  test("only the process that holds a task runs it", async () => {
    const { db, start } = await openQueue();
    const ran: string[] = [];
    const handlersNamed = (name: string) =>
      handlersOf(async ({ failures }) => {
        ran.push(name);
        return failures === 0 ? { kind: "failed", reason: "Not yet." } : { kind: "done" };
      }).handlers;
    const workers = [await start(handlersNamed("first")), await start(handlersNamed("second"))];
    await db.transaction(async (tx) => workers[1]?.addHeld(tx, { key: "held", group: 1, payload: { step: 0 } }));
    // Both look for it.
    await Promise.all(workers.map((worker) => worker.wait(1, 60_000)));
    for (const worker of workers) await worker.close();
    expect(ran).toEqual(["second", "second"]);
    await db.close();
  });

  test("settled tasks are removed after their time", async () => {
    const { db, add, start } = await openQueue();
    const { handlers } = handlersOf(async () => ({ kind: "done" }));
    const worker = await start(handlers);
    await add("old", "young");
    await worker.wait(1, 60_000);
    await db.transaction((tx) => tx.run(sql`UPDATE tasks SET settled_at = 1 WHERE task_key = 'old'`));
    await removeSettledTasks(db);
    expect((await listTasks(db)).map(({ task_key: key }) => key)).toEqual(["young"]);
    await worker.close();
    await db.close();
  });

  test("what may be begun once is not done again, whether its process ends, it throws, or its result cannot be stored", async () => {
    const { db, add, start, leaveClaimed } = await openQueue({ maxBegins: 1, crashReason: "Doubtful." });
    const ran: string[] = [];
    let failures = 0;
    const { handlers, givenUp } = handlersOf(async ({ key }) => {
      ran.push(key);
      if (key === "throws") throw new Error("No.");
      return {
        kind: "done",
        async write(tx) {
          if (key === "unstored" || failures++ === 0) await tx.run(sql`INSERT INTO no_table VALUES (1)`);
        },
      };
    });
    await add("killed");
    await leaveClaimed(1);
    const first = await start(handlers);
    await first.wait(1, 60_000);
    await add("throws", "stored late");
    await first.wait(1, 60_000);
    await add("unstored");
    first.wake();
    await until(() => ran.includes("unstored"));
    await first.close();
    // It expires.
    await db.transaction((tx) => tx.run(sql`UPDATE tasks SET claimed_until = 1`));
    const second = await start(handlers);
    await second.wait(1, 60_000);
    await second.close();
    expect(ran.toSorted()).toEqual(["stored late", "throws", "unstored"]);
    expect(await listOutcomes(db)).toContainEqual(["stored late", "done", null]);
    expect(givenUp.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(
      ["killed", "throws", "unstored"].map((key) => ({ key, isCrash: true, reason: "Doubtful." })),
    );
    await db.close();
  });

  test("what fails before the worker closes is tried later, also if it may be begun once", async () => {
    const { db, add, start } = await openQueue({ maxBegins: 1 });
    const [ran, begun]: [number[], PromiseWithResolvers<void>] = [[], Promise.withResolvers<void>()];
    const { handlers } = handlersOf(async ({ failures }, { signal }) => {
      ran.push(failures);
      if (ran.length > 1) return { kind: "done" };
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { kind: "failed", reason: "The mail server is down." };
    });
    const first = await start(handlers);
    await add("task");
    first.wake();
    await begun.promise;
    await first.close();
    const second = await start(handlers);
    await second.wait(1, 60_000);
    await second.close();
    expect(ran).toEqual([0, 1]);
    await db.close();
  });

  test("runs only so many tasks of a group at once, those of groups that meet its condition, and what is refused once", async () => {
    const { db, tasks, start } = await openQueue({ atOnce: 4, perGroup: 2, where: sql`tasks.group_id <> 3` });
    const [running, most]: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
    const { handlers, givenUp } = handlersOf(async ({ group }) => {
      const count = (running.get(group) ?? 0) + 1;
      running.set(group, count);
      most.set(group, Math.max(most.get(group) ?? 0, count));
      // The first of a group waits for the second one.
      await until(() => most.get(group) === 2);
      running.set(group, count - 1);
      return { kind: "refused", reason: "Gone.", payload: { step: 7 } };
    });
    const added = [1, 2, 3].flatMap((group) =>
      [0, 1, 2, 3].map((index) => ({ key: `${group} ${index}`, group, payload: { step: 0 } })),
    );
    await db.transaction((tx) => tasks.add(tx, added));
    expect(await db.transaction((tx) => tasks.addOnce(tx, { key: "1 0", group: 9, payload: { step: 9 } }))).toBe(false);
    await db.transaction((tx) => tasks.removeWaiting(tx, { keys: ["1 1", "2 1"] }));
    const worker = await start(handlers);
    await until(
      () => db.all<{ payload: string }>(sql`SELECT payload FROM tasks WHERE outcome = 'given up' AND reason = 'Gone.'`),
      (rows) => rows.length === 6 && rows.every(({ payload }) => payload === '{"step":7}'),
    );
    await worker.close();
    expect([most.get(1), most.get(2), most.get(3), givenUp.length]).toEqual([2, 2, undefined, 0]);
    await db.close();
  });
});
