/** The methods never throw or reject. If the result is available immediately, they return it without a promise. */
export type RateLimit = {
  /** Takes one request from what `key` has left, or returns the milliseconds until the next one is allowed. */
  take(key: string): Verdict | Promise<Verdict>;
  /** Undoes one `take`. */
  giveBack(key: string): void | Promise<void>;
};

/** A limit that is kept in this process. */
export type MemoryLimit = {
  take(key: string): Verdict;
  giveBack(key: string): void;
};

export type Verdict = { allowed: true } | { allowed: false; retryAfterMs: number };

/**
 * One token bucket per key, of size `burst`, refilled at `perSecond`. A bucket is a single number: the time when it
 * will be full again. A full bucket needs no entry, so a generation of keys that was not used for the time of a refill
 * is dropped without changing any result. Memory is bounded: above `maxKeys` the older generation is dropped early, and
 * its keys start with a full bucket.
 */
export function createRateLimit(
  { perSecond, burst }: { perSecond: number; burst: number },
  { now = () => performance.now(), maxKeys = 100_000 } = {},
): MemoryLimit {
  const interval = 1000 / perSecond;
  const refill = burst * interval;
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let youngSince = now();

  return {
    take(key) {
      const time = now();
      if (time - youngSince > refill || young.size >= maxKeys / 2) {
        old = young;
        young = new Map();
        youngSince = time;
      }
      const fullAt = Math.max(young.get(key) ?? old.get(key) ?? 0, time);
      const wait = fullAt + interval - refill - time;
      // Half a microsecond of tolerance, so that rounding does not refuse a request that is due.
      if (wait > 0.0005) return { allowed: false, retryAfterMs: wait };
      young.set(key, fullAt + interval);
      return { allowed: true };
    },
    giveBack(key) {
      const fullAt = young.get(key) ?? old.get(key);
      if (fullAt !== undefined) young.set(key, fullAt - interval);
    },
  };
}
