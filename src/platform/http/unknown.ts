import { Problem } from "../../errors.ts";
import { allowedMethods } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import type { Bucket, Route } from "./route.ts";

type API = { path: string; documentation: string };

/** The limit of a request without a route: the API and pages are limited, whether or not a route exists. Health checks are not. */
export function bucketOfUnknown(api: API, path: string, known: Route[]): Bucket {
  const buckets = known.map(({ limit = "api" }) => limit);
  if (path.startsWith(api.path) || buckets.includes("api") || buckets.includes("media")) return "api";
  return buckets.length === 0 || buckets.includes("pages") ? "pages" : "none";
}

/** `known` are the routes of the same path with other methods. */
export function refuseUnknown(api: API, { method, path }: Exchange, known: Route[]): never {
  if (known.length > 0 && !known.some(({ base }) => base)) {
    const headers = { Allow: allowedMethods(known) };
    throw new Problem("disallowed", `${path} does not support ${method}, only ${headers.Allow}.`, { headers });
  }
  throw new Problem("missing", `Not found: ${method} ${path}. See ${api.documentation} for the available endpoints.`);
}
