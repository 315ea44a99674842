import { describe, expect, test } from "bun:test";
import { heapStats } from "bun:jsc";
import { createRateLimit } from "./rate-limit.ts";

describe("the token bucket in memory", () => {
  const simulate = (requestsPerSecond: number, seconds: number) => {
    let time = 1000;
    const limit = createRateLimit({ perSecond: 10, burst: 30 }, { now: () => time });
    let allowed = 0;
    for (let index = 0; index < requestsPerSecond * seconds; index++) {
      if (limit.take("a").allowed) allowed++;
      time += 1000 / requestsPerSecond;
    }
    return allowed;
  };

  test("is exact over a minute: the burst, and ten per second", () => {
    expect(simulate(100, 60)).toBe(30 + 600 - 1);
    expect(simulate(1000, 60)).toBe(30 + 600 - 1);
    expect(simulate(10, 60)).toBe(600);
  });

  test("returns how long to wait, and that wait is sufficient", () => {
    let time = 0;
    const limit = createRateLimit({ perSecond: 10, burst: 30 }, { now: () => time });
    for (let index = 0; index < 30; index++) expect(limit.take("a").allowed).toBe(true);
    const refused = limit.take("a");
    if (refused.allowed) throw new Error("the bucket should be empty");
    expect(refused.retryAfterMs).toBeCloseTo(100);
    time += refused.retryAfterMs;
    expect(limit.take("a").allowed).toBe(true);
    expect(limit.take("a").allowed).toBe(false);
    expect(limit.take("b").allowed).toBe(true);
  });

  test("dropping old keys does not change results", () => {
    let time = 0;
    const limit = createRateLimit({ perSecond: 10, burst: 30 }, { now: () => time });
    let allowed = 0;
    for (let index = 0; index < 60_000; index++) {
      if (limit.take("busy").allowed) allowed++;
      limit.take(`other ${index}`);
      time += 1;
    }
    expect(allowed).toBe(629);
  });

  test("memory is bounded even for a million addresses", () => {
    const limit = createRateLimit({ perSecond: 10, burst: 30 });
    const before = heapSize();
    for (let index = 0; index < 1_000_000; index++) limit.take(`2001:db8:${index.toString(16)}::/64`);
    const grown = heapSize() - before;
    expect(limit.take("another")).toEqual({ allowed: true });
    expect(grown).toBeLessThan(32 * 2 ** 20);
  });
});

/** What is still used after a collection. The memory that the process has from the system also holds what others left. */
function heapSize(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}
