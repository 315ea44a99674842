import { setTimeout } from "node:timers/promises";
import type { Database, Queries } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { nextTurn } from "../event-loop.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { noticeWrites, poll } from "./poll.ts";
import {
  addTasks,
  claimTasks,
  findNextGroup,
  forgetBegins,
  hasTasks,
  holdTask,
  isClaimed,
  isGroupDue,
  LostTask,
  type NewTask,
  releaseClaims,
  removeGroup,
  removeSettledTasks,
  renewClaims,
  renewEveryMs,
  type Settling,
  settleTask,
  takeTask,
  type Task,
} from "./tasks.ts";

/** Who adds a task in this process wakes the worker; this is for what others add. */
const lookEveryMs = 5000;
/** A queue in which nothing was written is looked at this often: some of its tasks wait for a time. */
const maxIdleMs = 10_000;
/** The pause after a result that could not be stored, such as on a full disk. */
const storeAgainMs = 5000;

type Options = {
  name: string;
  /** How many tasks a process runs at once. */
  atOnce: number;
  /** The delay after each failure; after one more, the task is given up. */
  delaysMs: readonly number[];
  /** How often a task is begun that never ends, because its process does. Then it is given up. */
  maxBegins: number;
  /** For so long after its start, a process leaves alone what it has found. */
  quietMs: number;
  /** Settled tasks are kept for so long. */
  keptMs: number;
};

type Write = (tx: Queries) => Promise<unknown>;

/** `write` belongs to the transaction that stores the result. */
export type Result<Payload> =
  | { kind: "done"; write?: Write }
  /** There is more to do, now or later: nothing has failed. */
  | { kind: "again"; payload?: Payload; afterMs?: number; write?: Write }
  /** It is tried again after the next delay. */
  | { kind: "failed"; reason: string; write?: Write }
  /** Another process has ended that did the work. It is begun again at once, as after the end of this process. */
  | { kind: "crashed" };

type Running = {
  /** Aborted when the worker closes: what stops then is done later. */
  signal: AbortSignal;
  /** Throws if another process has taken over, or the task was removed. */
  check(): Promise<void>;
  /** It has brought something new: only begins after that count. */
  advanced(tx: Queries): Promise<void>;
};

export type Handlers<Payload> = {
  run(task: Task<Payload>, running: Running): Promise<Result<Payload>>;
  /** In the transaction that ends a task which has failed, or crashed, too often. */
  givenUp(tx: Queries, task: Task<Payload>, why: { isCrash: boolean; reason: string }): Promise<unknown>;
};

type Worker<Payload> = {
  /** Looks for tasks now: some were added. */
  wake(): void;
  /** Resolves when a group has nothing to do now, or after `ms`. */
  wait(group: number, ms: number): Promise<void>;
  /** Adds a task that only this process can run. */
  addHeld(tx: Queries, task: NewTask<Payload>): Promise<void>;
  removeSettled(): Promise<unknown>;
  /** Waits for what is running, which `signal` tells to stop. */
  close(): Promise<void>;
};

type Deps = { db: Database; log: Log; metrics: Metrics };

/**
 * Work in the background that survives the end of its process. Each task is a row: a process claims it, and stores that it begins,
 * before it runs it. The result is stored together with what follows from it, so that nothing is done twice. Every copy of the
 * server has a worker; each task runs in one of them.
 */
export const queue = <Payload>(options: Options) => ({
  name: options.name,
  /** Adds tasks that are due now. One that is there already begins anew; if it is running, it runs once more. */
  add: (tx: Queries, tasks: NewTask<Payload>[]) => addTasks(tx, options.name, tasks),
  /** Removes a task whose work is done elsewhere, and returns its payload. */
  take: (tx: Queries, key: string) => takeTask<Payload>(tx, options.name, key),
  removeGroup: (tx: Queries, group: number) => removeGroup(tx, options.name, group),
  /** A condition: whether a group has tasks that are not settled; besides this one. */
  hasTasks: (group: Sql | number, besides?: number) => hasTasks(options.name, group, besides),
  start: (deps: Deps, handlers: Handlers<Payload>) => startWorker(options, deps, handlers),
});

