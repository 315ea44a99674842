import { invalid, Problem } from "../../errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { after } from "./after.ts";
import { complete, send } from "./answer.ts";
import type { Kept } from "./cache.ts";
import { allowedMethods, type CORS } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import type { PublicResponses } from "./public-responses.ts";
import type { Bucket, Route } from "./route.ts";
import type { GrowingRouter, Match } from "./router.ts";

/** The route of a request, with the key of its response in the cache, or what it gets without one. */
type Found = { bucket: Bucket } & (
  { match: Match; key: string | null } | { match: null; reply: () => Response | Promise<Response> }
);

type API = { path: string; documentation: string };
type Deps = { api: API; router: GrowingRouter; cors: CORS; publicResponses: PublicResponses; metrics: Metrics };

/**
 * The step `route`: the endpoint, or a response that is in the cache. A malformed Host header is a 400. That there is no endpoint
 * is found here, too, but said only after the step `limit`.
 */
export function createFindRoute({ api, router, cors, publicResponses, metrics }: Deps) {
  return findRoute;

  function findRoute(exchange: Exchange): Found | Promise<Found> {
    const { method, path } = exchange;
    if (path === "") throw invalid("The request needs one well-formed Host header.");
    const growing = path.startsWith(api.path) ? null : router.growFor(method, path);
    if (growing) return growing.then(() => findRoute(exchange));
    if (method === "OPTIONS") {
      const preflight = cors.preflight(router.routesAt(path));
      return { bucket: "none", match: null, reply: () => complete(exchange, preflight, false) };
    }
    return after(publicResponses.find(exchange), ({ key, kept }) => {
      if (kept) return foundKept(exchange, kept);
      const match = router.match(method, path);
      exchange.operation = match?.route ?? null;
      return match ? { bucket: match.route.limit ?? "api", match, key } : foundNothing(exchange);
    });
  }

  function foundKept(exchange: Exchange, { operation, bucket, answer }: Kept): Found {
    exchange.operation = operation;
    const reply = () => {
      metrics.cacheHits.value++;
      return send(exchange, answer, false);
    };
    return { bucket: bucket === "pages" ? "none" : bucket, match: null, reply };
  }

  function foundNothing(exchange: Exchange): Found {
    const others = router.routesAt(exchange.path);
    const bucket = bucketOfUnknown(api, exchange.path, others);
    return { bucket, match: null, reply: () => refuseUnknown(api, exchange, others) };
  }
}

/** `others` are the routes of the path with other methods. The API and pages are limited, whether or not a route exists. Health checks are not. */
function bucketOfUnknown(api: API, path: string, others: Route[]): Bucket {
  const buckets = others.map(({ limit = "api" }) => limit);
  if (path.startsWith(api.path) || buckets.includes("api") || buckets.includes("media")) return "api";
  return buckets.length === 0 || buckets.includes("pages") ? "pages" : "none";
}

/** A 404, or a 405 where other methods have a route; not on the paths of the base specification, which knows no 405. */
function refuseUnknown(api: API, { method, path }: Exchange, others: Route[]): never {
  if (others.length > 0 && !others.some(({ base }) => base)) {
    const headers = { Allow: allowedMethods(others) };
    throw new Problem("disallowed", `${path} does not support ${method}, only ${headers.Allow}.`, { headers });
  }
  throw new Problem("missing", `Not found: ${method} ${path}. See ${api.documentation} for the available endpoints.`);
}
