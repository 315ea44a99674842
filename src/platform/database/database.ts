import type { Sql, Value } from "./sql.ts";

type Columns = Readonly<Record<string, Value | undefined>>;

/** A record that was written. `before` is null for a new one. A column that is in neither has not changed. */
export type Change = { id: number; before: Columns | null; after: Columns };

export type Queries = Statements & {
  /**
   * Says which records were created, or which of their columns were changed: what follows from them is written again. The
   * records are locked.
   */
  changed(kind: string, changes: Change[]): Promise<void>;
};

export type Statements = {
  all<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  get<Row>(query: Sql): Promise<Row | null>;
  /** Returns the number of changed rows. */
  run(query: Sql): Promise<number>;
  /**
   * Sends a statement whose result is not needed. It has run when the transaction commits; if it fails, the transaction
   * fails.
   */
  later(query: Sql): void;
  /**
   * For the end of a SELECT: other transactions that lock or change these rows wait until this one ends. Data read
   * before the lock may be outdated: lock first, then read what a decision depends on.
   */
  readonly forUpdate: Sql;
  /** The same, but does not block other transactions that use `forShare`. */
  readonly forShare: Sql;
  /** Waits until no other transaction holds the lock of this name. For locks that do not belong to a row. */
  lock(name: string): Promise<void>;
  /**
   * Counts that every writer changes are split into shards, one row each, so that writers do not wait for each other. This
   * transaction writes to this shard. The column is named `lane`.
   */
  readonly shard: number;
  /**
   * Whether the statement may change rows of this table, itself or by triggers and foreign keys. On SQLite the answer is exact;
   * on PostgreSQL it may be true for a statement that does not.
   */
  mayWrite(query: Sql, table: string): boolean;
};

/** All that reads need: the database itself, or a transaction. */
export type Reader = Pick<Statements, "all" | "get">;

export type Database = Reader & {
  readonly engine: "sqlite" | "postgres";
  /** Whether other processes may use the database at the same time. */
  readonly isShared: boolean;
  /**
   * Runs `work` in a transaction. It may run more than once, so it must only use `tx` and do nothing slow. Two
   * transactions that change the same record wait for each other only if both lock it. If it throws, the transaction is
   * rolled back. Once this resolves, the changes survive a power cut.
   */
  transaction<Result>(work: (tx: Queries) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /**
   * Grows with every write: immediately for writes of this process, with the next `fresh` for writes of other
   * processes.
   */
  generation(): number;
  /** The generation in which one of these tables or rows was last written. `collectReads` finds the names of those that work reads. */
  lastWrite(names: Iterable<string>): number;
  /**
   * Resolves once `generation` counts every write that was acknowledged before the call; null if it already does. It
   * does not count what other processes have written in the last `latest` milliseconds; on SQLite, these are 100 if not given.
   */
  fresh(latest?: number): Promise<void> | null;
  /**
   * Runs `work`, unless another process is running the same `task` or has finished it less than `restMs` ago. In that
   * case it returns without running it.
   */
  runExclusively(task: string, work: (lease: Lease) => Promise<unknown>, restMs?: number): Promise<void>;
  /** The size of the log of SQLite, if it has grown because another program keeps reading the database; else null. */
  largeLogBytes(): number | null;
  /** Frees the memory of cached pages, which are read again when they are used. */
  releaseMemory(): void;
  close(): Promise<void>;
};

export type TransactionOptions = {
  /** A transaction that writes very many rows may take as long as the whole request. */
  isLong?: boolean;
  /** Rows are copied together with what follows from them: nobody has to say that records were created. */
  isCopy?: boolean;
  /** Called once the changes are durable, before the transaction resolves. */
  committed?: () => void;
};

export type Lease = {
  /** Throws if another process has taken over. Call it before anything that cannot be undone. */
  check(): Promise<void>;
};

/** Events of a database that are of interest to an operator. */
export type DatabaseEvents = {
  retried(reason: "conflict" | "connection"): void;
  failed(reason: "conflict" | "connection" | "timeout" | "busy"): void;
  /** How many milliseconds a transaction has waited for a connection. */
  waited(milliseconds: number): void;
  /** A statement was sent. */
  asked(): void;
  /** Statements were sent, and their results are awaited. Statements that are sent together share a round trip. */
  roundTrip(): void;
  /** A pool of this many connections was opened; returns what to call before and after each use of it. */
  pool(name: "reads" | "writes", connections: number): { start(): void; end(): void };
};

export const noEvents: DatabaseEvents = {
  retried: () => {},
  failed: () => {},
  waited: () => {},
  asked: () => {},
  roundTrip: () => {},
  pool: () => ({ start: () => {}, end: () => {} }),
};

/** The database cannot be used; the message is one sentence for the operator. */
export class DatabaseError extends Error {}
