import type { Rates } from "./rounds.ts";

export type Comparison = { title: string; of: string; to: string };

/** A row a deed: the requests a second of everybody, then the comparisons. */
export function renderRates<Deed extends string>(
  titles: Record<Deed, string>,
  rates: Rates<Deed>,
  names: string[],
  comparisons: Comparison[],
): string {
  const head = ["", ...names, ...comparisons.flatMap(({ title }) => [title, "spread"])];
  const rows = (Object.keys(titles) as Deed[]).map((deed) => {
    const of = (name: string) => rates[deed][name] ?? [];
    const ratios = comparisons.flatMap((each) => compareRates(of(each.of), of(each.to)));
    return [titles[deed], ...names.map((name) => Math.round(median(of(name))).toLocaleString("en-US")), ...ratios];
  });
  return layOut([head, ...rows]);
}

/** Round by round, because only what was measured together can be compared: the median of the ratios, and their range. */
function compareRates(rates: number[], others: number[]): [string, string] {
  const ratios = rates.map((rate, round) => rate / (others[round] ?? Number.NaN));
  const print = (number: number) => number.toFixed(median(ratios) < 10 ? 2 : 0);
  return [print(median(ratios)), `${print(Math.min(...ratios))}–${print(Math.max(...ratios))}`];
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The first column to the left, the others to the right. */
export function layOut(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  return rows.map((row) => line(row).join("   ").trimEnd()).join("\n");
}
