import { invalid, Problem } from "../errors.ts";
import { allowedMethods, type CORS } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import type { Bucket, Route } from "./route.ts";
import type { GrowingRouter, Match } from "./router.ts";

/** The endpoint of a request, and the rate limit bucket from which it takes. */
export type Found =
  | { bucket: Bucket; match: Match }
  /** The response to OPTIONS. */
  | { bucket: Bucket; preflight: Response }
  /** There is none; these routes have the same path and other methods. */
  | { bucket: Bucket; others: Route[] };

type API = { path: string; documentation: string };
type Deps = { api: API; router: GrowingRouter; cors: CORS };

/**
 * The step `route`. A malformed Host header is a 400. A request without an endpoint is refused only after the step `limit`, by
 * `refuseUnknown`.
 */
export function createFindRoute({ api, router, cors }: Deps) {
  return findRoute;

  function findRoute(exchange: Exchange): Found | Promise<Found> {
    const { method, path } = exchange;
    if (path === "") throw invalid("The request needs one well-formed Host header.");
    const growing = path.startsWith(api.path) ? null : router.growFor(method, path);
    if (growing) return growing.then(() => findRoute(exchange));
    if (method === "OPTIONS") return { bucket: "none", preflight: cors.preflight(router.routesAt(path)) };
    const match = router.match(method, path);
    exchange.operation = match?.route ?? null;
    if (match?.route.load) return match.route.load().then(() => findRoute(exchange));
    if (match) return { bucket: match.route.limit ?? "api", match };
    const others = router.routesAt(path);
    const late = others.find(({ load }) => load);
    if (late?.load) return late.load().then(() => findRoute(exchange));
    return { bucket: bucketOfUnknown(api, path, others), others };
  }
}

/** The API and pages are limited, whether or not a route exists. Health checks are not. */
function bucketOfUnknown(api: API, path: string, others: Route[]): Bucket {
  const buckets = others.map(({ limit = "api" }) => limit);
  if (path.startsWith(api.path) || buckets.includes("api") || buckets.includes("media")) return "api";
  return buckets.length === 0 || buckets.includes("pages") ? "pages" : "none";
}

/**
 * A 404. Pages and other protocols have the status 405 for a path with routes for other methods only; the specification of the
 * API does not.
 */
export function refuseUnknown(api: API, { method, path }: Exchange, others: Route[]): never {
  const isOfAPI = ({ base, isOfProtocol }: Route) => base || (path.startsWith(api.path) && !isOfProtocol);
  if (others.length > 0 && !others.some(isOfAPI)) {
    const headers = { Allow: allowedMethods(others) };
    throw new Problem("disallowed", `${path} does not support ${method}, only ${headers.Allow}.`, { headers });
  }
  throw new Problem("missing", `Not found: ${method} ${path}. See ${api.documentation} for the available endpoints.`);
}
