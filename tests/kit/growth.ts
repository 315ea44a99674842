import { expect } from "bun:test";
import { Problem } from "../../src/platform/errors.ts";
import type { Writers } from "./worst-strings.ts";

export type Sizes = readonly [smallest: number, largest: number];

/** In milliseconds. A smaller cost is not compared, because the difference would be noise. */
const floor = 5;
/** A text that costs this much and is clearly linear is not tried with a longer one. */
const enough = 50;

/** The maximum cost of one long text relative to ten short ones of the same total length; 1 if the cost is linear. */
export const clearlyLinear = 1.5;
const maxGrowth = 3;

/**
 * Runs with ten texts of some size and with one of ten times that size, from the smallest up to the largest size, and
 * compares the costs. Both take about the same time, so that other work on the machine slows both of them down, and the
 * minimum of several rounds counts.
 */
export async function expectLinear(
  writers: Writers,
  [smallest, largest]: Sizes,
  run: (text: string) => unknown,
  { where = "", limit = maxGrowth } = {},
): Promise<void> {
  for (const [name, write] of Object.entries(writers)) {
    for (let size = smallest; size * 10 <= largest; size *= Math.sqrt(10)) {
      const long = [write(size * 10)];
      if ((await cost(run, long)) < floor) continue;
      const short = Array<string>(10).fill(write(size));
      let [ofShort, ofLong] = [Infinity, Infinity];
      const isWithin = (growth: number) => ofLong < Math.max(floor, growth * ofShort);
      const isDecided = (round: number) => isWithin(clearlyLinear) || (round > 2 && isWithin(limit));
      for (let round = 0; round < 9 && !isDecided(round); round++) {
        ofShort = Math.min(ofShort, await cost(run, short));
        ofLong = Math.min(ofLong, await cost(run, long));
      }
      expect([where, name, Math.round(size), isWithin(limit)]).toEqual([where, name, Math.round(size), true]);
      if (ofLong > enough && isWithin(clearlyLinear)) break;
    }
  }
}

/** In milliseconds of processor time. A refusal counts like a result; a failed expectation does not. */
async function cost(run: (text: string) => unknown, texts: string[]): Promise<number> {
  const started = process.cpuUsage();
  for (const text of texts) {
    try {
      await run(text);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
