import { type RefObject, useCallback, useLayoutEffect, useMemo, useReducer, useRef } from "react";
import type { Photo } from "../../client/src/index.ts";
import { estimateHeight, type Layout, ratioOf } from "./justify.ts";
import type { Section, Source } from "./sections.ts";
import { topOf } from "./use-view.ts";

export type Space = { width: number; rowHeight: number; gap: number };
/** A section as it is shown now. `loaded` is the height of the part whose photos are known. */
export type Measured = { photos: readonly Photo[]; layout: Layout; loaded: number; height: number };

/** Remembered while the studio is open: a grid to which one returns is as high as it was. */
const heightsOf = new Map<string, Map<string, number>>();
const usualRatio = 1.4;
export const headingHeight = 36;
const sectionGap = 24;

/** Where each section is. Heights are estimated until the photos are known, and corrected without a jump. */
export function useHeights(source: Source, space: Space, container: RefObject<HTMLElement | null>) {
  const [version, changed] = useReducer((count: number) => count + 1, 0);
  const measured = useRef(new Map<string, Measured>());
  /** By how much the page has to be moved, and how much of that belongs to the places that are rendered. */
  const shift = useRef({ all: 0, rendered: 0 });
  const cacheKey = `${source.key} ${Math.round(space.width)}`;
  const exact = heightsOf.get(cacheKey) ?? new Map<string, number>();
  heightsOf.set(cacheKey, exact);

  const estimate = useCallback(
    (count: number) => estimateHeight(count, averageRatio(measured.current), space),
    [space],
  );
  const places = useMemo(() => {
    let top = 0;
    const found = new Map<string, { top: number; height: number; index: number }>();
    for (const [index, section] of source.sections.entries()) {
      const height = exact.get(section.key) ?? headingHeight + estimateHeight(section.count ?? 20, usualRatio, space);
      found.set(section.key, { top, height, index });
      top += height + sectionGap;
    }
    return { found, height: Math.max(0, top - sectionGap) };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source.sections, space, exact, version]);
  const latest = useRef(places);
  latest.current = places;
  shift.current.rendered = shift.current.all;

  const report = useCallback(
    (section: Section, now: Measured) => {
      const before = measured.current.get(section.key);
      measured.current.set(section.key, now);
      const place = latest.current.found.get(section.key);
      exact.set(section.key, now.height);
      if (!place || Math.abs(place.height - now.height) < 0.5) {
        if (before?.photos !== now.photos || before.layout !== now.layout) changed();
        return;
      }
      const viewTop = topOf(container) + shift.current.rendered;
      shift.current.all += shiftFor(place, now.height, before?.loaded ?? 0, viewTop);
      changed();
    },
    [exact, container],
  );
  useLayoutEffect(() => {
    const { all, rendered } = shift.current;
    if (rendered === 0) return;
    scrollBy({ top: rendered, behavior: "instant" });
    shift.current = { all: all - rendered, rendered: 0 };
  });

  return { places: places.found, height: places.height, measured: measured.current, estimate, report };
}

/** By how much the page is moved so that what is on the screen stays there while a section changes its height. */
function shiftFor(place: { top: number; height: number }, height: number, loaded: number, viewTop: number): number {
  const within = viewTop - place.top;
  if (within <= loaded) return 0;
  const isEndVisible = place.top + place.height < viewTop + innerHeight;
  return isEndVisible ? height - place.height : within * (height / place.height - 1);
}

function averageRatio(measured: Map<string, Measured>): number {
  const some = [...measured.values()].slice(-3).flatMap(({ photos }) => photos.slice(0, 50));
  return some.length === 0 ? usualRatio : some.reduce((sum, photo) => sum + ratioOf(photo), 0) / some.length;
}
