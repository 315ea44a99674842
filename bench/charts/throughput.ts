import type { Results } from "../results.ts";
import { type Chart, dot, line, logarithmic, text, width } from "./svg.ts";

const [left, right] = [345, width - 90];
const rowHeight = 26;
const top = 84;

/** Requests per second of each operation, beside those of the bare server. */
export function throughputChart({ requests }: Results): Chart {
  const shown = requests.filter(({ server }) => server === "Vitrine" || server === "bare");
  const names = [...new Set(shown.map(({ name }) => name))];
  const rates = shown.map(({ rate }) => rate);
  const ends = [10 ** Math.floor(Math.log10(Math.min(...rates))), 10 ** Math.ceil(Math.log10(Math.max(...rates)))];
  const [least = 1, most = 10] = ends;
  const scale = logarithmic([least, most], [left, right]);
  const bottom = top + names.length * rowHeight;
  const ticks: number[] = [];
  for (let value = least; value <= most * 1.001; value *= 10) ticks.push(value);
  const rateOf = (name: string, server: string) =>
    shown.find((one) => one.name === name && one.server === server)?.rate;
  const rows = names.flatMap((name, index) => {
    const y = top + index * rowHeight + rowHeight / 2;
    const [own, bare] = [rateOf(name, "Vitrine"), rateOf(name, "bare")];
    return [
      text(left - 12, y + 4, name, "", "end"),
      ...(bare === undefined ? [] : [dot({ x: scale(bare), y }, "other")]),
      ...(own === undefined
        ? []
        : [dot({ x: scale(own), y }, "fill", 5), text(width - 24, y + 4, print(own), "", "end")]),
    ];
  });
  return {
    name: "throughput",
    title: "Requests per second, with 32 connections unless the row says otherwise",
    subtitle:
      "Blue: Vitrine. Grey: a bare server with the same responses that stores nothing. Logarithmic; right is better.",
    description: shown.map(({ name, server, rate }) => `${name}, ${server}: ${print(rate)}.`).join(" "),
    height: bottom + 36,
    parts: [
      ...ticks.flatMap((value) => [
        line({ x: scale(value), y: top }, { x: scale(value), y: bottom }, "grid"),
        text(scale(value), bottom + 16, print(value), "muted", "middle"),
      ]),
      ...rows,
    ],
  };
}

const print = (number: number) => Math.round(number).toLocaleString("en-US");
