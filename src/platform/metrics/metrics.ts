import type { DatabaseEvents } from "../database/database.ts";
import { type Counter, createRegistry, type Histogram, type Registry } from "./registry.ts";

/** Seconds. */
const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobBounds = [0.01, 0.1, 1, 10, 60, 600];

/** The operation of a request, as its route declares it. A path sent by a client never becomes a label. */
export type Operation = { method: string; path: string; name: string; base?: true };

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of the server. A label has only as many values as there are routes, jobs and so on. */
export function createMetrics() {
  const registry = createRegistry();
  const { counter, histogram } = registry;
  return {
    gauge: registry.gauge,
    histogram: registry.histogram,
    print: registry.print,
    requests: createRequestMetrics(registry),
    refusals: counter("vitrine_rate_limit_refusals_total", "Requests refused by the rate limit.")(),
    cacheHits: counter("vitrine_response_cache_hits_total", "Public reads served from memory.")(),
    cacheMisses: counter("vitrine_response_cache_misses_total", "Public reads served from the database.")(),
    contentReceived: counter("vitrine_content_received_bytes_total", "Bytes of uploaded files.")(),
    contentSent: counter("vitrine_content_sent_bytes_total", "Bytes of files and pictures sent; archives excluded.")(),
    blobFaults: counter("vitrine_blob_faults_total", "Stored files that were asked for, but missing or damaged."),
    jobRuns: counter("vitrine_job_runs_total", "Runs of background jobs in this process, by result."),
    jobSeconds: histogram("vitrine_job_duration_seconds", "Duration of background jobs.", jobBounds),
    tasks: counter("vitrine_tasks_total", "Tasks of queues that this process has run, by result."),
    decoderTasks: counter("vitrine_decoder_tasks_total", "Tasks of the picture decoder, by result."),
    database: createDatabaseMetrics(registry),
  };
}

function createRequestMetrics({ counter, histogram, gauge }: Registry) {
  const totals = counter("vitrine_http_requests_total", "Requests, by operation and status.");
  const durations = histogram("vitrine_http_request_duration_seconds", "Time until the response began.", requestBounds);
  const unmatched: Operation = { method: "", path: "", name: "unmatched" };
  const known = new Map<Operation, { seconds: Histogram; statuses: Map<number, Counter> }>();
  let inFlight = 0;
  gauge("vitrine_http_requests_in_flight", "Requests whose response has not begun.")(() => inFlight);

  return {
    start(): void {
      inFlight++;
    },
    /** `operation` is null where no route matched. */
    end(operation: Operation | null, status: number, milliseconds: number): void {
      inFlight--;
      const { seconds, statuses } = find(operation ?? unmatched);
      seconds.observe(milliseconds / 1000);
      let total = statuses.get(status);
      if (!total) {
        const { method, path: route, name } = operation ?? unmatched;
        total = totals({ method, route, operation: name, status: String(status) });
        statuses.set(status, total);
      }
      total.value++;
    },
  };

  function find(operation: Operation) {
    let found = known.get(operation);
    if (!found) {
      found = { seconds: durations({ operation: operation.name }), statuses: new Map() };
      known.set(operation, found);
    }
    return found;
  }
}

/** What the database reports, and how many reads and transactions use a connection or wait for one. */
function createDatabaseMetrics({ counter, histogram, gauge }: Registry): DatabaseEvents {
  const retries = counter("vitrine_database_retries_total", "Retried reads and transactions, by reason.");
  const failures = counter("vitrine_database_failures_total", "Failed reads and transactions, by reason.");
  const waits = histogram("vitrine_database_wait_seconds", "Time until a transaction had a connection.", requestBounds);
  const active = gauge("vitrine_database_active", "Reads and transactions that use or await a connection.");
  const sizes = gauge("vitrine_database_connections", "Connections that a pool may open.");
  const wait = waits();
  for (const reason of ["conflict", "connection"]) retries({ reason });
  for (const reason of ["conflict", "connection", "timeout", "busy"]) failures({ reason });
  const statements = counter("vitrine_database_statements_total", "Statements sent to the database.")();
  const roundTrips = counter(
    "vitrine_database_round_trips_total",
    "Round trips to PostgreSQL; statements that are sent together share one.",
  )();

  return {
    retried: (reason) => void retries({ reason }).value++,
    failed: (reason) => void failures({ reason }).value++,
    waited: (milliseconds) => wait.observe(milliseconds / 1000),
    asked: () => void statements.value++,
    roundTrip: () => void roundTrips.value++,
    pool(name, connections) {
      let count = 0;
      active(() => count, { pool: name });
      sizes(() => connections, { pool: name });
      return { start: () => void count++, end: () => void count-- };
    },
  };
}
