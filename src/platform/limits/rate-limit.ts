/** Neither method ever throws or rejects. Where the answer is at hand it comes at once, without a promise. */
export type RateLimit = {
  /** Takes one request off what `key` has left, or says after how many milliseconds there is one again. */
  take(key: string): Verdict | Promise<Verdict>;
  /** Undoes one `take`. */
  giveBack(key: string): void | Promise<void>;
};

/** A limit that lives in this process. */
export type MemoryLimit = {
  take(key: string): Verdict;
  giveBack(key: string): void;
};

export type Verdict = { allowed: true } | { allowed: false; retryAfterMs: number };

/**
 * A token bucket a key, `burst` deep, refilled at `perSecond`. A bucket is one number: the moment at which it will be full
 * again. A full bucket needs no entry, so a generation of keys that nobody has touched for as long as a refill takes is
 * dropped without changing any verdict. Memory is bounded: past `maxKeys` the older generation goes early, and its keys
 * start full.
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
      // Half a microsecond of rounding must not refuse a request that is due.
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
