import type { Sql } from "./sql.ts";

export type Queries = {
  all<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  get<Row>(query: Sql): Promise<Row | null>;
  /** Answers how many rows changed. */
  run(query: Sql): Promise<number>;
  /** Sends a statement whose result nobody needs. It has run when the transaction commits; if it fails, so does that. */
  later(query: Sql): void;
  /**
   * At the end of a SELECT: other transactions that lock or change these rows wait until this one ends. What is read before
   * the lock may be out of date: lock first, then read what decides.
   */
  readonly forUpdate: Sql;
  /** The same, but other readers with `forShare` do not wait. */
  readonly forShare: Sql;
  /** Waits until no other transaction holds the lock of this name: for what has no row. */
  lock(name: string): Promise<void>;
  /** A count that everybody writes to is spread over rows with a lane each, so that writers do not wait for each other. */
  readonly lane: number;
};

/** What reads need: the database itself, or a transaction. */
export type Reader = Pick<Queries, "all" | "get">;

export type Database = Reader & {
  readonly engine: "sqlite" | "postgres";
  /** Whether other processes may use the database at the same time. */
  readonly isShared: boolean;
  /**
   * Runs `work` in a transaction. It may run more than once, so it does nothing but talk to `tx`, and nothing slow. Two that
   * change the same record queue only where both lock it. When it throws, nothing of it stays. When this resolves, what
   * it wrote survives a power cut.
   */
  transaction<Result>(work: (tx: Queries) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** Grows with every write: at once with those made here, with those of another process by the next `fresh`. */
  generation(): number;
  /** Resolves when `generation` counts every write that was acknowledged before the call; null where it always does. */
  fresh(): Promise<void> | null;
  /**
   * Runs `work` unless another process is at the same `task`, or has finished it less than `restMs` ago; then it returns
   * without having run it.
   */
  alone(task: string, work: (lease: Lease) => Promise<unknown>, restMs?: number): Promise<void>;
  close(): Promise<void>;
};

export type TransactionOptions = {
  /** One that writes very many rows may take as long as a request may. */
  isLong?: boolean;
  /** Called when what was written is safe, before the transaction resolves. */
  committed?: () => void;
};

export type Lease = {
  /** Throws when another process has taken over: to be called before anything that cannot be undone. */
  check(): Promise<void>;
};

/** What an operator wants to know of a database. */
export type DatabaseEvents = {
  retried(reason: "conflict" | "connection"): void;
  failed(reason: "conflict" | "connection" | "timeout" | "busy"): void;
  /** How many milliseconds a transaction has waited for a connection. */
  waited(milliseconds: number): void;
  /** A statement is sent. */
  asked(): void;
  /** Statements are sent, and their answers waited for. Several that are sent together share a round trip. */
  roundTrip(): void;
  /** For a pool of so many connections; returns what to call before and after each use of it. */
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

/** The database cannot be used; the message is one sentence for the person who starts the server. */
export class DatabaseError extends Error {}
