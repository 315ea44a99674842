import type { Database } from "../database/database.ts";

export type TracingConfig = Readonly<{
  /** Where spans are sent: the base URL of a collector, without a trailing slash. */
  endpoint: string;
  /** Headers of every request to the collector. They may contain secrets. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** How long spans wait for others before they are sent. */
  delayMs: number;
}>;

/** The route of a request, as it is declared: never the path that a client has sent. */
type Route = { path: string } | null;

export type RequestTracing = {
  /** Runs a request. `traceparent` is the header of a trusted proxy; null begins a new trace. */
  run<Result>(traceparent: string | null, work: () => Result): Result;
  /** To be called by `work` when the response begins. Returns the ID of the trace, if it is recorded. */
  end(route: Route, method: string, status: number): string | undefined;
};

/** Requests, and the database with spans for its transactions and statements, or as it is if there is no collector. */
export type Tracing = {
  requests: RequestTracing | null;
  database(db: Database): Database;
  /** Sends what is left, for a limited time. */
  close(): Promise<void>;
};
