import { type RefObject, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { usePace } from "../lib/pace.ts";
import { useWidth } from "../lib/use-width.ts";
import { headHeight } from "../ui/screen.tsx";
import { GridSection, overscan } from "./grid-section.tsx";
import { type Direction, findNext, locate } from "./moves.ts";
import type { CellActions } from "./photo-cell.tsx";
import { headingHeight } from "./places.ts";
import { Scrubber } from "./scrubber.tsx";
import type { Section, Source } from "./sections.ts";
import { type Space, useHeights } from "./use-heights.ts";
import { topOf, useView } from "./use-view.ts";

/** What a screen can ask of its grid. */
export type GridHandle = {
  /** Moves the focus as an arrow key does. Returns the photo that has it then. */
  move(direction: Direction): Photo | null;
  /** The photo that has the focus, or had it last. */
  focused(): Photo | null;
  /** The section of the photo with the focus, or else the one at the upper edge. */
  currentSection(): Section | null;
  /** Photos by their ids, as far as they are known. */
  find(ids: ReadonlySet<number>): Photo[];
  locate(id: number): { key: string; index: number } | null;
};

type Props = {
  source: Source;
  actions: Omit<CellActions, "focus"> & { selectSection(section: Section): void };
  selected: ReadonlySet<number>;
  isSelecting: boolean;
  handle: RefObject<GridHandle | null>;
  /** The photo that is shown and focused first, for example the one that was open. */
  start?: { key: string; id: number } | null;
};

/** Photos in rows, in sections with headings. Only what is near the screen is loaded and rendered. */
export function PhotoGrid(props: Props) {
  const container = useRef<HTMLDivElement>(null);
  const space = useSpace(container);
  return (
    <div ref={container} className="relative pointer-fine:mr-8" style={{ overflowAnchor: "none" }}>
      {space && <Sections key={props.source.key} {...props} space={space} container={container} />}
    </div>
  );
}

type Inner = Props & { space: Space; container: RefObject<HTMLDivElement | null> };

function Sections({ source, actions, selected, isSelecting, handle, start, space, container }: Inner) {
  const view = useView(container);
  const pace = usePace();
  const { places, height, measured, estimate, report } = useHeights(source, space, container);
  const [focusID, setFocusID] = useState<number | null>(start?.id ?? null);
  /** Set while the focus has to move to a photo that may not be rendered yet. */
  const wanted = useRef<{ key: string; id: number } | null>(start ?? null);
  const keys = useMemo(() => source.sections.map(({ key }) => key), [source.sections]);
  const tops = useMemo(() => keys.map((key) => places.get(key)?.top ?? 0), [keys, places]);
  const readTop = useCallback(() => Math.round(topOf(container) + marginTop), [container]);
  const moveTo = useCallback(
    (top: number) => scrollBy({ top: Math.round(top) - readTop(), behavior: "instant" }),
    [readTop],
  );
  /** The first of the sections in the row at this height. */
  const at = (top: number) => tops.indexOf(tops[tops.findLastIndex((one) => one <= top)] ?? 0);

  const cellActions = useMemo(() => ({ ...actions, focus: ({ id }: Photo) => setFocusID(id) }), [actions]);
  const tabStop = focusID !== null && isNear(focusID) ? focusID : pace === "slow" ? firstVisible() : null;

  useImperativeHandle(handle, () => ({
    move(direction) {
      const from = tabStop;
      const next =
        focusID === null && from !== null
          ? findPhoto(from)
          : from && findNext({ keys, measured, places }, from, direction);
      if (!next) return null;
      setFocusID(next.id);
      const place = locate(measured, next.id);
      wanted.current = place && { key: place.key, id: next.id };
      return next;
    },
    focused: () => (focusID === null ? null : findPhoto(focusID)),
    currentSection() {
      const key = focusID === null ? undefined : locate(measured, focusID)?.key;
      return (
        source.sections.find((section) => section.key === key) ??
        source.sections[Math.max(0, at(topOf(container)))] ??
        null
      );
    },
    find: (ids) => [...measured.values()].flatMap(({ photos }) => photos.filter(({ id }) => ids.has(id))),
    locate: (id) => locate(measured, id),
  }));

  // Runs after each rendering until the wanted photo is there.
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { key, id } = wanted.current;
    const box = boxOf(id);
    if (!box) return void (places.has(key) && measured.get(key) === undefined && jump(keys.indexOf(key)));
    scrollIntoView(box);
    const cell = container.current?.querySelector<HTMLElement>(`[data-photo="${id}"]`);
    if (!cell) return;
    cell.focus({ preventScroll: true });
    wanted.current = null;
  });

  const seen = source.sections.filter(({ key }) => {
    const place = places.get(key);
    return place && place.top + place.height >= view.top - overscan && place.top <= view.bottom + overscan;
  });
  return (
    <>
      {height > innerHeight * 2 && source.sections.length > 1 && (
        <Scrubber
          sections={source.sections}
          tops={tops}
          range={Math.max(1, height - innerHeight)}
          readTop={readTop}
          onMove={moveTo}
        />
      )}
      <div style={{ height }} />
      {seen.map((section) => {
        const place = places.get(section.key);
        return (
          place && (
            <GridSection
              key={section.key}
              source={source}
              section={section}
              space={space}
              {...place}
              view={view}
              actions={cellActions}
              selected={selected}
              isSelecting={isSelecting}
              tabStop={tabStop}
              estimate={estimate}
              report={report}
            />
          )
        );
      })}
    </>
  );

  function findPhoto(id: number): Photo | null {
    const place = locate(measured, id);
    return (place && measured.get(place.key)?.photos[place.index]) ?? null;
  }

  /** Where a photo is in the grid; null if it is not known. */
  function boxOf(id: number): { top: number; height: number } | null {
    const found = locate(measured, id);
    const box = found && measured.get(found.key)?.layout.boxes[found.index];
    const place = found && places.get(found.key);
    return box && place ? { top: place.top + headingHeight + box.top, height: box.height } : null;
  }

  function isNear(id: number): boolean {
    const box = boxOf(id);
    return box !== null && box.top + box.height > view.top - overscan && box.top < view.bottom + overscan;
  }

  function firstVisible(): number | null {
    for (const { key } of source.sections.slice(Math.max(0, at(view.top)))) {
      const section = measured.get(key);
      const top = (places.get(key)?.top ?? 0) + headingHeight;
      const index = section?.layout.boxes.findIndex((box) => top + box.top >= view.top) ?? -1;
      if (section && index >= 0) return section.photos[index]?.id ?? null;
      if (top > view.bottom) return null;
    }
    return null;
  }

  function jump(index: number): void {
    const place = places.get(keys[index] ?? "");
    if (place) moveTo(place.top);
  }

  function scrollIntoView({ top, height }: { top: number; height: number }): void {
    const above = topOf(container);
    const hidden = { above: above + marginTop - top, below: top + height + marginBottom - (above + innerHeight) };
    if (hidden.above > 0) scrollBy({ top: -hidden.above, behavior: "instant" });
    else if (hidden.below > 0) scrollBy({ top: hidden.below, behavior: "instant" });
  }
}

/** The heading of the screen, and the sections at the lower edge of a phone, cover this much. */
const [marginTop, marginBottom] = [headHeight, 88];

/** The width of the grid, and the height of its rows that suits it. */
function useSpace(container: RefObject<HTMLElement | null>): Space | null {
  const width = useWidth(container);
  return useMemo(
    () => (width === 0 ? null : { width, rowHeight: width < 600 ? 116 : 190, gap: width < 600 ? 3 : 6 }),
    [width],
  );
}
