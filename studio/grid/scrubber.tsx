import { type KeyboardEvent, memo, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import type { Section } from "./sections.ts";

type Props = {
  sections: readonly Section[];
  /** Where each section begins, in pixels. */
  tops: readonly number[];
  /** How far the grid can be moved. */
  range: number;
  /** How far it has been moved. */
  readTop: () => number;
  onMove: (top: number) => void;
};

/** At the right edge: the years, and where the screen is. Drag it, or use the arrow keys. */
export const Scrubber = memo(function Scrubber({ sections, tops, range, readTop, onMove }: Props) {
  const [current, setCurrent] = useState(0);
  const moved = useRef<HTMLDivElement>(null);
  // Moved without React, by the compositor: a rendering or another style would lay out the page in every frame.
  useLayoutEffect(() => {
    const follow = () => {
      const top = readTop();
      const section = tops.findLastIndex((one) => one <= top + tolerance);
      const position = Math.min(1, Math.max(0, top / range));
      // Several sections may share a row.
      setCurrent(Math.max(0, tops.indexOf(tops[section] ?? 0)));
      moved.current?.style.setProperty("transform", `translateY(${position * 100}%)`);
    };
    follow();
    addEventListener("scroll", follow, { passive: true });
    return () => removeEventListener("scroll", follow);
  }, [tops, range, readTop]);
  const years = useMemo(() => yearsOf(sections, tops, range), [sections, tops, range]);
  const track = useRef<HTMLDivElement>(null);
  const [isDragged, setIsDragged] = useState(false);
  const drag = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (box) onMove(range * Math.min(1, Math.max(0, (event.clientY - box.top) / box.height)));
  };
  const press = (event: KeyboardEvent) => {
    const target = targetOf(event.key, { sections, tops }, current);
    if (target === null) return;
    event.preventDefault();
    onMove(tops[target] ?? 0);
  };
  const label = sections[current]?.label ?? "";
  return (
    <div
      className={classes(
        "group pointer-events-none fixed top-16 right-0 bottom-24 z-10 w-14 touch-none select-none md:bottom-6",
        "pointer-fine:pointer-events-auto",
      )}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setIsDragged(true);
        drag(event);
      }}
      onPointerMove={(event) => isDragged && drag(event)}
      onPointerUp={() => setIsDragged(false)}
      onPointerCancel={() => setIsDragged(false)}
    >
      <div ref={track} className="absolute inset-y-4 right-0 left-0">
        {years.map(({ year, at }) => (
          <span
            key={year}
            aria-hidden="true"
            className={classes(
              "absolute right-4 -translate-y-1/2 text-xs text-soft pointer-coarse:rounded pointer-coarse:bg-paper/80 pointer-coarse:px-1",
              !isDragged && "pointer-coarse:hidden",
            )}
            style={{ top: `${at * 100}%` }}
          >
            {year}
          </span>
        ))}
        <div ref={moved} className="absolute inset-0 will-change-transform">
          <div
            role="slider"
            tabIndex={0}
            aria-label={words.date}
            aria-orientation="vertical"
            aria-valuemin={0}
            aria-valuemax={Math.max(0, sections.length - 1)}
            aria-valuenow={current}
            aria-valuetext={label}
            onKeyDown={press}
            className="pointer-events-auto absolute top-0 right-0 flex h-10 -translate-y-1/2 cursor-ns-resize items-center justify-end rounded-control pointer-coarse:w-10"
          >
            <span
              className={classes(
                "mr-1 rounded-control border border-line bg-surface px-2 py-1 text-xs font-medium whitespace-nowrap shadow-float",
                !isDragged && "pointer-coarse:hidden pointer-fine:hidden pointer-fine:group-hover:inline",
              )}
            >
              {label}
            </span>
            <span
              className={classes(
                "h-1 w-3 shrink-0 rounded-full bg-accent",
                "pointer-coarse:h-9 pointer-coarse:w-2 pointer-coarse:rounded-r-none",
              )}
            />
          </div>
        </div>
      </div>
    </div>
  );
});

/** Positions are rounded to whole pixels. */
const tolerance = 2;

/** As many labels as there is space for. */
const minDistance = 0.035;

function yearsOf(sections: readonly Section[], tops: readonly number[], range: number): { year: string; at: number }[] {
  const found: { year: string; at: number }[] = [];
  for (const [index, { key }] of sections.entries()) {
    const year = /^\d{4}(?=-)/.exec(key)?.[0];
    const at = Math.min(1, (tops[index] ?? 0) / range);
    const last = found.at(-1);
    if (year && year !== last?.year && (!last || at - last.at > minDistance)) found.push({ year, at });
  }
  return found;
}

type Rows = Pick<Props, "sections" | "tops">;

function targetOf(key: string, { sections, tops }: Rows, current: number): number | null {
  const yearAt = (index: number) => sections[index]?.key.slice(0, 4);
  const here = tops[current] ?? 0;
  const below = tops.findIndex((top) => top > here);
  if (key === "ArrowDown" || key === "ArrowRight") return below < 0 ? sections.length - 1 : below;
  if (key === "ArrowUp" || key === "ArrowLeft")
    return Math.max(
      0,
      tops.findLastIndex((top) => top < here),
    );
  if (key === "Home") return 0;
  if (key === "End") return sections.length - 1;
  if (key === "PageDown") {
    const found = sections.findIndex((_, index) => (tops[index] ?? 0) > here && yearAt(index) !== yearAt(current));
    return found < 0 ? sections.length - 1 : found;
  }
  if (key === "PageUp") {
    const before = yearAt(sections.findLastIndex((_, index) => index < current && yearAt(index) !== yearAt(current)));
    return before === undefined ? 0 : sections.findIndex((_, index) => yearAt(index) === before);
  }
  return null;
}
