import type { Results } from "../results.ts";
import { growthChart } from "./growth.ts";
import { latencyChart } from "./latency.ts";
import { renderChart } from "./svg.ts";
import { throughputChart } from "./throughput.ts";

/** The charts by the names of their files. */
export function drawCharts(results: Results): Record<string, string> {
  const charts = [throughputChart, latencyChart, growthChart].map((draw) => draw(results));
  return Object.fromEntries(charts.map((chart) => [`${chart.name}.svg`, renderChart(chart)]));
}
