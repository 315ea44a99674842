import { type RefObject, useEffect, useState } from "react";

/** What part of an element is on the screen, in steps, so that not every movement renders the grid again. */
export type View = { top: number; bottom: number; isSettled: boolean };

const step = 200;
/** Faster than so many screens per second is a jump: what is passed is not loaded. */
const fast = 10;
const settlesAfter = 120;

export function useView(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, bottom: innerHeight, isSettled: true });
  useEffect(() => {
    let [lastY, lastTime] = [scrollY, performance.now()];
    let settling: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      const above = topOf(element);
      const top = Math.floor(above / step) * step;
      const bottom = Math.ceil((above + innerHeight) / step) * step;
      const isSettled = settling === undefined;
      setView((before) =>
        before.top === top && before.bottom === bottom && before.isSettled === isSettled
          ? before
          : { top, bottom, isSettled },
      );
    };
    const settle = () => {
      settling = undefined;
      read();
    };
    const move = () => {
      const now = performance.now();
      const screens = Math.abs(scrollY - lastY) / innerHeight;
      // Two events can be so near that a small movement would look fast.
      const isFast = screens / (Math.max(16, now - lastTime) / 1000) > fast;
      [lastY, lastTime] = [scrollY, now];
      if (isFast) {
        clearTimeout(settling);
        settling = setTimeout(settle, settlesAfter);
      }
      read();
    };
    addEventListener("scroll", move, { passive: true });
    addEventListener("resize", read);
    read();
    return () => {
      clearTimeout(settling);
      removeEventListener("scroll", move);
      removeEventListener("resize", read);
    };
  }, [element]);
  return view;
}

/** How far the upper edge of the element is above the screen. */
export const topOf = (element: RefObject<HTMLElement | null>): number =>
  -(element.current?.getBoundingClientRect().top ?? 0);
