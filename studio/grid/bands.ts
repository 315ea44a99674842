import { ratioOf } from "./justify.ts";
import type { Section } from "./sections.ts";
import type { Space } from "./use-heights.ts";

/** What decides how wide a section is in one row: its pictures, and the sum of their ratios. */
export type Extent = { count: number; ratios: number };
type Slot = { left: number; width: number };

export const usualRatio = 1.4;
const bandGap = 24;
/** Rows may become this much lower than usual so that one more section fits. */
const tightness = 1.15;

/** As wide as its heading needs at least. */
const narrowest = ({ width }: Space): number => (width < 600 ? 150 : 180);

export const extentOf = (pictures: readonly { width: number; height: number }[]): Extent => ({
  count: pictures.length,
  ratios: pictures.reduce((sum, picture) => sum + ratioOf(picture), 0),
});

export const usualExtent = (count: number): Extent => ({ count, ratios: count * usualRatio });

/**
 * Sections that follow each other and share a row, because each has few pictures. Only their numbers decide, so that
 * nothing changes its row when pictures are loaded.
 */
export function packBands(sections: readonly Section[], space: Space): Section[][] {
  const bands: Section[][] = [];
  let used = Infinity;
  for (const section of sections) {
    const width = section.count === null ? Infinity : usualWidth(section.count, space);
    const isBeside = used + bandGap + width <= space.width * tightness;
    if (isBeside) bands.at(-1)?.push(section);
    else bands.push([section]);
    used = isBeside ? used + bandGap + width : width;
  }
  return bands;
}

const usualWidth = (count: number, space: Space): number =>
  Math.max(narrowest(space), widthOf(usualExtent(count), space.rowHeight, space));

const widthOf = ({ count, ratios }: Extent, height: number, { gap }: Space): number =>
  ratios * height + gap * Math.max(0, count - 1);

/** The height of the one row of a band, at most the usual one, and where each of its sections is. */
export function fitBand(extents: readonly Extent[], space: Space): { rowHeight: number; slots: Slot[] } {
  const minWidth = narrowest(space);
  const free = space.width - bandGap * (extents.length - 1);
  const tooWide = (height: number) =>
    extents.reduce((sum, extent) => sum + Math.max(minWidth, widthOf(extent, height, space)), 0) > free;
  let rowHeight = space.rowHeight;
  // Sections that are as narrow as their headings do not become narrower with their pictures.
  while (rowHeight > 40 && tooWide(rowHeight)) rowHeight -= 1;
  let left = 0;
  const slots = extents.map((extent) => {
    const width = Math.max(minWidth, widthOf(extent, rowHeight, space));
    const slot = { left, width };
    left += width + bandGap;
    return slot;
  });
  return { rowHeight, slots };
}
