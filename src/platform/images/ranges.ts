import type { ByteRange } from "../byte-range.ts";

/** The same bytes as sorted ranges that neither overlap nor touch. */
function merge(ranges: ByteRange[]): ByteRange[] {
  const merged: ByteRange[] = [];
  const filled = ranges.filter(({ start, end }) => start < end);
  for (const { start, end } of filled.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The parts of `within` that no range covers. */
export function complement(ranges: ByteRange[], within: ByteRange): ByteRange[] {
  const left: ByteRange[] = [];
  let { start } = within;
  for (const range of merge(ranges)) {
    if (range.start >= within.end) break;
    if (range.start > start) left.push({ start, end: range.start });
    start = Math.max(start, range.end);
  }
  if (start < within.end) left.push({ start, end: within.end });
  return left;
}
