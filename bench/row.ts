import type { Turn } from "./rounds.ts";
import { median } from "./table.ts";

export type Goal = { atLeast: number } | { atMost: number };

/** One line of the table of goals. A row that could not be measured has no samples, and says why. */
export type Row = {
  name: string;
  /** What is divided by what, or the unit of an absolute value. */
  unit: string;
  median: number | null;
  spread: [least: number, most: number] | null;
  samples: number[];
  goal: Goal | null;
  isMet: boolean | null;
  note?: string;
};

export type Described = { name: string; unit: string; goal?: Goal | null };

export function rowOf({ name, unit, goal = null }: Described, samples: number[]): Row {
  const middle = median(samples);
  const spread: Row["spread"] = [round(Math.min(...samples)), round(Math.max(...samples))];
  const isMet = goal && ("atLeast" in goal ? middle >= goal.atLeast : middle <= goal.atMost);
  return { name, unit, median: round(middle), spread, samples: samples.map(round), goal, isMet };
}

export function missingRow({ name, unit, goal = null }: Described, note: string): Row {
  return { name, unit, median: null, spread: null, samples: [], goal, isMet: null, note };
}

/** Compared round by round, because only what was measured together is comparable. */
export function ratios(turns: Turn[], others: Turn[], measure: (turn: Turn) => number): number[] {
  return turns.map((turn, index) => measure(turn) / measure(others[index] ?? turn));
}

/** The server's processor time per request; where it is unknown, the time per request at full load. */
export const costOf = ({ processor, rate }: Turn) => (Number.isNaN(processor) ? 1e6 / rate : processor);
export const rateOf = ({ rate }: Turn) => rate;

/** Four significant digits: more would only be noise in the file of results. */
export const round = (number: number) => Number(number.toPrecision(4));
