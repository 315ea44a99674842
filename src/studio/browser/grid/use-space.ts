import { type RefObject, useLayoutEffect, useMemo, useState } from "react";
import type { Space } from "./use-heights.ts";

/** The width of the grid, and the height of its rows that suits it. */
export function useSpace(container: RefObject<HTMLElement | null>): Space | null {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return useMemo(
    () => (width === 0 ? null : { width, rowHeight: width < 600 ? 116 : 190, gap: width < 600 ? 3 : 6 }),
    [width],
  );
}
