import { type RefObject, useEffect, useState } from "react";

/** What part of an element is on the screen, in steps, so that not every movement renders the grid again. */
export type View = { top: number; bottom: number; pace: Pace };
/** While it is fast, photos are only colours; in a jump, what is passed is not loaded at all. */
type Pace = "slow" | "fast" | "jump";

const step = 200;
/** In screens per second. */
const speeds = { fast: 3, jump: 10 };
/** The page is slow again after so many frames. It is no time: in a busy moment, a page that is fast seems to stand. */
const framesToSlow = 7;

export function useView(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, bottom: innerHeight, pace: "slow" });
  useEffect(() => {
    let latest: View | undefined;
    let [lastY, lastTime] = [scrollY, performance.now()];
    let frame = 0;
    let counting = 0;
    const lastFrame = { fast: -Infinity, jump: -Infinity };
    const isRecent = (one: number) => frame - one < framesToSlow;
    const read = () => {
      const above = topOf(element);
      const top = Math.floor(above / step) * step;
      const bottom = Math.ceil((above + innerHeight) / step) * step;
      const pace = isRecent(lastFrame.jump) ? "jump" : isRecent(lastFrame.fast) ? "fast" : "slow";
      if (latest?.top === top && latest.bottom === bottom && latest.pace === pace) return;
      latest = { top, bottom, pace };
      setView(latest);
    };
    const count = () => {
      frame++;
      counting = isRecent(lastFrame.fast) ? requestAnimationFrame(count) : 0;
      if (counting === 0) read();
    };
    const move = () => {
      const now = performance.now();
      const screens = Math.abs(scrollY - lastY) / innerHeight;
      // Two events can be so near that a small movement would look fast.
      const speed = screens / (Math.max(16, now - lastTime) / 1000);
      [lastY, lastTime] = [scrollY, now];
      if (speed > speeds.fast) lastFrame.fast = frame;
      if (speed > speeds.jump) lastFrame.jump = frame;
      if (counting === 0 && isRecent(lastFrame.fast)) counting = requestAnimationFrame(count);
      read();
    };
    addEventListener("scroll", move, { passive: true });
    addEventListener("resize", read);
    read();
    return () => {
      cancelAnimationFrame(counting);
      removeEventListener("scroll", move);
      removeEventListener("resize", read);
    };
  }, [element]);
  return view;
}

/** How far the upper edge of the element is above the screen. */
export const topOf = (element: RefObject<HTMLElement | null>): number =>
  -(element.current?.getBoundingClientRect().top ?? 0);
