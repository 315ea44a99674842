export type Row = { start: number; end: number; top: number; height: number };
export type Box = { left: number; top: number; width: number; height: number };
export type Layout = { boxes: Box[]; rows: Row[]; height: number };

type Shape = { width: number; height: number };
type Space = { width: number; rowHeight: number; gap: number };

/** No picture takes more than three times its height, and none is a stripe. */
const [narrowest, widest] = [0.5, 3];

export const ratioOf = ({ width, height }: Shape): number => Math.min(widest, Math.max(narrowest, width / height));

/**
 * Rows that are as wide as the space, with pictures in their proportions. The last row is not stretched. With `isPart`,
 * more pictures follow: a row that is not full yet is left out.
 */
export function justify(shapes: readonly Shape[], space: Space, isPart = false): Layout {
  const layout: Layout = { boxes: [], rows: [], height: 0 };
  let start = 0;
  let sum = 0;
  for (let index = 0; index < shapes.length; index++) {
    const ratio = ratioOf(shapes[index] as Shape);
    const before = heightOf(sum, index - start, space);
    const after = heightOf(sum + ratio, index - start + 1, space);
    // The row ends before this picture if it is nearer to the wanted height without it.
    if (index > start && after < space.rowHeight && before - space.rowHeight < space.rowHeight - after) {
      addRow(layout, shapes, [start, index, before], space);
      start = index;
      sum = 0;
    }
    sum += ratio;
  }
  if (start < shapes.length && !isPart) {
    const full = heightOf(sum, shapes.length - start, space);
    addRow(layout, shapes, [start, shapes.length, full < space.rowHeight * 1.25 ? full : space.rowHeight], space);
  }
  return layout;
}

/** All in one row of this height. */
export function layOutRow(shapes: readonly Shape[], height: number, space: Space): Layout {
  const layout: Layout = { boxes: [], rows: [], height: 0 };
  if (shapes.length > 0) addRow(layout, shapes, [0, shapes.length, height], space);
  return layout;
}

const heightOf = (sum: number, count: number, { width, gap }: Space): number =>
  sum === 0 ? Infinity : (width - gap * (count - 1)) / sum;

function addRow(
  layout: Layout,
  shapes: readonly Shape[],
  [start, end, height]: [number, number, number],
  { gap }: Space,
): void {
  const top = layout.rows.length === 0 ? 0 : layout.height + gap;
  let left = 0;
  for (const shape of shapes.slice(start, end)) {
    const width = ratioOf(shape) * height;
    layout.boxes.push({ left, top, width, height });
    left += width + gap;
  }
  layout.rows.push({ start, end, top, height });
  layout.height = top + height;
}

/** About how high this many pictures will be. */
export function estimateHeight(count: number, averageRatio: number, { width, rowHeight, gap }: Space): number {
  const perRow = Math.max(1, width / (averageRatio * rowHeight + gap));
  const rows = Math.ceil(count / perRow);
  return rows * rowHeight + Math.max(0, rows - 1) * gap;
}
