import { setTimeout } from "node:timers/promises";
import type { Database, Queries } from "../database/database.ts";
import { collectReads } from "../database/generations.ts";
import { sql, type Sql } from "../database/sql.ts";
import { nextTurn } from "../event-loop.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { noticeWrites, poll } from "./poll.ts";
import {
  addSettledTask,
  addTaskOnce,
  addTasks,
  claimTasks,
  findNextGroup,
  findNextTime,
  forgetBegins,
  hasTasks,
  holdTask,
  isClaimed,
  isGroupDue,
  LostTask,
  type NewTask,
  releaseClaims,
  removeGroup,
  removeWaiting,
  renewClaims,
  type Settling,
  settleTask,
  takeTask,
  type Task,
} from "./tasks.ts";

/** Others share the database: to see what they have written costs a statement. */
const lookAtOthersEveryMs = 1000;
/** The pause after a result that could not be stored, such as on a full disk. */
const storeAgainMs = 5000;

type Options<Payload> = {
  name: string;
  /** How many tasks a process runs at once, and how many of one group. */
  atOnce: number;
  perGroup?: number;
  /** About the delay after each failure; after one more, the task is given up. */
  delaysMs: readonly number[];
  /**
   * How often a task is begun that never ends, because its process does. Then it is given up. What is begun once has happened at most
   * once: it is not done again either if it throws, or its result cannot be stored.
   */
  maxBegins: number;
  /** For so long after its start, a process leaves alone what it has found. */
  quietMs?: number;
  /** The pause between two looks. Who adds a task in this process can wake the worker before. */
  lookEveryMs?: number;
  /** After so long, another process takes over what a process that has ended had begun. It is longer than a living one is silent. */
  leaseMs?: number;
  /** What is said of a task that was given up because its process ended. */
  crashReason?: string;
  /** A condition on the group of a task: unless it is met, the task waits. */
  where?: Sql;
  /** What is kept of the payload of a settled task, for 30 days. Without this, the task is removed. */
  keep?: (payload: Payload) => unknown;
};

type Write = (tx: Queries) => Promise<unknown>;

/** `write` belongs to the transaction that stores the result, with the new payload if there is one. */
export type Result<Payload> =
  | { kind: "done"; payload?: Payload; write?: Write }
  /** There is more to do, now or later: nothing has failed. */
  | { kind: "again"; payload?: Payload; afterMs?: number; write?: Write }
  /** It is tried again after the next delay. */
  | { kind: "failed"; reason: string; payload?: Payload; write?: Write }
  /** It is not tried again. */
  | { kind: "refused"; reason: string; payload?: Payload; write?: Write }
  /** Another process has ended that did the work. It is begun again at once, as after the end of this process. */
  | { kind: "crashed" };

export type Running = {
  /** Aborted when the worker closes: what stops then is done later. */
  signal: AbortSignal;
  /** Throws if another process has taken over, or the task was removed. */
  check(): Promise<void>;
  /** It has brought something new: only begins after that count. */
  advanced(tx: Queries): Promise<void>;
};

export type Handlers<Payload> = {
  /** Whether anything may be begun now. */
  mayBegin?(): boolean | Promise<boolean>;
  run(task: Task<Payload>, running: Running): Promise<Result<Payload>>;
  /** In the transaction that ends a task which has failed, or crashed, too often. */
  givenUp?(tx: Queries, task: Task<Payload>, why: { isCrash: boolean; reason: string }): Promise<unknown>;
};

type Worker<Payload> = {
  /** Looks for tasks now: some were added. */
  wake(): void;
  /** Resolves when a group has nothing to do now, or after `ms`. */
  wait(group: number, ms: number): Promise<void>;
  /** Adds a task that only this process can run. */
  addHeld(tx: Queries, task: NewTask<Payload>): Promise<void>;
  /** Waits for what is running, which `signal` tells to stop. */
  close(): Promise<void>;
};

type Deps = { db: Database; log: Log; metrics: Metrics };

/**
 * Work in the background that survives the end of its process. Each task is a row: a process claims it, and stores that it begins,
 * before it runs it. The result is stored together with what follows from it, so that nothing is done twice. Every copy of the
 * server has a worker; each task runs in one of them.
 */
