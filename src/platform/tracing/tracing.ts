import type { Blobs } from "../blobs/blobs.ts";
import type { Database } from "../database/database.ts";
import type { Decoder } from "../images/decoder.ts";
import type { Renderer } from "../markdown/renderer.ts";

export type TracingConfig = Readonly<{
  /** Where spans are sent: the base URL of a collector, without a trailing slash. */
  endpoint: string;
  /** Headers of every request to the collector. They may contain secrets. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Which share of the traces that begin here is recorded, from 0 to 1. */
  ratio: number;
  /** Whether a trace that a trusted proxy has begun is recorded if, and only if, the proxy records it. */
  followsParent: boolean;
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

/** Returns each part of the server with spans for what it does, or as it is if there is no collector. */
export type Tracing = {
  requests: RequestTracing | null;
  database(db: Database): Database;
  blobs(blobs: Blobs): Blobs;
  decoder(decoder: Decoder): Decoder;
  renderer(renderer: Renderer): Renderer;
  /** Sends what is left, for a limited time. */
  close(): Promise<void>;
};
