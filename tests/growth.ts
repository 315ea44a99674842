import { expect } from "bun:test";
import { Problem } from "../src/errors.ts";
import type { Writers } from "./worst-strings.ts";

/** In milliseconds. A smaller cost is not compared: the difference would be noise. */
const floor = 5;
/** What costs this much and is clearly linear is not tried with a longer text. */
const enough = 50;
/** The cost for ten times the input: linear is 10 or less, quadratic up to 100. */
export const clearlyLinear = 15;
const mostGrowth = 30;

export type Sizes = readonly [smallest: number, largest: number];

/**
 * Runs with a text of some size and with one of ten times that size, from the smallest up to the largest size, and compares
 * what they cost. The least of several runs counts: other work on the machine makes none of them cheaper.
 */
export async function expectLinear(
  writers: Writers,
  [smallest, largest]: Sizes,
  run: (text: string) => unknown,
  { where = "", limit = mostGrowth } = {},
): Promise<void> {
  for (const [name, write] of Object.entries(writers)) {
    for (let size = smallest; size * 10 <= largest; size *= Math.sqrt(10)) {
      const [small, large] = [write(size), write(size * 10)];
      if ((await cost(run, large)) < floor) continue;
      let [least, most] = [await cost(run, small), Infinity];
      const isLinear = () => most < Math.max(floor, limit * least);
      for (let round = 0; round < 8 && !isLinear(); round++) {
        least = Math.min(least, await cost(run, small));
        most = Math.min(most, await cost(run, large));
      }
      expect([where, name, Math.round(size), isLinear()]).toEqual([where, name, Math.round(size), true]);
      if (most > enough && most < clearlyLinear * least) break;
    }
  }
}

/** In milliseconds. A refusal counts like a result; a failed expectation does not. */
async function cost(run: (text: string) => unknown, text: string): Promise<number> {
  const started = performance.now();
  try {
    await run(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  return performance.now() - started;
}
