import { Problem } from "../errors.ts";
import type { RateLimit, Verdict } from "../limits/rate-limit.ts";
import { limitKey } from "./address.ts";
import type { Exchange } from "./exchange.ts";
import type { Bucket, Caller } from "./route.ts";

type Limit = {
  limit: RateLimit;
  perSecond: number;
  burst: number;
  /** What else a client can do, as a sentence for the refusal. */
  advice?: string;
};
export type Limits = Record<Exclude<Bucket, "none"> | "account", Limit>;

/**
 * Takes one request from the bucket of the address; throws a 429 if none is left. Returns a promise, which rejects with
 * the 429, only if the bucket is not in this process: so the most frequent reads need no promise.
 */
export function takeFromLimit(limits: Limits, exchange: Exchange, bucket: Bucket): Promise<void> | null {
  return bucket === "none" ? null : take(limits, bucket, limitKey(exchange.address));
}

/** The same for somebody who has signed in: from the wide bucket of their account, wherever they are. */
export function takeFromAccount(limits: Limits, { id }: Caller): Promise<void> | null {
  return take(limits, "account", String(id));
}

function take(limits: Limits, bucket: keyof Limits, key: string): Promise<void> | null {
  const verdict = limits[bucket].limit.take(key);
  if (verdict instanceof Promise) return verdict.then((late) => refuse(limits, bucket, late));
  refuse(limits, bucket, verdict);
  return null;
}

/** A page of this many bytes counts as one more request. */
const bytesPerRequest = 2 ** 18;

/** Makes a long response count as several requests: the next ones are refused earlier. */
export function takeForLength(limits: Limits, exchange: Exchange, bucket: keyof Limits, bytes: number): void {
  const key = limitKey(exchange.address);
  for (let left = Math.floor(bytes / bytesPerRequest); left > 0; left--) void limits[bucket].limit.take(key);
}

function refuse(limits: Limits, bucket: keyof Limits, verdict: Verdict): void {
  if (verdict.allowed) return;
  const { perSecond, burst, advice = "" } = limits[bucket];
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  const time = seconds === 1 ? "a second" : `${seconds} seconds`;
  throw new Problem("limited", `Too many requests; try again in ${time} (see Retry-After). ${advice}`.trim(), {
    headers: {
      "Retry-After": String(seconds),
      RateLimit: `"${bucket}";r=0;t=${seconds}`,
      "RateLimit-Policy": `"${bucket}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`,
    },
  });
}
