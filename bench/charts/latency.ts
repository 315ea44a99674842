import type { Results } from "../results.ts";
import { type Chart, dot, line, logarithmic, text, width } from "./svg.ts";

const [left, right] = [260, width - 40];
const rowHeight = 40;

/** The 50th, 90th and 99th percentile of every operation, beside those of the bare server. */
export function latencyChart({ latency }: Results): Chart {
  const all = latency.rows.flatMap(({ p50, p99 }) => [p50, p99]);
  const [least, most] = [10 ** Math.floor(Math.log10(Math.min(...all))), 10 ** Math.ceil(Math.log10(Math.max(...all)))];
  const scale = logarithmic([least, most], [left, right]);
  const names = [...new Set(latency.rows.map(({ name }) => name))];
  const top = 84;
  const bottom = top + names.length * rowHeight;
  const ticks: number[] = [];
  for (let value = least; value <= most * 1.001; value *= 10) ticks.push(value);
  const grid = ticks.flatMap((value) => [
    line({ x: scale(value), y: top }, { x: scale(value), y: bottom }, "grid"),
    text(scale(value), bottom + 16, `${Number(value.toPrecision(1))} ms`, "muted", "middle"),
  ]);
  const rows = names.flatMap((name, index) => {
    const y = top + index * rowHeight + rowHeight / 2;
    return [
      text(left - 12, y + 4, name, "", "end"),
      ...latency.rows
        .filter((row) => row.name === name)
        .flatMap(({ server, p50, p90, p99 }) => {
          const isOwn = server === "Vitrine";
          const own = { y: isOwn ? y - 6 : y + 8 };
          const kind = isOwn ? "fill" : "other";
          return [
            line({ x: scale(p50), ...own }, { x: scale(p99), ...own }, isOwn ? "line" : "other-line"),
            ...[p50, p90, p99].map((value, place) => dot({ x: scale(value), ...own }, kind, 5.5 - place)),
          ];
        }),
    ];
  });
  return {
    name: "latency",
    title: `Latency with ${latency.connections} connections: p50, p90, p99`,
    subtitle:
      "Blue: Vitrine. Grey: a bare server with the same responses that stores nothing. Logarithmic; left is better.",
    description: latency.rows
      .map(({ name, server, p50, p90, p99 }) => `${name}, ${server}: ${p50}, ${p90} and ${p99} ms.`)
      .join(" "),
    height: bottom + 36,
    parts: [...grid, ...rows],
  };
}
