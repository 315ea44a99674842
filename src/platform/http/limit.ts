import { Problem } from "../../errors.ts";
import type { RateLimit, Verdict } from "../limits/rate-limit.ts";
import { limitKey } from "./address.ts";
import type { Exchange } from "./exchange.ts";
import type { Bucket } from "./route.ts";

export type Limits = Record<Exclude<Bucket, "none">, { limit: RateLimit; perSecond: number; burst: number }>;

/**
 * Takes one request from the bucket of the address; throws a 429 if none is left. Returns a promise, which rejects with
 * the 429, only if the bucket is not in this process: so the most frequent reads need no promise.
 */
export function takeFromLimit(
  limits: Limits,
  exchange: Exchange,
  bucket = defaultBucket(exchange.path),
): Promise<void> | null {
  if (bucket === "none") return null;
  const verdict = limits[bucket].limit.take(limitKey(exchange.address));
  if (verdict instanceof Promise) return verdict.then((late) => refuse(limits, bucket, late));
  refuse(limits, bucket, verdict);
  return null;
}

/** For scripts that send one file after another. */
const advice = "To send many files, use a client that retries (curl --retry 8), or the import command on the server.";

function refuse(limits: Limits, bucket: keyof Limits, verdict: Verdict): void {
  if (verdict.allowed) return;
  const { perSecond, burst } = limits[bucket];
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  const time = seconds === 1 ? "a second" : `${seconds} seconds`;
  throw new Problem("limited", `Too many requests; try again in ${time} (see Retry-After). ${advice}`, {
    headers: {
      "Retry-After": String(seconds),
      RateLimit: `"${bucket}";r=0;t=${seconds}`,
      "RateLimit-Policy": `"${bucket}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`,
    },
  });
}

/** The API is limited whether or not a route exists. Pages and health checks are not limited. */
function defaultBucket(path: string): Bucket {
  return /^\/(api\/v1(\/|$)|sign(up|in|out)$)/.test(path) ? "api" : "none";
}
