import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { memo, useEffect, useLayoutEffect, useMemo } from "react";
import { explain } from "../lib/explain.ts";
import { formatNumber } from "../lib/format.ts";
import { usePace } from "../lib/pace.ts";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { justify, layOutRow, type Row } from "./justify.ts";
import { type CellActions, PhotoCell } from "./photo-cell.tsx";
import { headingHeight, type Place } from "./places.ts";
import { type Section, sectionQuery, type Source } from "./sections.ts";
import { gridTexts as t } from "./texts.ts";
import type { Measured, Space } from "./use-heights.ts";
import type { View } from "./use-view.ts";

/** What is this far from the screen is rendered already. */
export const overscan = 800;
const loadAhead = 3000;

type Props = Place & {
  source: Source;
  section: Section;
  space: Space;
  view: View;
  actions: CellActions & { selectSection(section: Section): void };
  selected: ReadonlySet<number>;
  isSelecting: boolean;
  tabStop: number | null;
  estimate: (count: number) => number;
  report: (section: Section, measured: Measured) => void;
};

export const GridSection = memo(function GridSection(props: Props) {
  const { source, section, space, view, actions, selected, isSelecting, tabStop, report } = props;
  const { top, left, width, height, rowHeight } = props;
  const isJump = usePace() === "jump";
  const query = useInfiniteQuery({ ...sectionQuery(source, section), enabled: !isJump });
  const { data, error, hasNextPage, isFetching, isPending, fetchNextPage, refetch } = query;
  const photos = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const layout = useMemo(
    () => (rowHeight === null ? justify(photos, space, hasNextPage) : layOutRow(photos, rowHeight, space)),
    [photos, space, hasNextPage, rowHeight],
  );
  const loaded = headingHeight + layout.height;
  const missing = Math.max(0, (section.count ?? photos.length + 20) - layout.boxes.length);
  const real = hasNextPage ? loaded + space.gap + props.estimate(missing) : loaded;

  useLayoutEffect(() => {
    if (!isPending) report(section, { photos, layout, loaded, height: real });
  }, [isPending, report, section, photos, layout, loaded, real]);
  const isShort = hasNextPage && top + loaded < view.bottom + loadAhead;
  useEffect(() => {
    if (isShort && !isFetching && !error && !isJump) void fetchNextPage();
  }, [isShort, isFetching, error, isJump, fetchNextPage]);

  const [first, last] = [view.top - top - headingHeight - overscan, view.bottom - top - headingHeight + overscan];
  const isSeen = ({ top, height }: Row) => top + height >= first && top <= last;
  const isWhole = section.count !== null && photos.length > 0 && photos.every(({ id }) => selected.has(id));
  return (
    <section
      aria-labelledby={`section-${section.key}`}
      aria-busy={isFetching}
      className="absolute"
      style={{ top, left, width, height }}
    >
      <div className="group/heading flex items-end gap-2 pb-2" style={{ height: headingHeight }}>
        <h2 id={`section-${section.key}`} className="truncate text-base font-semibold">
          {section.label}
        </h2>
        {section.count !== null && <span className="text-sm text-soft">{formatNumber(section.count)}</span>}
        <IconButton
          label={t.selectAll(section.label)}
          aria-pressed={isWhole}
          onClick={() => actions.selectSection(section)}
          className={classes(
            "-my-2 opacity-0 group-hover/heading:opacity-100 focus-visible:opacity-100 pointer-coarse:-my-3 pointer-coarse:opacity-100",
            isSelecting && "opacity-100",
            isWhole ? "!text-accent" : "!text-soft",
          )}
        >
          <CircleCheck />
        </IconButton>
      </div>
      {error && photos.length === 0 && (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          {explain(error)}
          <Button onClick={() => void refetch()}>{words.retry}</Button>
        </div>
      )}
      {(isPending || hasNextPage) && !error && (
        <div
          aria-hidden="true"
          className="absolute inset-x-0 bottom-0"
          style={{ top: loaded, background: rowsOf({ ...space, rowHeight: rowHeight ?? space.rowHeight }) }}
        />
      )}
      <ul aria-label={section.label} className="relative">
        {layout.rows.filter(isSeen).flatMap(({ start, end }) =>
          photos.slice(start, end).map((photo, index) => {
            const box = layout.boxes[start + index];
            return (
              box && (
                <PhotoCell
                  key={photo.id}
                  photo={photo}
                  box={box}
                  actions={actions}
                  isSelected={selected.has(photo.id)}
                  isSelecting={isSelecting}
                  isTabStop={photo.id === tabStop}
                />
              )
            );
          }),
        )}
      </ul>
    </section>
  );
});

/** In place of rows whose photos are not known yet. */
const rowsOf = ({ rowHeight, gap }: Space): string =>
  `repeating-linear-gradient(var(--tint) 0 ${rowHeight}px, transparent 0 ${rowHeight + gap}px)`;
