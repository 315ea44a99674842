import type { RefObject } from "react";
import { useWidth } from "../lib/use-width.ts";

/** How many squares fit beside each other in the element, and their side. */
export function useColumns(
  element: RefObject<HTMLElement | null>,
  { smallest, gap }: { smallest: number; gap: number },
) {
  const width = useWidth(element);
  const columns = Math.max(2, Math.floor((width + gap) / (smallest + gap)));
  return { columns, side: Math.max(1, (width - gap * (columns - 1)) / columns) };
}

/** The position after an arrow key, or null for other keys. */
export function stepTo(key: string, position: number, { columns, count }: { columns: number; count: number }) {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: 4 * columns,
    PageUp: -4 * columns,
    Home: -count,
    End: count,
  };
  const by = steps[key];
  return by === undefined ? null : Math.max(0, Math.min(count - 1, position + by));
}
