import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Choice } from "./choice.ts";
import type { Folder } from "./folder.ts";
import { indexesIn, type Shape } from "./shape.ts";

type Point = { x: number; y: number };
type Band = { from: Point; to: Point; kept: ReadonlySet<number> };

/** A shorter way is a click. */
const minDistance = 5;
const edge = 30;

type Deps = { scroller: RefObject<HTMLElement | null>; shape: Shape; folder: Folder; choice: Choice };

/** Selects what a box touches that the mouse draws from an empty place. */
export function useRubberBand({ scroller, shape, folder: { entries }, choice }: Deps) {
  const [band, setBand] = useState<Band | null>(null);
  const latest = useRef({ shape, entries, choice });
  latest.current = { shape, entries, choice };
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  function start(event: ReactPointerEvent): void {
    const element = scroller.current;
    if (!element || event.button !== 0 || event.pointerType !== "mouse") return;
    if ((event.target as Element).closest("[draggable=true], button, input, a")) return;
    const isKept = event.ctrlKey || event.metaKey || event.shiftKey;
    const kept = isKept ? latest.current.choice.ids : new Set<number>();
    const from = toPoint(element, event);
    let pointer = { clientX: event.clientX, clientY: event.clientY };
    let isDrawn = false;

    const draw = () => {
      const to = toPoint(element, pointer);
      isDrawn ||= Math.hypot(to.x - from.x, to.y - from.y) > minDistance;
      if (!isDrawn) return;
      const { shape, entries, choice } = latest.current;
      const box = toBox(from, to);
      const touched = indexesIn(box, shape, entries.length).map((index) => entries[index]?.id ?? 0);
      choice.set([...kept, ...touched]);
      setBand({ from, to, kept });
    };
    const move = (moved: PointerEvent) => {
      pointer = moved;
      draw();
    };
    const timer = setInterval(() => {
      const { top, bottom } = element.getBoundingClientRect();
      const by = pointer.clientY < top + edge ? -20 : pointer.clientY > bottom - edge ? 20 : 0;
      if (!isDrawn || by === 0) return;
      element.scrollTop += by;
      draw();
    }, 16);
    const end = () => {
      clearInterval(timer);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      setBand(null);
      // The click that follows would select one entry again.
      if (isDrawn) addEventListener("click", stopClick, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stopClick, { capture: true }), 50);
    };
    stop.current = end;
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    if (!isKept && !(event.target as Element).closest("[data-index]")) choice.clear();
  }

  return { start, box: band && <BandBox {...toBox(band.from, band.to)} /> };
}

const stopClick = (event: Event) => event.stopPropagation();

function toPoint(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top + element.scrollTop };
}

const toBox = (from: Point, to: Point) => ({
  left: Math.min(from.x, to.x),
  top: Math.min(from.y, to.y),
  right: Math.max(from.x, to.x),
  bottom: Math.max(from.y, to.y),
});

const BandBox = ({ left, top, right, bottom }: ReturnType<typeof toBox>) => (
  <div
    aria-hidden="true"
    className="pointer-events-none absolute z-10 rounded-sm border border-accent bg-accent/15"
    style={{ left, top, width: right - left, height: bottom - top }}
  />
);
