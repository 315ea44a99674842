import { type RefObject, useLayoutEffect, useState } from "react";

/** How many squares fit beside each other in the element, and their side. */
export function useColumns(
  element: RefObject<HTMLElement | null>,
  { smallest, gap }: { smallest: number; gap: number },
) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  const columns = Math.max(2, Math.floor((width + gap) / (smallest + gap)));
  return { columns, side: Math.max(1, (width - gap * (columns - 1)) / columns), width };
}
