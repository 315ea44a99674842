import { expect, test } from "bun:test";
import { fitBand, packBands, usualExtent } from "./bands.ts";

const wide = { width: 960, rowHeight: 190, gap: 6 };
const phone = { width: 358, rowHeight: 116, gap: 3 };
const months = (...counts: (number | null)[]) => counts.map((count, index) => ({ key: `${index}`, label: "", count }));
const rows = (counts: (number | null)[], space = wide) =>
  packBands(months(...counts), space).map((band) => band.map(({ count }) => count));

test("months with few pictures share a row, in their order; others and those without a count have their own", () => {
  expect(rows([1, 1, 1, 1])).toEqual([[1, 1, 1], [1]]);
  expect(rows([30, 1, 2, 9, 1, null])).toEqual([[30], [1, 2], [9], [1], [null]]);
  expect(rows([1, 1, 1], phone)).toEqual([[1, 1], [1]]);
});

test("a row is as high as usual if it fits, lower if its pictures are wide, and its months never overlap", () => {
  expect(fitBand([usualExtent(1), usualExtent(1)], wide).rowHeight).toBe(wide.rowHeight);
  for (const space of [wide, phone]) {
    const { rowHeight, slots } = fitBand(
      [
        { count: 1, ratios: 3 },
        { count: 1, ratios: 0.5 },
      ],
      space,
    );
    expect(rowHeight).toBeLessThanOrEqual(space.rowHeight);
    const [first, second] = slots;
    expect(first?.width).toBeGreaterThanOrEqual(3 * rowHeight);
    expect(second?.left).toBeGreaterThan(first?.width ?? 0);
    expect((second?.left ?? 0) + (second?.width ?? 0)).toBeLessThanOrEqual(space.width);
  }
});
