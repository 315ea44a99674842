import { type RefObject, useCallback, useLayoutEffect, useMemo, useReducer, useRef } from "react";
import type { Photo } from "../../client/src/index.ts";
import { extentOf, packBands, usualRatio } from "./bands.ts";
import { estimateHeight, type Layout, ratioOf } from "./justify.ts";
import { type Known, type Place, placeBands } from "./places.ts";
import type { Section, Source } from "./sections.ts";
import { topOf } from "./use-view.ts";

export type Space = { width: number; rowHeight: number; gap: number };
/** A section that is shown now. `loaded` is the height of the part whose photos are known. */
export type Measured = { photos: readonly Photo[]; layout: Layout; loaded: number; height: number };

/** Remembered while the studio is open: a grid to which one returns is as high as it was. */
const knownOf = new Map<string, Known>();

/** Where each section is. Heights are estimated until the photos are known, and corrected without a jump. */
export function useHeights(source: Source, space: Space, container: RefObject<HTMLElement | null>) {
  const [version, changed] = useReducer((count: number) => count + 1, 0);
  const measured = useRef(new Map<string, Measured>());
  /** By how much the page has to be moved, and how much of that belongs to the places that are rendered. */
  const shift = useRef({ all: 0, rendered: 0 });
  const cacheKey = `${source.key} ${Math.round(space.width)}`;
  const known = knownOf.get(cacheKey) ?? { heights: new Map(), extents: new Map() };
  knownOf.set(cacheKey, known);

  const estimate = useCallback(
    (count: number) => estimateHeight(count, averageRatio(measured.current), space),
    [space],
  );
  const bands = useMemo(() => packBands(source.sections, space), [source.sections, space]);
  const placed = useMemo(
    () => placeBands(bands, known, space),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [bands, space, known, version],
  );
  const latest = useRef(placed);
  latest.current = placed;
  shift.current.rendered = shift.current.all;

  const report = useCallback(
    (section: Section, now: Measured) => {
      const before = measured.current.get(section.key);
      const place = latest.current.places.get(section.key);
      measured.current.set(section.key, now);
      known.extents.set(section.key, extentOf(now.photos));
      if (place?.rowHeight === null) known.heights.set(section.key, now.height);
      // Also the height of a row that it shares with others follows from its photos.
      const next = placeBands(bands, known, space);
      const height = next.places.get(section.key)?.height;
      if (!place || height === undefined || Math.abs(place.height - height) < 0.5) {
        if (before?.photos !== now.photos || before.layout !== now.layout) changed();
        return;
      }
      const viewTop = topOf(container) + shift.current.all;
      shift.current.all += shiftFor(place, height, before?.loaded ?? 0, viewTop);
      latest.current = next;
      changed();
    },
    [bands, known, space, container],
  );
  useLayoutEffect(() => {
    const { all, rendered } = shift.current;
    if (rendered === 0) return;
    scrollBy({ top: rendered, behavior: "instant" });
    shift.current = { all: all - rendered, rendered: 0 };
  });

  return { places: placed.places, height: placed.height, measured: measured.current, estimate, report };
}

/** By how much the page is moved so that what is on the screen stays there while a section changes its height. */
function shiftFor(place: Place, height: number, loaded: number, viewTop: number): number {
  const within = viewTop - place.top;
  if (within <= loaded) return 0;
  const isEndVisible = place.top + place.height < viewTop + innerHeight;
  return isEndVisible ? height - place.height : within * (height / place.height - 1);
}

function averageRatio(measured: Map<string, Measured>): number {
  const some = [...measured.values()].slice(-3).flatMap(({ photos }) => photos.slice(0, 50));
  return some.length === 0 ? usualRatio : some.reduce((sum, photo) => sum + ratioOf(photo), 0) / some.length;
}
