import { useRef, useSyncExternalStore } from "react";
import { createSharedValue } from "./shared-value.ts";

/** How fast the page, or a list in it, is scrolled. A jump passes so much that none of it is worth a request. */
type Pace = "slow" | "fast" | "jump";

/** In screens per second. */
const speeds = { fast: 3, jump: 10 };
/**
 * It is slow again after this many frames without a fast movement. Milliseconds would not do: on a busy device, a list that
 * moves fast can pause for longer.
 */
const framesToSlow = 7;

const { read, follow, change, use } = createSharedValue<Pace>("slow");
export const usePace = use;

/** Whether to draw an item of a list in detail. One that appears while the list moves fast waits until it is slow. */
export function useIsDetailed(): boolean {
  const isDetailed = useRef(false);
  return useSyncExternalStore(follow, () => (isDetailed.current ||= read() === "slow"));
}

let last = { element: document.documentElement, top: 0, time: 0 };
let frame = 0;
let isCounting = false;
const lastFrame = { fast: -Infinity, jump: -Infinity };

addEventListener("scroll", measure, { capture: true, passive: true });

function measure({ target }: Event): void {
  const element = target instanceof HTMLElement ? target : document.documentElement;
  const now = { element, top: element.scrollTop, time: performance.now() };
  // Two events can be so near that a small movement would look fast.
  const seconds = Math.max(16, now.time - last.time) / 1000;
  const screens = last.element === element ? Math.abs(now.top - last.top) / element.clientHeight : 0;
  last = now;
  if (screens / seconds > speeds.fast) lastFrame.fast = frame;
  if (screens / seconds > speeds.jump) lastFrame.jump = frame;
  update();
  if (!isCounting) count();
}

function count(): void {
  isCounting = read() !== "slow";
  if (!isCounting) return;
  requestAnimationFrame(() => {
    frame++;
    update();
    count();
  });
}

function update(): void {
  const isRecent = (one: number) => frame - one < framesToSlow;
  const pace = isRecent(lastFrame.jump) ? "jump" : isRecent(lastFrame.fast) ? "fast" : "slow";
  if (pace !== read()) change(pace);
}