async function startWorker<Payload>(
  { name, atOnce, delaysMs, maxBegins, quietMs, keptMs }: Options,
  { db, log, metrics }: Deps,
  { run, givenUp }: Handlers<Payload>,
): Promise<Worker<Payload>> {
  const claimer = { queue: name, by: crypto.randomUUID() };
  const started = { at: Date.now(), since: performance.now() };
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<number, { group: number; ended: Promise<void> }>();
  const held = new Set<string>();
  let lastGroup = -1;
  /** When nothing was due, and in which generation of the database. */
  let idle: { generation: number; at: number } | null = null;

  // No other process can work on them: what is claimed was left by one that has ended.
  if (!db.isShared) await releaseClaims(db, name);
  const failed = ({ message }: Error) => log.warn("a queue was not read", { queue: name, reason: message });
  const { wake, ended } = poll(look, { everyMs: lookEveryMs, signal, failed });
  const renew = () => (running.size > 0 || held.size > 0) && renewClaims(db, claimer).catch(failed);
  const renewing = db.isShared ? setInterval(() => void renew(), renewEveryMs) : undefined;

  async function look(): Promise<void> {
    await noticeWrites(db);
    const now = performance.now();
    if (idle && now - idle.at < maxIdleMs && db.lastWrite(["tasks"]) <= idle.generation) return;
    const generation = db.generation();
    while (!signal.aborted && running.size < atOnce) {
      const isQuiet = performance.now() - started.since < quietMs;
      const due = { ...claimer, running: [...running.keys()], addedSince: isQuiet ? started.at : 0 };
      const group = await findNextGroup(db, due, lastGroup);
      if (group === null) return void (idle = { generation, at: now });
      lastGroup = group;
      const claimed = await claimTasks<Payload>(db, due, { group, most: atOnce - running.size });
      // Another process has taken them.
      if (claimed.length === 0) return;
      for (const task of claimed) begin(task);
    }
  }

  function begin(task: Task<Payload>): void {
    idle = null;
    const work = perform(task).finally(() => {
      running.delete(task.id);
      wake();
    });
    running.set(task.id, { group: task.group, ended: work });
  }

  async function perform(task: Task<Payload>): Promise<void> {
    // Requests run in between: the database may return without yielding to the event loop.
    await nextTurn();
    let result = await resultOf(task);
    while (result) {
      try {
        await settle(task, result);
        metrics.tasks({ queue: name, result: result.kind }).value++;
        return;
      } catch (error) {
        if (error instanceof LostTask) return;
        log.error("task failed", { queue: name, task: task.key, stack: (error as Error).stack });
      }
      // What it should have written may be the reason.
      result = { kind: "failed", reason: serverFailed };
      await setTimeout(storeAgainMs, null, { signal }).catch(() => (result = null));
    }
  }

  /** Null if the task is done later, or by another process. */
  async function resultOf(task: Task<Payload>): Promise<Result<Payload> | null> {
    if (task.begins > maxBegins) return { kind: "crashed" };
    try {
      const result = await run(task, {
        signal,
        async check() {
          signal.throwIfAborted();
          if (!(await isClaimed(db, claimer, task.id))) throw new LostTask();
        },
        advanced: (tx) => forgetBegins(tx, claimer, task.id),
      });
      // What fails while everything closes is not to blame.
      return signal.aborted && (result.kind === "failed" || result.kind === "crashed") ? null : result;
    } catch (error) {
      if (error instanceof LostTask || signal.aborted) return null;
      log.error("task failed", { queue: name, task: task.key, stack: (error as Error).stack });
      return { kind: "failed", reason: serverFailed };
    }
  }

  async function settle(task: Task<Payload>, result: Result<Payload>): Promise<void> {
    const { settling, isCrash } = settlingOf(task, result);
    await db.transaction(async (tx) => {
      if ("write" in result) await result.write?.(tx);
      if ("outcome" in settling && settling.reason !== null)
        await givenUp(tx, task, { isCrash, reason: settling.reason });
      await settleTask(tx, claimer, task, settling);
    });
    if ("outcome" in settling) held.delete(task.key);
  }

  function settlingOf(
    { key, payload, begins, failures }: Task<Payload>,
    result: Result<Payload>,
  ): { settling: Settling; isCrash: boolean } {
    const again = { nextAt: Date.now(), payload, failures, isCrash: false, isHeld: held.has(key) };
    const end = (reason: string | null): Settling => ({
      outcome: reason === null ? "done" : "given up",
      reason,
      keptMs,
    });
    if (result.kind === "done") return { settling: end(null), isCrash: false };
    if (result.kind === "again") {
      const { afterMs = 0, payload: next = payload } = result;
      return { settling: { ...again, payload: next, nextAt: again.nextAt + afterMs }, isCrash: false };
    }
    if (result.kind === "crashed")
      return { settling: begins > maxBegins ? end(crashed) : { ...again, isCrash: true }, isCrash: true };
    const delay = delaysMs[failures];
    if (delay === undefined) return { settling: end(result.reason), isCrash: false };
    return { settling: { ...again, nextAt: again.nextAt + delay, failures: failures + 1 }, isCrash: false };
  }

  return {
    wake,
    async wait(group, ms) {
      const deadline = performance.now() + ms;
      for (;;) {
        wake();
        const left = deadline - performance.now();
        if (left <= 0 || signal.aborted) return;
        const ours = [...running.values()].filter((one) => one.group === group).map((one) => one.ended);
        if (ours.length === 0 && !(await isGroupDue(db, name, group))) return;
        const pause = new AbortController();
        // Another process may have claimed it.
        const paused = setTimeout(ours.length > 0 ? left : Math.min(left, 50), null, { signal: pause.signal });
        await Promise.race([paused, ...ours]);
        pause.abort();
        await paused.catch(() => {});
      }
    },
    async addHeld(tx, task) {
      await addTasks(tx, name, [task]);
      await holdTask(db, tx, claimer, task.key);
      held.add(task.key);
    },
    removeSettled: () => removeSettledTasks(db, name, keptMs),
    async close() {
      stopping.abort();
      clearInterval(renewing);
      await ended;
      await Promise.all([...running.values()].map((one) => one.ended));
      // If this fails, the claims expire.
      await releaseClaims(db, name, claimer.by).catch(() => {});
    },
  };
}

const serverFailed = "The server has failed: its log says why.";
const crashed = "Its process has ended each time.";
