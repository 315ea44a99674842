import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestTracing } from "../tracing/tracing.ts";
import type { CORS } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import { idleSeconds } from "./listen.ts";

type Deps = {
  cors: CORS;
  isDraining: () => boolean;
  tracing: RequestTracing | null;
  metrics: Metrics;
  log: Log;
};

/** The end of every request, also of one that was refused: its part in the metrics and traces, and one line in the log. */
export function createFinish({ cors, isDraining, tracing, metrics, log }: Deps) {
  return (exchange: Exchange, response: Response): Response => {
    const { request, server, id, started, path, address, callerID } = exchange;
    if (exchange.isIdleTimerOff) server?.timeout(request, idleSeconds);
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    const { status } = response;
    // A long header that only scripts of other origins need.
    if (request.headers.has("origin")) response.headers.set("Access-Control-Expose-Headers", cors.exposed);
    metrics.requests.end(exchange.operation, status, ms);
    if (isDraining()) response.headers.set("Connection", "close");
    const traceID = tracing?.end(exchange.operation, request.method, status);
    log.request({ requestID: id, method: request.method, path, status, ms, address, userID: callerID, traceID });
    return response;
  };
}
