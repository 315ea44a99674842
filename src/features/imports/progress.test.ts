// Runs on the embedded engines only: it stores nothing.
import { expect, test } from "bun:test";
import { secondsLeft } from "./progress.ts";

test("the time left is known by bytes, by items, or by both", () => {
  const [none, half] = [
    { items: 0, seenBytes: 0, workedMs: 10_000 },
    { items: 50, seenBytes: 5000, workedMs: 10_000 },
  ];
  expect(secondsLeft({ ...half, totalBytes: null, totalItems: null })).toBeNull();
  expect(secondsLeft({ ...none, totalBytes: 10_000, totalItems: 100 })).toBeNull();
  expect(secondsLeft({ ...half, totalBytes: 10_000, totalItems: null })).toBe(10);
  expect(secondsLeft({ ...half, seenBytes: 0, totalBytes: 0, totalItems: 100 })).toBe(10);
  expect(secondsLeft({ ...half, totalBytes: 10_000, totalItems: 100 })).toBe(10);
  // There are more than the source has said.
  expect(secondsLeft({ ...half, totalBytes: 10, totalItems: 10 })).toBe(0);
});
