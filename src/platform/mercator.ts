/** In degrees. */
type Point = { latitude: number; longitude: number };
/** In degrees. Where `west` is greater than `east`, the box crosses the date line. */
export type Box = { west: number; south: number; east: number; north: number };
/** Columns and rows of a grid, each from the first to the last one. */
export type Cells = { columns: [first: number, last: number][]; rows: [first: number, last: number] };

/** The latitude at which a square map ends. What is beyond is in its outermost rows. */
const edge = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

/** The place on a square map of the world (Web Mercator), from 0 to 1, from the north-west. */
export function project({ latitude, longitude }: Point): { x: number; y: number } {
  const angle = (Math.min(edge, Math.max(-edge, latitude)) * Math.PI) / 180;
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI);
  return { x: (longitude + 180) / 360, y: Math.min(1, Math.max(0, y)) };
}

export function unproject({ x, y }: { x: number; y: number }): Point {
  return { latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, longitude: x * 360 - 180 };
}

/** The cell of a grid of `2 ** level` columns and rows. */
export function cellAt(point: Point, level: number): { x: number; y: number } {
  const { x, y } = project(point);
  const size = 2 ** level;
  const indexOf = (part: number) => Math.min(size - 1, Math.floor(part * size));
  return { x: indexOf(x), y: indexOf(y) };
}

export function boundsOf({ x, y }: { x: number; y: number }, level: number): Box {
  const size = 2 ** level;
  const [first, last] = [unproject({ x: x / size, y: y / size }), unproject({ x: (x + 1) / size, y: (y + 1) / size })];
  return {
    west: first.longitude,
    south: y === size - 1 ? -90 : last.latitude,
    east: last.longitude,
    north: y === 0 ? 90 : first.latitude,
  };
}

/** The cells that a box touches. */
export function cellsIn({ west, south, east, north }: Box, level: number): Cells {
  const first = cellAt({ latitude: north, longitude: west }, level);
  const last = cellAt({ latitude: south, longitude: east }, level);
  const isAcross = west > east;
  // The same cell at both ends of a box around the world.
  const columns: Cells["columns"] = !isAcross
    ? [[first.x, last.x]]
    : first.x <= last.x
      ? [[0, 2 ** level - 1]]
      : [
          [first.x, 2 ** level - 1],
          [0, last.x],
        ];
  return { columns, rows: [first.y, last.y] };
}

export const countCells = ({ columns, rows: [top, bottom] }: Cells): number =>
  columns.reduce((sum, [first, last]) => sum + last - first + 1, 0) * (bottom - top + 1);

/** The number of a cell: two bits for each level, so that the cells within it have numbers which begin with its own. */
export function cellNumber({ x, y }: { x: number; y: number }): number {
  let number = 0;
  for (let bit = 1, [column, row] = [x, y]; column > 0 || row > 0; bit *= 4) {
    number += ((column % 2) + 2 * (row % 2)) * bit;
    [column, row] = [Math.floor(column / 2), Math.floor(row / 2)];
  }
  return number;
}

/** The cell with this number. */
export function cellOf(number: number): { x: number; y: number } {
  let [x, y] = [0, 0];
  for (let bit = 1, rest = number; rest > 0; bit *= 2) {
    x += (rest % 2) * bit;
    y += (Math.floor(rest / 2) % 2) * bit;
    rest = Math.floor(rest / 4);
  }
  return { x, y };
}
