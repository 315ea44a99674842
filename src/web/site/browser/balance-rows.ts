type Space = { width: number; gap: number };
type Row = { ratios: number[]; height: number };

/** Below this share of the width, the last row does not look full. */
const enough = 0.95;
/** How much higher or lower than the other rows a row may become. */
const farthest = 1.6;

/**
 * Rows in place of the last ones, from row `from` on, that fill the width without cropping a photo and are about as high as
 * the others; null if the last row is long enough, or there are none. `rows` are the ratios of the photos as they are shown.
 */
export function balanceRows(rows: number[][], space: Space): { from: number; rows: Row[] } | null {
  const full = rows.slice(0, -1).map((ratios) => heightOf(ratios, space));
  const usual = full.reduce((sum, height) => sum + height, 0) / full.length;
  const last = rows.at(-1);
  // At the usual height, the last row has this share of the width.
  if (!last || full.length === 0 || usual / heightOf(last, space) >= enough) return null;
  const from = Math.max(0, rows.length - 3);
  const ratios = rows.slice(from).flat();
  const count = rows.length - from;
  const found = [...divide(ratios, count), ...divide(ratios, count - 1)]
    .map((parts) => parts.map((part) => ({ ratios: part, height: heightOf(part, space) })))
    .map((parts) => ({ parts, worst: Math.max(...parts.map(({ height }) => distance(height, usual))) }))
    .toSorted((one, other) => one.worst - other.worst)[0];
  return found && found.worst <= Math.log(farthest) ? { from, rows: found.parts } : null;
}

/** All ways to divide the list into this many parts. */
function divide(list: number[], count: number): number[][][] {
  if (count <= 1) return count === 1 && list.length > 0 ? [[list]] : [];
  return list
    .slice(1)
    .flatMap((_, index) => divide(list.slice(index + 1), count - 1).map((rest) => [list.slice(0, index + 1), ...rest]));
}

/** The height at which photos fill the width. */
const heightOf = (ratios: number[], { width, gap }: Space): number =>
  (width - gap * (ratios.length - 1)) / ratios.reduce((sum, ratio) => sum + ratio, 0);

const distance = (height: number, usual: number): number => Math.abs(Math.log(height / usual));
