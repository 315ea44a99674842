import type { Database as Sqlite } from "bun:sqlite";
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { Disk } from "../disk.ts";
import { troubleOf } from "../disk-errors.ts";
import type { Statements } from "./database.ts";
import { longestWait, whenUnlocked } from "./unlocked.ts";

/** A group takes in no more transactions after this many milliseconds. */
const longestGroup = 5;

type Work<Result> = (tx: Statements) => Promise<Result>;
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
export function groupTransactions(writer: Sqlite, tx: Statements, disk: Disk, committed: () => void) {
  const [begin, commit, rollback] = prepareAll("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK");
  const [save, release, undo] = prepareAll("SAVEPOINT member", "RELEASE member", "ROLLBACK TO member");
  const waiting: Member[] = [];
  let running: Promise<void> | null = null;
  let isClosed = false;
  let lastEnded = 0;

  return {
    /** Resolves when the transaction is committed. */
    async run<Result>(work: Work<Result>, isLong: boolean): Promise<Result> {
      if (isClosed) throw new Error("The database is closed.");
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      let result: Result;
      waiting.push({
        run: AsyncLocalStorage.bind(async () => void (result = await work(tx))),
        isLong,
        arrived: performance.now(),
        resolve: () => resolve(result),
        reject: (error) => reject(disk.explain(error)),
      });
      running ??= runWaiting();
      return promise;
    },
    /** Waits for the transactions that were begun. No other is accepted from now on. */
    close: async () => {
      isClosed = true;
      await running;
    },
  };

  async function runWaiting(): Promise<void> {
    while (waiting.length > 0) {
      await setImmediate();
      await runGroup();
    }
    running = null;
  }

  async function runGroup(): Promise<void> {
    const [first, ...done] = waiting.splice(0, 1);
    if (!first || !(await runFirst(first))) return;
    done.push(first);
    const until = performance.now() + longestGroup;
    while (waiting[0] && !first.isLong && !waiting[0].isLong && performance.now() < until) {
      const member = waiting.shift() as Member;
      if (await runNext(member)) done.push(member);
      else if (!writer.inTransaction) return runAgain(done);
    }
    try {
      commit.run();
    } catch (error) {
      end();
      return done.length > 1 || mayFit(error) ? runAgain(done) : first.reject(error);
    }
    lastEnded = performance.now();
    committed();
    for (const member of done) member.resolve();
  }

  /** Begins a transaction. If the work fails, there is nothing else in it to keep. */
  async function runFirst(member: Member): Promise<boolean> {
    try {
      disk.checkWritable();
      // Those that another process has kept waiting do not wait one after the other.
      const deadline = Math.max(member.arrived, lastEnded) + longestWait;
      await whenUnlocked(() => begin.run(), deadline);
    } catch (error) {
      member.reject(error);
      return false;
    }
    try {
      await member.run();
      return true;
    } catch (error) {
      end();
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
    save.run();
    try {
      await member.run();
      release.run();
      return true;
    } catch (error) {
      if (writer.inTransaction) {
        undo.run();
        release.run();
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
        commit.run();
        committed();
        member.resolve();
      } catch (error) {
        end();
        member.reject(error);
      }
    }
  }

  function end(): void {
    lastEnded = performance.now();
    try {
      if (writer.inTransaction) rollback.run();
    } catch {
      // The disk has failed: then the next transaction fails, too.
    }
  }

  function prepareAll(...texts: [string, string, string]) {
    const [first, second, third] = texts;
    return [writer.prepare(first), writer.prepare(second), writer.prepare(third)] as const;
  }
}
