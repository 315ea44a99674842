import type { Database } from "../database/database.ts";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { Caller, Route, Viewer } from "./route.ts";
import type { Transact } from "./transact.ts";

/** A request whose caller is known. */
export type Started = {
  exchange: Exchange;
  /** What the handler sees of it. */
  shown: Exchange;
  route: Route;
  caller: Caller | null;
  viewer: Viewer;
  /** The parts of the path, by their names. */
  texts: Record<string, string>;
  /** For a request with an Idempotency-Key. */
  storing?: Storing | undefined;
};

/** Makes the transaction of a handler store the response, too. */
export type Storing = (
  transaction: Database["transaction"],
  toAnswer: (value: unknown) => Promise<Answer | Response>,
) => Transact;
