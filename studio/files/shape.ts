import type { RefObject } from "react";
import { useWidth } from "../lib/use-width.ts";

/** How entries are laid out: a list has one column. All have the same size, so that a place leads to an entry. */
export type Shape = { isGrid: boolean; isNarrow: boolean; columns: number; rowHeight: number; columnWidth: number };

const [tileWidth, narrowTileWidth] = [150, 118];

export function useShape(scroller: RefObject<HTMLElement | null>, isGrid: boolean): Shape {
  const width = useWidth(scroller);
  const isNarrow = width < 680;
  if (!isGrid) return { isGrid, isNarrow, columns: 1, rowHeight: isNarrow ? 60 : 40, columnWidth: width };
  const columns = Math.max(2, Math.floor(width / (isNarrow ? narrowTileWidth : tileWidth)));
  const columnWidth = Math.floor(width / columns);
  return { isGrid, isNarrow, columns, rowHeight: Math.min(columnWidth, 170) + 32, columnWidth };
}

type Box = { left: number; top: number; right: number; bottom: number };

/** The indexes of the entries that a box touches. */
export function indexesIn({ left, top, right, bottom }: Box, shape: Shape, count: number): number[] {
  const { columns, rowHeight, columnWidth } = shape;
  const found: number[] = [];
  const lastRow = Math.min(Math.floor(bottom / rowHeight), Math.ceil(count / columns) - 1);
  const [firstColumn, lastColumn] = [Math.floor(left / columnWidth), Math.floor(right / columnWidth)];
  for (let row = Math.max(0, Math.floor(top / rowHeight)); row <= lastRow; row++) {
    for (let column = Math.max(0, firstColumn); column <= Math.min(columns - 1, lastColumn); column++) {
      const index = row * columns + column;
      if (index < count) found.push(index);
    }
  }
  return found;
}
