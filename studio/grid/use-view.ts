import { type RefObject, useEffect, useState } from "react";

/** What part of an element is on the screen, in steps, so that not every movement renders the grid again. */
export type View = { top: number; bottom: number };

const step = 200;

export function useView(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, bottom: innerHeight });
  useEffect(() => {
    let latest: View | undefined;
    const read = () => {
      const above = topOf(element);
      const top = Math.floor(above / step) * step;
      const bottom = Math.ceil((above + innerHeight) / step) * step;
      if (latest?.top === top && latest.bottom === bottom) return;
      latest = { top, bottom };
      setView(latest);
    };
    addEventListener("scroll", read, { passive: true });
    addEventListener("resize", read);
    read();
    return () => {
      removeEventListener("scroll", read);
      removeEventListener("resize", read);
    };
  }, [element]);
  return view;
}

/** How far the upper edge of the element is above the screen. */
export const topOf = (element: RefObject<HTMLElement | null>): number =>
  -(element.current?.getBoundingClientRect().top ?? 0);
