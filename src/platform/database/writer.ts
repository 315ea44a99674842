import { threadProgram } from "../own-command.ts";
import type { Value } from "./sql.ts";

type Eventually<Result> = Result | Promise<Result>;

/** The connection that writes: one of this thread, which answers at once, or that of another thread. */
export type Writer = {
  prepare(text: string): WriterStatement;
  run(text: string): unknown;
  /** As of the last answer. */
  readonly inTransaction: boolean;
  /** Waits for the statements that were to be sent later. Throws if one has failed. */
  settle?(): Promise<void>;
  close(): Eventually<void>;
};

export type WriterStatement = {
  all(...values: Value[]): Eventually<unknown[]>;
  get(...values: Value[]): Eventually<unknown>;
  run(...values: Value[]): Eventually<{ changes: number }>;
  /** Sends it together with the next one. */
  later?(...values: Value[]): void;
};

/** A statement for the thread. If none is sent, the thread closes its connection. */
export type Sent = { method: "all" | "get" | "run"; text: string; values: Value[] };
type Failure = { name: string; message: string; code: string | undefined; errno: number | undefined };
/** Of the last of the statements that were sent together, or of the one that has failed. */
export type Answer = { result?: unknown; error?: Failure; inTransaction: boolean };

/** Ten times as long as anything else may keep the event loop. */
export const usualSlowCommitMs = 100;
/** A few slow commits can be those of a machine that was busy or suspended. */
export const slowCommits = 5;
const within = 60_000;

/**
 * Decides when a thread is worth its price, which is some 30 microseconds for each statement: after five commits, within a minute, that
 * have each kept the event loop for this long. Returns what has to be told how long each commit has kept it. It calls
 * `move` once.
 */
export function watchCommits(slowMs: number, move: () => void): (milliseconds: number) => void {
  const slow: number[] = [];
  let isDecided = false;
  return (milliseconds) => {
    if (milliseconds < slowMs || isDecided) return;
    const now = performance.now();
    if (slow.push(now) < slowCommits) return;
    isDecided = now - (slow.shift() as number) < within;
    if (isDecided) move();
  };
}

/** Opens a connection in a thread of its own (`writer-thread.ts`). If the thread ends, so does the process. */
export async function startWriterThread(path: string): Promise<Writer> {
  const { file, argv } = threadProgram("writer");
  const thread = new Worker(file, { argv: [...argv, path] });
  const opened = Promise.withResolvers<unknown>();
  const asked = [opened];
  let later: Sent[] = [];
  let inTransaction = false;
  let isOpen = false;

  thread.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    const question = asked.shift();
    inTransaction = data.inTransaction;
    if (data.error) question?.reject(Object.assign(new Error(data.error.message), data.error));
    else question?.resolve(data.result);
  });
  thread.addEventListener("error", ({ message }) => end(message));
  thread.addEventListener("close", () => end("it has ended"));
  await opened.promise;
  isOpen = true;

  return {
    prepare: (text) => ({
      all: (...values) => ask({ method: "all", text, values }) as Promise<unknown[]>,
      get: (...values) => ask({ method: "get", text, values }),
      run: (...values) => ask({ method: "run", text, values }) as Promise<{ changes: number }>,
      later: (...values) => void later.push({ method: "run", text, values }),
    }),
    // Not part of a transaction: it fails in one that has failed, and that one is told.
    run: (text) => send([{ method: "run", text, values: [] }]).catch(() => {}),
    get inTransaction() {
      return inTransaction;
    },
    async settle() {
      if (later.length > 0) await send(later.splice(0));
    },
    async close() {
      isOpen = false;
      await send([]);
      thread.terminate();
    },
  };

  async function ask(statement: Sent): Promise<unknown> {
    // What a transaction that has failed did not send yet is not sent any more.
    if (/^(BEGIN|ROLLBACK)/.test(statement.text)) later = [];
    return send([...later.splice(0), statement]);
  }

  function send(statements: Sent[]): Promise<unknown> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    thread.postMessage(statements);
    const question = Promise.withResolvers<unknown>();
    asked.push(question);
    return question.promise;
  }

  /** What the thread has committed is then unknown, so no further write may be acknowledged. */
  function end(reason: string): void {
    for (const question of asked.splice(0)) question.reject(new Error(reason));
    if (!isOpen) return;
    console.error(`vitrine: the thread that writes to the database has failed (${reason}); stopping.`);
    process.exit(1);
  }
}
