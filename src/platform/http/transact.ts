import type { Database, Queries, TransactionOptions } from "../database/database.ts";
import type { Answer } from "./answer.ts";

/**
 * The transaction of a handler. With an `Idempotency-Key`, it also stores the response: `reply` returns what the handler will
 * return, by default the result of `work`. It is called in the transaction, and only if the request has a key.
 */
export type Transact = <Result>(
  work: (tx: Queries) => Promise<Result>,
  options?: TransactionOptions & { reply?: (result: Result, tx: Queries) => unknown },
) => Promise<Result>;

/** Makes the transaction of a handler store the response, too. */
export type Storing = (
  transaction: Database["transaction"],
  toAnswer: (value: unknown) => Promise<Answer | Response>,
) => Transact;

/** The same transaction, for a function that does not know the response: it is made from what the function stores. */
export const replying =
  <Stored>(transaction: Transact, toReply: (stored: Stored) => unknown): Database["transaction"] =>
  (work, options) =>
    transaction(work, { ...options, reply: (result) => toReply(result as Stored & typeof result) });
