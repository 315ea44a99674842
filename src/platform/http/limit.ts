import { Problem } from "../../errors.ts";
import type { RateLimit } from "../limits/rate-limit.ts";
import { limitKey } from "./address.ts";
import type { Exchange } from "./exchange.ts";
import type { Bucket } from "./route.ts";

export type Limits = Record<Exclude<Bucket, "none">, { limit: RateLimit; perSecond: number; burst: number }>;

/** Takes one request out of the address's bucket; throws the 429 when there is none left. */
export function takeFromLimit(limits: Limits, exchange: Exchange, bucket = defaultBucket(exchange.path)): void {
  if (bucket === "none") return;
  const { limit, perSecond, burst } = limits[bucket];
  const verdict = limit.take(limitKey(exchange.address));
  if (verdict.allowed) return;
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  throw new Problem("limited", `Too many requests: wait ${seconds === 1 ? "a second" : `${seconds} seconds`}.`, {
    headers: {
      "Retry-After": String(seconds),
      RateLimit: `"${bucket}";r=0;t=${seconds}`,
      "RateLimit-Policy": `"${bucket}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`,
    },
  });
}

/** The API is limited whether or not a route exists; pages and health checks are not. */
function defaultBucket(path: string): Bucket {
  return /^\/(api\/v1(\/|$)|sign(up|in|out)$)/.test(path) ? "api" : "none";
}
