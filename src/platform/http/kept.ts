import type { Database } from "../database/database.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { matches } from "./conditional.ts";
import { readSession } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import type { Granting } from "./grants.ts";
import { type Limits, takeFromLimit } from "./limit.ts";
import type { PublicReads } from "./public-read.ts";
import type { Kept, KeptResponses } from "./response-cache.ts";
import type { Router } from "./router.ts";
import type { Sending } from "./send.ts";

type Deps = {
  responses: KeptResponses;
  reads: PublicReads;
  router: Router;
  grants: Granting;
  limits: Limits;
  sending: Sending;
  writes: Pick<Database, "fresh">;
  metrics: Metrics;
};

/**
 * The short way of a request whose response is in memory. It comes before all other steps, and every guest takes it: what a
 * feature needs belongs behind it. It takes the limit along, and a look for what other processes have written.
 */
export function createSendKept({ responses, reads, router, grants, limits, sending, writes, metrics }: Deps) {
  return sendKept;

  /**
   * Null for a request that takes the other steps; with a `key`, its response may be kept. Returns a promise only if the database
   * of other processes or the limit has to be asked.
   */
  function sendKept(exchange: Exchange): Response | Promise<Response | null> | null {
    if (!isGuestRead(exchange)) return null;
    const kept = find(exchange);
    if (!kept) return null;
    // Another process may have written since the response was kept.
    const fresh = writes.fresh();
    return fresh ? fresh.then(() => sendIfCurrent(exchange, kept)) : sendIfCurrent(exchange, kept);
  }

  /** A request with any `Authorization` is not a guest's, whether or not it is valid. */
  function isGuestRead(exchange: Exchange): boolean {
    const { method, request } = exchange;
    return (
      method === "GET" &&
      !request.headers.has("authorization") &&
      !grants.isAsked(exchange) &&
      readSession(exchange) === undefined
    );
  }

  /** What is kept may be outdated. The key is that of the query without what the route does not know. */
  function find(exchange: Exchange): Kept | undefined {
    const { search, path } = exchange;
    if (!reads.mayKeep(exchange)) {
      exchange.key = notKept;
      return undefined;
    }
    exchange.key = reads.keyOf(exchange, search);
    const kept = responses.get(exchange.key);
    if (kept || search === "") return kept;
    const route = router.match("GET", path)?.route;
    // Which parameters a route knows is not known before it is loaded.
    const isLoaded = route !== undefined && !route.load;
    exchange.key = isLoaded ? reads.keyOf(exchange, reads.read(exchange, route).search) : notKept;
    return responses.get(exchange.key);
  }

  function sendIfCurrent(exchange: Exchange, kept: Kept): Response | Promise<Response> | null {
    if (!responses.use(exchange.key ?? notKept, kept)) return null;
    exchange.operation = kept.operation;
    const taken = takeFromLimit(limits, exchange, kept.bucket);
    return taken ? taken.then(() => send(exchange, kept)) : send(exchange, kept);
  }

  /** What `sending` has built for one guest is cloned for the next ones, each with its own id. */
  function send(exchange: Exchange, { answer, prepared }: Kept): Response | Promise<Response> {
    metrics.cacheHits.value++;
    const { method, headers } = exchange.request;
    if (method !== "GET" || matches(headers.get("if-none-match"), answer.etag))
      return sending.send(exchange, answer, false);
    const form = sending.encodingOf(answer, headers) ?? "plain";
    const known = prepared.get(form);
    if (known) {
      const response = known.clone() as Response;
      response.headers.set("X-Request-Id", exchange.id);
      return response;
    }
    const response = sending.send(exchange, answer, false);
    // One that has to be compressed first is prepared the next time.
    if (response instanceof Response) prepared.set(form, response.clone() as Response);
    return response;
  }
}

/** The key of a public response that is not kept. */
export const notKept = "";
