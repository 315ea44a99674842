import type { Database } from "../database/database.ts";
import { collectReads } from "../database/generations.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createAnswerCache, type Kept } from "./response-cache.ts";
import { readSession } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import type { Granting } from "./grants.ts";
import type { Presented } from "./present.ts";
import { createPublicReads, isPublicRead, showOnly } from "./public-read.ts";
import type { Bucket, Route } from "./route.ts";
import type { Router } from "./router.ts";

/** A response that is kept and current, or else the key by which it will be kept; null if it is not public. */
type Lookup = Kept | string | null;

/** The key of a public response that is not kept. */
const notKept = "";

type Deps = {
  api: string;
  baseURL: string;
  languages: readonly string[];
  router: Router;
  grants: Granting;
  writes: Pick<Database, "generation" | "lastWrite" | "fresh">;
  metrics: Metrics;
};

export type PublicResponses = ReturnType<typeof createPublicResponses>;

/** The responses to requests of guests who only read: how they are found in the cache, and how they get there. */
export function createPublicResponses({ api, baseURL, languages, router, grants, writes, metrics }: Deps) {
  const cache = createAnswerCache(writes);
  const reads = createPublicReads({ api, baseURL, languages });
  return { find, run };

  /** Returns a promise only if the database of other processes has to be asked. */
  function find(exchange: Exchange): Lookup | Promise<Lookup> {
    if (!isGuestRead(exchange)) return null;
    const key = keyOf(exchange);
    // Another process may have written since the response was cached.
    const fresh = key !== notKept && cache.has(key) ? writes.fresh() : null;
    return fresh ? fresh.then(() => cache.find(key) ?? key) : (cache.find(key) ?? key);
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

  function keyOf(exchange: Exchange): string {
    if (!reads.mayKeep(exchange)) return notKept;
    const { search, path } = exchange;
    const exact = reads.keyOf(exchange, search);
    if (search === "" || cache.has(exact)) return exact;
    const route = router.match("GET", path)?.route;
    return reads.keyOf(exchange, route ? reads.read(exchange, route).search : "");
  }

  /**
   * The result of `work`, which gets the request as its handler may see it. If the response is public, that is only what is in
   * the key, and the result is kept for the next request.
   */
  function run(
    exchange: Exchange,
    route: Route,
    key: string | null,
    work: (shown: Exchange) => Promise<Presented>,
  ): Promise<Presented> {
    if (key === null || !isPublicRead(route)) return work(exchange);
    const readAt = writes.generation();
    const tables = new Set<string>();
    const shown = showOnly(exchange, reads.read(exchange, route));
    return collectReads(tables, () => work(shown)).then((presented) => {
      const { answer } = presented;
      if (answer instanceof Response) return presented;
      metrics.cacheMisses.value++;
      if (key !== notKept)
        cache.keep(key, {
          answer,
          operation: route,
          bucket: bucketOfKept(route),
          readAt,
          tables,
          prepared: new Map(),
        });
      return presented;
    });
  }
}

/** A page takes from its bucket only if it is not served from memory. */
const bucketOfKept = ({ limit = "api" }: Route): Bucket => (limit === "pages" ? "none" : limit);
