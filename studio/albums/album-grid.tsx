import { useNavigate } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { AlbumWithPhotos, Photo } from "../../client/src/index.ts";
import { formatNumber } from "../lib/format.ts";
import type { Selection } from "../lib/selection.ts";
import { words } from "../lib/words.ts";
import { stepTo, useColumns } from "../pickers/columns.ts";
import { Thumb } from "../pickers/thumb.tsx";
import { classes } from "../ui/classes.ts";
import { useAlbumPhotos } from "./album-photos.ts";
import { AlbumTile } from "./album-tile.tsx";
import { movePhotos } from "./change-photos.ts";
import { type Move, shownAt } from "./moves.ts";
import { usePointerDrag } from "./pointer-drag.ts";
import { albumTexts as t } from "./texts.ts";

type Props = { album: AlbumWithPhotos; selection: Selection<number> };

const gap = 8;

/** The photos of an album in their order. If it is not that of their dates, they can be moved by dragging them, and with the keyboard. */
export function AlbumGrid({ album, selection }: Props) {
  const { photoCount: count, photoOrder } = album;
  const isManual = photoOrder === "manual";
  const area = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const hintID = useId();
  const { columns, side } = useColumns(area, { smallest: 132, gap });
  const rows = useWindowVirtualizer({
    count: Math.ceil(count / columns),
    estimateSize: () => side + gap,
    overscan: 2,
    scrollMargin: area.current?.offsetTop ?? 0,
    scrollPaddingStart: 90,
    scrollPaddingEnd: 90,
  });
  useEffect(() => rows.measure(), [rows, side]);
  const shown = rows.getVirtualItems();
  const loadedAt = useAlbumPhotos(
    album.id,
    (shown[0]?.index ?? 0) * columns,
    ((shown.at(-1)?.index ?? 0) + 1) * columns,
  );

  const [current, setCurrent] = useState(0);
  /** The photo is kept: it may be moved to where its own page is not loaded. */
  const [move, setMove] = useState<(Move & { photo: Photo }) | null>(null);
  const photoAt = (index: number) => (index === move?.from ? move.photo : loadedAt(index));
  const [pointer, setPointer] = useState<{ x: number; y: number; photo: Photo } | null>(null);
  const [said, setSaid] = useState("");
  const hasFocus = useRef(false);
  const titleAt = (index: number) => photoAt(index)?.title || words.untitledPhoto;

  const drag = usePointerDrag({
    onStart(index, point) {
      const photo = photoAt(index);
      if (!photo) return;
      setMove({ from: index, to: index, photo });
      setPointer({ ...point, photo });
    },
    onMove(point) {
      setPointer((before) => before && { ...before, ...point });
      setMove((before) => before && { ...before, to: positionOf(point) });
    },
    onEnd(isDropped) {
      setPointer(null);
      setMove(null);
      if (isDropped && move) putDown(move);
    },
  });

  function positionOf({ x, y }: { x: number; y: number }): number {
    const box = area.current?.getBoundingClientRect();
    if (!box) return 0;
    const row = Math.max(0, Math.floor((y - box.top) / (side + gap)));
    const column = Math.max(0, Math.min(columns - 1, Math.floor((x - box.left) / (side + gap))));
    return Math.min(count - 1, row * columns + column);
  }

  function putDown({ from, to }: Move): void {
    setSaid(t.dropped(titleAt(from), to + 1));
    if (from !== to) void movePhotos(album, { from, to }, selection.keys);
    setCurrent(to);
  }

  function goTo(index: number): void {
    setCurrent(index);
    rows.scrollToIndex(Math.floor(index / columns));
    hasFocus.current = true;
  }
  // The element of the photo may be new after it was scrolled to or moved.
  useLayoutEffect(() => {
    if (hasFocus.current) area.current?.querySelector<HTMLElement>(`[data-position="${current}"]`)?.focus();
  });

  function press(event: KeyboardEvent): void {
    const next = stepTo(event.key, current, { columns, count });
    if (next !== null) {
      if (move) {
        setMove({ ...move, to: next });
        setSaid(t.position(next + 1, count));
      }
      goTo(next);
    } else if (event.key === " " && isManual) {
      if (move) {
        setMove(null);
        putDown(move);
      } else {
        const photo = photoAt(current);
        if (photo) setMove({ from: current, to: current, photo });
        setSaid(photo ? t.grabbed(titleAt(current), current + 1, count) : "");
      }
    } else if (event.key === "Escape" && move) {
      setSaid(t.cancelled(titleAt(move.from)));
      setMove(null);
      goTo(move.from);
    } else if (event.key === "x") toggle(current, event.shiftKey);
    else if (event.key === "Enter") open(current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function toggle(index: number, isRange: boolean): void {
    const photo = photoAt(shownAt(index, move));
    if (photo) selection.toggle(photo.id, isRange);
  }

  function open(index: number): void {
    const photo = photoAt(index);
    if (photo)
      void navigate({ to: "/photos/$id", params: { id: String(photo.id) }, search: { album: String(album.id) } });
  }

  return (
    <>
      <div
        ref={area}
        role="listbox"
        aria-multiselectable="true"
        aria-label={t.photosOf(album.name)}
        aria-describedby={hintID}
        className="relative touch-manipulation select-none"
        style={{ height: rows.getTotalSize() - gap }}
        onKeyDown={press}
        onFocus={({ target }) => {
          hasFocus.current = true;
          if (!move) setCurrent(Number(target.dataset.position ?? current));
        }}
        onBlur={() => (hasFocus.current = false)}
      >
        {shown.flatMap(({ index: row }) =>
          Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => {
            const position = row * columns + column;
            const index = shownAt(position, move);
            const photo = photoAt(index);
            return (
              <AlbumTile
                key={photo?.id ?? `position ${position}`}
                photo={photo}
                position={position}
                isCurrent={position === current}
                isSelected={photo !== undefined && selection.has(photo.id)}
                isCover={photo !== undefined && photo.id === album.coverPhotoID}
                isMoved={move !== null && index === move.from}
                box={{ top: row * (side + gap), left: column * (side + gap), side }}
                onPress={(event) => isManual && drag.press(event, position)}
                onToggle={(isRange) => toggle(position, isRange)}
                onOpen={() => {
                  if (drag.hasDragged()) return;
                  setCurrent(position);
                  if (selection.keys.size > 0) toggle(position, false);
                  else open(position);
                }}
              />
            );
          }),
        )}
      </div>
      <p id={hintID} className={classes("mt-4 text-sm text-soft", isManual && "pointer-coarse:hidden")}>
        {isManual ? t.orderHint : t.orders[photoOrder]}
      </p>
      {isManual && <p className="mt-4 hidden text-sm text-soft pointer-coarse:block">{t.touchHint}</p>}
      <p role="status" aria-live="assertive" className="sr-only">
        {said}
      </p>
      {pointer && (
        <div
          className="pointer-events-none fixed z-50 rotate-2 rounded-control opacity-90 shadow-float"
          style={{ left: pointer.x - side / 2, top: pointer.y - side / 2, width: side }}
        >
          <Thumb photo={pointer.photo} width={side} className="rounded-control" />
          {selection.has(pointer.photo.id) && selection.keys.size > 1 && (
            <span className="absolute -top-2 -right-2 rounded-full bg-accent px-2 py-0.5 text-sm font-medium text-on-accent">
              {formatNumber(selection.keys.size)}
            </span>
          )}
        </div>
      )}
    </>
  );
}
