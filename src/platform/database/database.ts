import type { Sql } from "./sql.ts";

export type Queries = {
  all<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  get<Row>(query: Sql): Promise<Row | null>;
  /** Answers how many rows changed. */
  run(query: Sql): Promise<number>;
  /** Over how many rows a count that everybody writes to is spread, so that writers do not wait for each other. */
  readonly lanes: number;
};

/** What reads need: the database itself, or a transaction. */
export type Reader = Pick<Queries, "all" | "get">;

export type Database = Reader & {
  readonly engine: "sqlite" | "postgres";
  /**
   * Runs `work` as if alone. It may run more than once, so it does nothing but talk to `tx`, and nothing slow. When it
   * throws, nothing of it stays. When this resolves, what it wrote survives a power cut.
   */
  transaction<Result>(work: (tx: Queries) => Promise<Result>): Promise<Result>;
  /** Grows with every write: at once with those made here, within a second with those of another process. */
  generation(): number;
  /** Runs `work` unless another process is at the same `task`; then it answers without having run it. */
  alone(task: string, work: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
};

/** The database cannot be used; the message is one sentence for the person who starts the server. */
export class DatabaseError extends Error {}