export const queue = <Payload>(options: Options<Payload>) => ({
  name: options.name,
  /** Adds tasks that are due now. One that is there already begins anew; if it is running, it runs once more. */
  add: (tx: Queries, tasks: NewTask<Payload>[]) => addTasks(tx, options.name, tasks),
  /** Adds a task, unless it was added before and is still known. Returns whether it was added. */
  addOnce: (tx: Queries, task: NewTask<Payload>) => addTaskOnce(tx, options.name, task),
  /** Adds a task that is not run, or stores what became of it elsewhere. Returns its id. */
  addSettled: (tx: Queries, task: NewTask<Payload>, end: { outcome: "done" | "given up"; reason: string | null }) =>
    addSettledTask(tx, options.name, task, end),
  /** Removes a task whose work is done elsewhere, and returns its payload. */
  take: (tx: Queries, key: string) => takeTask<Payload>(tx, options.name, key),
  removeGroup: (tx: Queries, group: number) => removeGroup(tx, options.name, group),
  /** Removes the tasks of a group, or those with these keys, that no process has begun. */
  removeWaiting: (tx: Queries, which: { group: number } | { keys: string[] }) => removeWaiting(tx, options.name, which),
  /** A condition: whether a group has tasks that are not settled; besides this one. */
  hasTasks: (group: Sql | number, besides?: number) => hasTasks(options.name, group, besides),
  start: (deps: Deps, handlers: Handlers<Payload>) => startWorker(options, deps, handlers),
});

