import { type RefObject, useMemo } from "react";
import { useWidth } from "../lib/use-width.ts";
import type { Space } from "./use-heights.ts";

/** The width of the grid, and the height of its rows that suits it. */
export function useSpace(container: RefObject<HTMLElement | null>): Space | null {
  const width = useWidth(container);
  return useMemo(
    () => (width === 0 ? null : { width, rowHeight: width < 600 ? 116 : 190, gap: width < 600 ? 3 : 6 }),
    [width],
  );
}
