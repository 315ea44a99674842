import type { Results } from "../results.ts";
import type { Row } from "../row.ts";
import { bar, type Chart, line, linear, type Point, text, width } from "./svg.ts";

const [left, right] = [360, width - 80];
const rowHeight = 26;
const ticks = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];

const groups = [
  { title: "Reads: processor time of a bare server / of Vitrine", unit: "processor time, bare / Vitrine" },
  { title: "True misses: processor time of version 0.1 / of Vitrine", unit: "processor time, 0.1 / Vitrine" },
  { title: "Writes: rate of Vitrine / of version 0.1", unit: "rate, Vitrine / 0.1" },
];

/** Bars with their spread and goal: how much of what would be possible is reached. */
export function throughputChart({ rows }: Results): Chart {
  const measured = rows.filter(({ unit, median }) => median !== null && groups.some((group) => group.unit === unit));
  const most = Math.max(1.2, ...measured.map(({ spread }) => spread?.[1] ?? 0));
  const scale = linear([0, most], [left, right]);
  const parts: string[] = [];
  let y = 84;
  const top = y;
  for (const { title, unit } of groups) {
    const own = measured.filter((one) => one.unit === unit);
    if (own.length === 0) continue;
    y += 14;
    parts.push(text(24, y, title, "muted"));
    y += 10;
    for (const row of own) {
      parts.push(...drawRow(row, scale, y));
      y += rowHeight;
    }
    y += 12;
  }
  const values = ticks.filter((value) => value <= most);
  const grid = values.flatMap((value) => [
    line({ x: scale(value), y: top }, { x: scale(value), y }, "grid"),
    text(scale(value), y + 16, String(value), "muted", "middle"),
  ]);
  return {
    name: "throughput",
    title: "Throughput, compared with a bare server and with version 0.1",
    subtitle: "Longer is better; 1 is the other server. Thin line: lowest and highest round. Orange: the goal.",
    description: measured.map(({ name, median, goal }) => `${name}: ${median}${printGoal(goal)}.`).join(" "),
    height: y + 36,
    parts: [...grid, ...parts],
  };
}

function drawRow({ name, median, spread, goal }: Row, scale: (value: number) => number, y: number): string[] {
  const value = median ?? 0;
  const middle = y + rowHeight / 2;
  const across = (from: number, to: number): [Point, Point] => [
    { x: scale(from), y: middle },
    { x: scale(to), y: middle },
  ];
  const [least, highest] = spread ?? [value, value];
  const aim = goal && ("atLeast" in goal ? goal.atLeast : goal.atMost);
  return [
    text(left - 12, middle + 4, name, "", "end"),
    bar({ x: scale(0), y: y + 5 }, { width: scale(value) - scale(0), height: rowHeight - 10 }, "fill"),
    line(...across(least, highest), "range"),
    ...(aim === null ? [] : [line({ x: scale(aim), y: y + 2 }, { x: scale(aim), y: y + rowHeight - 2 }, "goal")]),
    text(width - 24, middle + 4, value.toFixed(2), "", "end"),
  ];
}

const printGoal = (goal: Row["goal"]) => (goal && "atLeast" in goal ? ` (goal: at least ${goal.atLeast})` : "");
