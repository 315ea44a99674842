import { type Extent, fitBand, usualExtent, usualRatio } from "./bands.ts";
import { estimateHeight } from "./justify.ts";
import type { Section } from "./sections.ts";
import type { Space } from "./use-heights.ts";

/** Where a section is in the grid. `rowHeight` is that of its one row, if it shares it with others. */
export type Place = { top: number; left: number; width: number; height: number; rowHeight: number | null };
export type Places = ReadonlyMap<string, Place>;

/** What is known of sections that were shown: their heights, and of small ones what is in them. */
export type Known = { heights: Map<string, number>; extents: Map<string, Extent> };

export const headingHeight = 36;
const sectionGap = 24;

export function placeBands(bands: readonly Section[][], known: Known, space: Space) {
  const places = new Map<string, Place>();
  let top = 0;
  for (const band of bands) {
    const [first] = band;
    if (!first) continue;
    let height = known.heights.get(first.key) ?? headingHeight + estimateHeight(first.count ?? 20, usualRatio, space);
    if (band.length === 1) {
      places.set(first.key, { top, left: 0, width: space.width, height, rowHeight: null });
    } else {
      const extents = band.map(({ key, count }) => known.extents.get(key) ?? usualExtent(count ?? 1));
      const { rowHeight, slots } = fitBand(extents, space);
      height = headingHeight + rowHeight;
      for (const [index, { key }] of band.entries())
        places.set(key, { top, height, rowHeight, ...(slots[index] ?? { left: 0, width: space.width }) });
    }
    top += height + sectionGap;
  }
  return { places, height: Math.max(0, top - sectionGap) };
}
