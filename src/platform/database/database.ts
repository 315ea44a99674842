import type { Sql } from "./sql.ts";

export type Queries = {
  all<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  get<Row>(query: Sql): Promise<Row | null>;
  /** Answers how many rows changed. */
  run(query: Sql): Promise<number>;
};

export type Database = Pick<Queries, "all" | "get"> & {
  /**
   * Runs `work` alone: transactions wait for each other, so nothing slow belongs inside one. When it throws, nothing
   * of it stays. When this resolves, what it wrote survives a power cut.
   */
  transaction<Result>(work: (tx: Queries) => Promise<Result>): Promise<Result>;
  /** Grows with every committed transaction: what was read at the same number is still true. */
  generation(): number;
  close(): Promise<void>;
};

/** What reads need: the database itself, or a transaction. */
export type Reader = Pick<Queries, "all" | "get">;
