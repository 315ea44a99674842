import { growthGoal, searchGoal } from "../growth.ts";
import type { Results } from "../results.ts";
import { median } from "../table.ts";
import { type Chart, dot, line, logarithmic, path, text, width } from "./svg.ts";

const [left, right] = [64, width - 300];
const [top, bottom] = [84, 404];
const labelHeight = 17;

/** The cost of a request in relation to its cost with the fewest records. */
export function growthChart({ growth }: Results): Chart {
  const lines = growth.map(({ name, points }) => {
    const first = points[0]?.samples ?? [];
    const factorOf = (samples: number[]) => median(samples.map((sample, round) => sample / (first[round] ?? sample)));
    return { name, points: points.map(({ records, samples }) => ({ records, factor: factorOf(samples) })) };
  });
  const sizes = lines[0]?.points.map(({ records }) => records) ?? [];
  const factors = lines.flatMap(({ points }) => points.map(({ factor }) => factor));
  const most = 10 ** Math.ceil(Math.log10(Math.max(2, ...factors)));
  const x = logarithmic([sizes[0] ?? 1, sizes.at(-1) ?? 10], [left, right]);
  const y = logarithmic([Math.min(0.5, ...factors), most], [bottom, top]);
  const ticks = [0.5, 1, 2, 5, 10, 20, 50, 100].filter((value) => value <= most);
  const labels = spreadOut(
    lines.map(({ name, points }) => {
      const last = points.at(-1)?.factor ?? 1;
      return { words: `${name}: ${last.toFixed(last < 10 ? 2 : 0)}×`, y: y(last), from: y(last) };
    }),
  );
  const largest = print(sizes.at(-1) ?? 0);
  return {
    name: "growth",
    title: `Cost of a request, from ${print(sizes[0] ?? 0)} to ${largest} records`,
    subtitle:
      "Processor time in relation to the smallest site, never from the cache. Both axes are logarithmic; flat is better.",
    description: lines
      .map(
        ({ name, points }) =>
          `${name}: ${points.map(({ records, factor }) => `${factor.toFixed(2)} times with ${print(records)} records`).join(", ")}.`,
      )
      .join(" "),
    height: bottom + 40,
    parts: [
      ...ticks.flatMap((value) => [
        line({ x: left, y: y(value) }, { x: right, y: y(value) }, "grid"),
        text(left - 8, y(value) + 4, `${value}×`, "muted", "end"),
      ]),
      ...sizes.map((size) => text(x(size), bottom + 20, print(size), "muted", "middle")),
      line({ x: left, y: y(growthGoal) }, { x: right, y: y(growthGoal) }, "goal"),
      text(right - 8, y(growthGoal) - 6, `goal: at most ${growthGoal}× (search: ${searchGoal}×)`, "goal-text", "end"),
      ...lines.flatMap(({ points }) => {
        const places = points.map(({ records, factor }) => ({ x: x(records), y: y(factor) }));
        return [path(places, "line"), ...places.map((place) => dot(place, "fill", 3.5))];
      }),
      ...labels.flatMap(({ words, y: place, from }) => [
        line({ x: right + 6, y: from }, { x: right + 16, y: place }, "grid"),
        text(right + 20, place + 4, words),
      ]),
    ],
  };
}

type Label = { words: string; y: number; from: number };

/** Moves labels down until none covers another, then all of them up if the last one is below the picture. */
function spreadOut(labels: Label[]): Label[] {
  let free = top;
  const moved = labels
    .toSorted((one, other) => one.y - other.y)
    .map((label) => {
      const y = Math.max(label.y, free);
      free = y + labelHeight;
      return { ...label, y };
    });
  let limit = bottom + labelHeight;
  return moved
    .toReversed()
    .map((label) => {
      limit = Math.min(label.y, limit - labelHeight);
      return { ...label, y: limit };
    })
    .toReversed();
}

const print = (size: number) => size.toLocaleString("en-US");
