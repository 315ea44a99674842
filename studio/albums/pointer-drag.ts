import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from "react";

type Point = { x: number; y: number };

type Options = {
  onStart: (index: number, point: Point) => void;
  onMove: (point: Point) => void;
  onEnd: (isDropped: boolean) => void;
};

const mouseDistance = 6;
const touchDelay = 350;
/** Near the upper and lower edge of the window, the page scrolls. */
const edge = 90;

/**
 * Drags with the mouse after a few pixels, and with a finger after it has rested for a moment: a finger that moves at
 * once scrolls. Returns what to do when a pointer is pressed on a photo.
 */
export function usePointerDrag(options: Options) {
  const latest = useRef(options);
  latest.current = options;
  const drag = useRef<{ stop: () => void; isActive: boolean } | null>(null);
  useEffect(() => () => drag.current?.stop(), []);

  // A click follows the end of a drag; it opens nothing.
  const hasDragged = useRef(false);

  function press(event: ReactPointerEvent, index: number): void {
    hasDragged.current = false;
    if (event.button !== 0 || drag.current) return;
    const isTouch = event.pointerType === "touch";
    const start = { x: event.clientX, y: event.clientY };
    let last = start;
    let frame = 0;
    const timer = isTouch ? setTimeout(() => begin(), touchDelay) : 0;
    const events = new AbortController();
    const on = { signal: events.signal };
    const current = { stop, isActive: false };
    drag.current = current;

    addEventListener("pointermove", move, on);
    addEventListener("pointerup", () => finish(true), on);
    addEventListener("pointercancel", () => finish(false), on);
    addEventListener("keydown", leave, on);
    // These keep the page from scrolling, and a menu from opening, under a finger that drags.
    addEventListener("touchmove", (touch) => current.isActive && touch.preventDefault(), { ...on, passive: false });
    addEventListener("contextmenu", (menu) => isTouch && current.isActive && menu.preventDefault(), on);

    function begin(): void {
      current.isActive = true;
      hasDragged.current = true;
      latest.current.onStart(index, last);
      frame = requestAnimationFrame(scroll);
    }

    function move({ clientX, clientY }: PointerEvent): void {
      last = { x: clientX, y: clientY };
      const isFar = Math.hypot(last.x - start.x, last.y - start.y) > mouseDistance;
      if (!current.isActive && isFar) {
        if (isTouch) return finish(false);
        begin();
      }
      if (current.isActive) latest.current.onMove(last);
    }

    function leave(event: KeyboardEvent): void {
      if (event.key === "Escape") finish(false);
    }

    function scroll(): void {
      const above = edge - last.y;
      const below = last.y - (innerHeight - edge);
      const by = above > 0 ? -above : below > 0 ? below : 0;
      if (by !== 0) {
        scrollBy(0, by / 5);
        latest.current.onMove(last);
      }
      frame = requestAnimationFrame(scroll);
    }

    function finish(isDropped: boolean): void {
      const { isActive } = current;
      stop();
      if (isActive) latest.current.onEnd(isDropped);
    }

    function stop(): void {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      events.abort();
      drag.current = null;
    }
  }

  return { press, hasDragged: () => hasDragged.current };
}
