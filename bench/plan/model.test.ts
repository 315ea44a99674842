// Runs on the embedded engines only: the model is arithmetic.
import { expect, test } from "bun:test";
import { readCosts } from "./costs.ts";
import { busyCores, looksPerSecond, plan, ratesOf, usualLimits, usualLoad } from "./model.ts";

const costs = readCosts();
const planOf = (load: Partial<typeof usualLoad>, limits: Partial<typeof usualLimits> = {}) =>
  plan({ ...usualLoad, ...load }, { ...usualLimits, ...limits }, costs);

test("a plan splits the load into requests, and a CDN takes its share of the pictures", () => {
  const rates = ratesOf({ ...usualLoad, reads: 1000, writes: 100, pictures: 0.8, misses: 0.1, cdn: 0.5 });
  const rounded = Object.fromEntries(Object.entries(rates).map(([kind, rate]) => [kind, Math.round(rate)]));
  expect(rounded).toEqual({ picture: 400, page: 180, pageMiss: 20, comment: 60, post: 30, upload: 10 });
});

test("one look serves all requests of a copy that came since the last one: more copies look more often", () => {
  const look = { program: 10, database: 10, milliseconds: 1 };
  expect(looksPerSecond({ page: 1000 }, 1, look)).toBe(500);
  expect(looksPerSecond({ page: 1000 }, 4, look)).toBe(800);
  expect(looksPerSecond({ page: 1e9 }, 4, look)).toBeCloseTo(4000, 0);
  expect(looksPerSecond({ comment: 1000 }, 4, look)).toBe(0);
});

test("there are as many copies as keep each below its share of a core, and no fewer would", () => {
  const { copies, rates } = planOf({ reads: 20_000, writes: 100 });
  expect(busyCores(rates, copies, costs).program).toBeLessThanOrEqual(copies * usualLimits.busy);
  expect(busyCores(rates, copies - 1, costs).program).toBeGreaterThan((copies - 1) * usualLimits.busy);
});

test("what breaks first comes first, and costs grow with the load", () => {
  const small = planOf({ reads: 100, writes: 1, photos: 1e4 });
  const large = planOf({ reads: 50_000, writes: 200, photos: 100e6 });
  for (const name of ["copies", "databaseCores", "databaseBytes", "statements", "storeRequests"] as const)
    expect([name, large[name] > small[name]]).toEqual([name, true]);
  const shares = large.resources.map(({ used, limit }) => used / limit);
  expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  expect(planOf({}, { connections: 1 }).resources[0]?.name).toBe("connections to PostgreSQL");
  // Only writes reach the disk of a database that is in memory.
  const inMemory = planOf({ photos: 100e6, hot: 0.1 }).operations;
  expect(planOf({ photos: 100e6, hot: 1 }).operations).toBeGreaterThan(100 * inMemory);
});

test("the model was checked with 1, 3 and 6 copies, and is not far off", () => {
  expect(costs.checks.map(({ copies, part }) => `${copies} ${part}`)).toEqual(
    [1, 3, 6].flatMap((copies) => [`${copies} program`, `${copies} database`]),
  );
  for (const { predicted, measured } of costs.checks) {
    expect(predicted / measured).toBeGreaterThan(0.5);
    expect(predicted / measured).toBeLessThan(2);
  }
});
