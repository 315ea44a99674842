import { expect, test } from "bun:test";
import { createFrequent } from "./frequent.ts";

test("a frequent name keeps its counter among any number of others, which have at most the rest", () => {
  const isFrequent = createFrequent(8);
  for (let number = 0; number < 100; number++) isFrequent("usual");
  let others = 0;
  for (let number = 0; number < 10_000; number++) {
    if (isFrequent(`other ${number}`)) others++;
    if (number % 4 === 0) expect(isFrequent("usual")).toBe(true);
  }
  expect(others).toBeGreaterThan(0);
  expect(isFrequent("usual")).toBe(true);
});

test("a new name becomes frequent by its requests", () => {
  const isFrequent = createFrequent(2);
  for (const name of ["a", "a", "b"]) isFrequent(name);
  expect([1, 2, 3].map(() => isFrequent("new"))).toEqual([false, true, true]);
});
