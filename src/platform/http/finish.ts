import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { CORS } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import type { Granting } from "./grants.ts";
import { idleSeconds } from "./listen.ts";

type Deps = {
  cors: CORS;
  grants: Granting;
  /** Headers of every response below a path. */
  pathHeaders: Record<string, Record<string, string>>;
  isDraining: () => boolean;
  metrics: Metrics;
  log: Log;
};

/** What every response gets, including refusals: the headers of all, its part in the metrics, and one line in the log. */
export function createFinish({ cors, grants, pathHeaders, isDraining, metrics, log }: Deps) {
  const announced = Object.entries(pathHeaders).map(
    ([prefix, headers]) => [prefix, { ...headers, ...cors.headers }] as const,
  );
  return (exchange: Exchange, response: Response): Response => {
    const { request, server, id, started, path, address, callerID } = exchange;
    if (exchange.isIdleTimerOff) server?.timeout(request, idleSeconds);
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    const { status } = response;
    // A long header that only scripts of other origins need.
    if (request.headers.has("origin")) response.headers.set("Access-Control-Expose-Headers", cors.exposed);
    for (const [prefix, headers] of announced) {
      if (!path.startsWith(prefix)) continue;
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    }
    grants.addVary(exchange, response);
    metrics.requests.end(exchange.operation, status, ms);
    if (isDraining()) response.headers.set("Connection", "close");
    log.request({ requestID: id, method: request.method, path, status, ms, address, userID: callerID });
    return response;
  };
}
