import type { BlockList } from "node:net";
import type { RequestTracing } from "../tracing/tracing.ts";
import { isTrustedProxy } from "./address.ts";
import type { Connection } from "./exchange.ts";

type Fetch = (request: Request, server: Connection) => Response | Promise<Response>;

/**
 * The same, with a trace for each request. Only a trusted proxy can have begun it: anyone else could add to the traces of others,
 * or have every request recorded.
 */
export function traceRequests(fetch: Fetch, tracing: RequestTracing, trusted: BlockList | null): Fetch {
  return (request, server) => {
    const peer = server.requestIP(request)?.address ?? "";
    const traceparent = isTrustedProxy(peer, trusted) ? request.headers.get("traceparent") : null;
    return tracing.run(traceparent, () => fetch(request, server));
  };
}
