import type { Turn } from "./rounds.ts";

export type Comparison = { title: string; of: string; to: string };

/** One row per operation: the requests per second of all servers, then the comparisons. */
export function renderRates<Operation extends string>(
  titles: Record<Operation, string>,
  turns: Record<Operation, Record<string, Pick<Turn, "rate">[]>>,
  names: string[],
  comparisons: Comparison[],
): string {
  const head = ["", ...names, ...comparisons.flatMap(({ title }) => [title, "spread"])];
  const rows = (Object.keys(titles) as Operation[]).map((operation) => {
    const of = (name: string) => (turns[operation][name] ?? []).map(({ rate }) => rate);
    const ratios = comparisons.flatMap((each) => compareRates(of(each.of), of(each.to)));
    return [titles[operation], ...names.map((name) => Math.round(median(of(name))).toLocaleString("en-US")), ...ratios];
  });
  return layOut([head, ...rows]);
}

/**
 * Compared round by round, because only what was measured together is comparable: the median of the ratios, and their
 * range.
 */
function compareRates(rates: number[], others: number[]): [string, string] {
  const ratios = rates.map((rate, round) => rate / (others[round] ?? Number.NaN));
  const print = (number: number) => number.toFixed(median(ratios) < 10 ? 2 : 0);
  return [print(median(ratios)), `${print(Math.min(...ratios))}–${print(Math.max(...ratios))}`];
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Columns are right-aligned, except the first one and those in `left`. */
export function layOut(rows: string[][], left: number[] = []): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) =>
    row.map((cell, column) =>
      column === 0 || left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  return rows.map((row) => line(row).join("   ").trimEnd()).join("\n");
}
