import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { Disk } from "../disk.ts";
import { troubleOf } from "../disk-errors.ts";
import type { Statements } from "./database.ts";
import { longestWait, whenUnlocked } from "./unlocked.ts";
import type { Writer } from "./writer.ts";

/** A group takes in no more transactions after this many milliseconds, or after as long as a thread took for the last commit. */
const longestGroup = 5;

type Work<Result> = (tx: Statements) => Promise<Result>;
/** The connection that writes, and what sends statements on it. */
type Connection = { writer: Writer; tx: Statements };
type Events = {
  committed(): void;
  /** How long a commit has kept the event loop. */
  kept(milliseconds: number): void;
};
/** A transaction that waits for its turn, or for the commit of its group. */
type Member = {
  run(): Promise<void>;
  isLong: boolean;
  arrived: number;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Runs transactions one after the other. Those that arrive in the same turn of the event loop, or while others run, form
 * a group: one transaction of SQLite, so that the pages that all of them change are written once. Each is a savepoint of
 * it: if one fails, the others are not affected. A long transaction runs alone.
 *
 * While another process has locked the database, all of them wait, each for a limited time. If the disk is full, its reserve
 * is released, and they run again.
 */
export function groupTransactions(first: Connection, disk: Disk, { committed, kept }: Events) {
  let { writer, tx, ...statements } = prepareAll(first);
  let next: Connection | null = null;
  const waiting: Member[] = [];
  let running: Promise<void> | null = null;
  let isClosed = false;
  let lastEnded = 0;
  let lastWait = 0;

  return {
    /** Resolves when the transaction is committed. */
    async run<Result>(work: Work<Result>, isLong: boolean): Promise<Result> {
      if (isClosed) throw new Error("The database is closed.");
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      let result: Result;
      waiting.push({
        run: AsyncLocalStorage.bind(async () => {
          result = await work(tx);
          await writer.settle?.();
        }),
        isLong,
        arrived: performance.now(),
        resolve: () => resolve(result),
        reject: (error) => reject(disk.explain(error)),
      });
      running ??= runWaiting();
      return promise;
    },
    /** From the next transaction on, this connection writes. */
    moveTo(connection: Connection): void {
      next = connection;
      running ??= runWaiting();
    },
    releaseMemory: () => void writer.run("PRAGMA shrink_memory"),
    /** Waits for the transactions that were begun. No other is accepted from now on. */
    async finish(): Promise<void> {
      isClosed = true;
      await running;
    },
    async close(): Promise<void> {
      await running;
      await writer.close();
    },
  };

  async function runWaiting(): Promise<void> {
    while (next || waiting.length > 0) {
      await setImmediate();
      if (next) await move(next);
      await runGroup();
    }
    running = null;
  }

  async function move(connection: Connection): Promise<void> {
    await writer.close();
    ({ writer, tx, ...statements } = prepareAll(connection));
    next = null;
  }

  async function runGroup(): Promise<void> {
    const [first, ...done] = waiting.splice(0, 1);
    if (!first || !(await runFirst(first))) return;
    done.push(first);
    const until = performance.now() + Math.max(longestGroup, lastWait);
    while (waiting[0] && !first.isLong && !waiting[0].isLong && performance.now() < until) {
      const member = waiting.shift() as Member;
      if (await runNext(member)) done.push(member);
      else if (!writer.inTransaction) return runAgain(done);
    }
    try {
      await commit();
    } catch (error) {
      await end();
      return done.length > 1 || mayFit(error) ? runAgain(done) : first.reject(error);
    }
    for (const member of done) member.resolve();
  }

  /** Begins a transaction. If the work fails, there is nothing else in it to keep. */
  async function runFirst(member: Member): Promise<boolean> {
    try {
      disk.checkWritable();
      // Those that another process has kept waiting do not wait one after the other.
      const deadline = Math.max(member.arrived, lastEnded) + longestWait;
      await whenUnlocked(() => statements.begin.run(), deadline);
    } catch (error) {
      member.reject(error);
      return false;
    }
    try {
      await member.run();
      return true;
    } catch (error) {
      await end();
      if (mayFit(error)) return runFirst(member);
      member.reject(error);
      return false;
    }
  }

  /** Whether a transaction for which the disk had no space may run again. */
  function mayFit(error: unknown): boolean {
    return troubleOf(error) === "full" && disk.releaseReserve();
  }

  /** After some errors, such as a full disk, SQLite has rolled back the whole transaction. */
  async function runNext(member: Member): Promise<boolean> {
    await statements.save.run();
    try {
      await member.run();
      await statements.release.run();
      return true;
    } catch (error) {
      if (writer.inTransaction) {
        await statements.undo.run();
        await statements.release.run();
      }
      if (mayFit(error)) waiting.unshift(member);
      else member.reject(error);
      return false;
    }
  }

  /** Each alone, so that only those fail that cannot be committed. */
  async function runAgain(members: Member[]): Promise<void> {
    for (const member of members) {
      if (!(await runFirst(member))) continue;
      try {
        await commit();
        member.resolve();
      } catch (error) {
        await end();
        member.reject(error);
      }
    }
  }

  async function commit(): Promise<void> {
    const began = performance.now();
    const committing = statements.commit.run();
    const left = performance.now();
    kept(left - began);
    await committing;
    lastEnded = performance.now();
    lastWait = lastEnded - left;
    committed();
  }

  async function end(): Promise<void> {
    lastEnded = performance.now();
    try {
      if (writer.inTransaction) await statements.rollback.run();
    } catch {
      // The disk has failed: then the next transaction fails, too.
    }
  }
}

function prepareAll({ writer, tx }: Connection) {
  return {
    writer,
    tx,
    begin: writer.prepare("BEGIN IMMEDIATE"),
    commit: writer.prepare("COMMIT"),
    rollback: writer.prepare("ROLLBACK"),
    save: writer.prepare("SAVEPOINT member"),
    release: writer.prepare("RELEASE member"),
    undo: writer.prepare("ROLLBACK TO member"),
  };
}
