import type { Database } from "../database/database.ts";
import { collectReads } from "../database/generations.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Exchange } from "./exchange.ts";
import { notKept } from "./kept.ts";
import type { Presented } from "./present.ts";
import { isPublicRead, type PublicReads, showOnly } from "./public-read.ts";
import type { KeptResponses } from "./response-cache.ts";
import type { Bucket, Route } from "./route.ts";

type Deps = {
  responses: KeptResponses;
  reads: PublicReads;
  writes: Pick<Database, "generation">;
  metrics: Metrics;
};

/** How responses to guests who only read get into memory. */
export function createKeepPublic({ responses, reads, writes, metrics }: Deps) {
  return keepPublic;

  /**
   * The result of `work`, which gets the request as its handler may see it. If the response is public, that is only what is in
   * the key, and the result is kept for the next request.
   */
  function keepPublic(
    exchange: Exchange,
    route: Route,
    work: (shown: Exchange) => Promise<Presented>,
  ): Promise<Presented> {
    const { key } = exchange;
    if (key === null || !isPublicRead(route)) return work(exchange);
    const readAt = writes.generation();
    const tables = new Set<string>();
    const shown = showOnly(exchange, reads.read(exchange, route));
    return collectReads(tables, () => work(shown)).then((presented) => {
      const { answer } = presented;
      if (answer instanceof Response) return presented;
      metrics.cacheMisses.value++;
      if (key !== notKept)
        responses.keep(key, {
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