async function startWorker<Payload>(
  options: Options<Payload>,
  { db, log, metrics }: Deps,
  { mayBegin, run, givenUp }: Handlers<Payload>,
): Promise<Worker<Payload>> {
  const { name, atOnce, perGroup = atOnce, delaysMs, maxBegins, quietMs = 0, lookEveryMs = 5000 } = options;
  const { leaseMs = 30_000, where = sql`1 = 1`, keep } = options;
  const isOnce = maxBegins === 1;
  const claimer = { queue: name, by: crypto.randomUUID(), leaseMs };
  const started = { at: Date.now(), since: performance.now() };
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<number, { group: number; ended: Promise<void> }>();
  const held = new Set<string>();
  let lastGroup = -1;
  /** When nothing was due, what was read to know it, and when the next task is. */
  let idle: { names: Set<string>; generation: number; changes: number; dueAt: number } | null = null;
  /** How often a task has begun or ended here: a look leaves out those that are running. */
  let changes = 0;

  // No other process can work on them: what is claimed was left by one that has ended.
  if (!db.isShared) await releaseClaims(db, name);
  const failed = ({ message }: Error) => log.warn("a queue was not read", { queue: name, reason: message });
  const everyMs = db.isShared ? Math.max(lookEveryMs, lookAtOthersEveryMs) : lookEveryMs;
  const { wake, ended } = poll(look, { everyMs, signal, failed });
  const renew = () => (running.size > 0 || held.size > 0) && renewClaims(db, claimer).catch(failed);
  const renewing = db.isShared ? setInterval(() => void renew(), leaseMs / 4) : undefined;

  /** Without a statement, unless something was written or is due. */
  async function look(): Promise<void> {
    await noticeWrites(db);
    if (isIdle() || (mayBegin && !(await mayBegin()))) return;
    const next = { names: new Set<string>(), generation: db.generation(), changes };
    while (!signal.aborted && running.size < atOnce) {
      const quietUntil = started.since + quietMs;
      const isQuiet = performance.now() < quietUntil;
      const due = {
        ...claimer,
        where,
        running: [...running.keys()],
        busy: listBusy(),
        addedSince: isQuiet ? started.at : 0,
      };
      const group = await collectReads(next.names, () => findNextGroup(db, due, lastGroup));
      if (group === null) {
        const nextTime = await findNextTime(db, due);
        const dueAt = isQuiet ? Math.min(nextTime, started.at + quietMs) : nextTime;
        return void (idle = { ...next, dueAt });
      }
      lastGroup = group;
      // Where a group has a limit, one after the other: they begin in their order.
      const most = perGroup < atOnce ? 1 : atOnce - running.size;
      const claimed = await claimTasks<Payload>(db, due, { group, most });
      // Another process has taken them.
      if (claimed.length === 0) return;
      for (const task of claimed) begin(task);
    }
  }

  const isIdle = (): boolean =>
    idle?.changes === changes && Date.now() < idle.dueAt && db.lastWrite(idle.names) <= idle.generation;

  const runningOf = (group: number) => [...running.values()].filter((one) => one.group === group);
  const listBusy = () =>
    [...new Set([...running.values()].map(({ group }) => group))].filter(
      (group) => runningOf(group).length >= perGroup,
    );

  function begin(task: Task<Payload>): void {
    changes++;
    const work = perform(task).finally(() => {
      running.delete(task.id);
      changes++;
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
        logFailure(task, error);
      }
      if (signal.aborted) return;
      await setTimeout(storeAgainMs, null, { signal }).catch(() => {});
      if (isOnce) continue;
      // What it should have written may be the reason.
      result = signal.aborted ? null : { kind: "failed", reason: serverFailed };
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
      return !isOnce && signal.aborted && (result.kind === "failed" || result.kind === "crashed") ? null : result;
    } catch (error) {
      if (error instanceof LostTask || signal.aborted) return null;
      logFailure(task, error);
      return isOnce ? { kind: "crashed" } : { kind: "failed", reason: serverFailed };
    }
  }

  const logFailure = ({ id, group }: Task<Payload>, error: unknown) =>
    log.error("task failed", { queue: name, task: id, group, stack: (error as Error).stack });

  async function settle(task: Task<Payload>, result: Result<Payload>): Promise<void> {
    const { settling, isTooOften } = settlingOf(task, result);
    await db.transaction(async (tx) => {
      if ("write" in result) await result.write?.(tx);
      if (isTooOften) await givenUp?.(tx, task, { isCrash: result.kind === "crashed", reason: settling.reason ?? "" });
      await settleTask(tx, claimer, task, settling);
    });
    if ("outcome" in settling) held.delete(task.key);
  }

  function settlingOf(
    { key, payload: old, begins, failures }: Task<Payload>,
    result: Result<Payload>,
  ): { settling: Settling; isTooOften?: true } {
    const payload = ("payload" in result ? result.payload : undefined) ?? old;
    const again = { nextAt: Date.now(), reason: null, payload, failures, isCrash: false, isHeld: held.has(key) };
    const givenUpFor = (reason: string): Settling => ({ outcome: "given up", reason, kept: keep?.(payload) });
    switch (result.kind) {
      case "done":
        return { settling: { outcome: "done", reason: null, kept: keep?.(payload) } };
      case "refused":
        return { settling: givenUpFor(result.reason) };
      case "again":
        return { settling: { ...again, nextAt: again.nextAt + (result.afterMs ?? 0) } };
      case "crashed":
        if (begins > maxBegins) return { settling: givenUpFor(options.crashReason ?? crashed), isTooOften: true };
        return { settling: { ...again, isCrash: true } };
      case "failed": {
        const { reason } = result;
        const delay = delaysMs[failures];
        if (delay === undefined) return { settling: givenUpFor(reason), isTooOften: true };
        const nextAt = again.nextAt + Math.round(delay * (0.8 + Math.random() * 0.4));
        return { settling: { ...again, nextAt, reason, failures: failures + 1 } };
      }
    }
  }

  return {
    wake,
    async wait(group, ms) {
      const deadline = performance.now() + ms;
      for (;;) {
        wake();
        const left = deadline - performance.now();
        if (left <= 0 || signal.aborted) return;
        const ours = runningOf(group).map((one) => one.ended);
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
    async close() {
      stopping.abort();
      clearInterval(renewing);
      await ended;
      await Promise.all([...running.values()].map((one) => one.ended));
      // If this fails, the claims expire. What may be done once stays begun if its result could not be stored.
      if (!isOnce) await releaseClaims(db, name, claimer.by).catch(() => {});
    },
  };
}

const serverFailed = "The server has failed: its log says why.";
const crashed = "Its process has ended each time.";
