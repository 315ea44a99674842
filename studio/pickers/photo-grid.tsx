import { useVirtualizer } from "@tanstack/react-virtual";
import { Check } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { nameOfPhoto } from "../lib/photo-name.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { stepTo, useColumns } from "./columns.ts";
import { Thumb } from "./thumb.tsx";

type Props = {
  photos: readonly Photo[];
  chosen: ReadonlyMap<number, Photo>;
  onToggle: (photo: Photo, isRange: boolean) => void;
  onEnd: () => void;
};

const gap = 6;

/** Squares in a box that scrolls. Arrow keys move the focus; Space chooses. */
export function PhotoGrid({ photos, chosen, onToggle, onEnd }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, side } = useColumns(scroller, { smallest: 104, gap });
  const [current, setCurrent] = useState(0);
  const rows = useVirtualizer({
    count: Math.ceil(photos.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => side + gap,
    overscan: 3,
  });
  useEffect(() => rows.measure(), [rows, side]);
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if ((lastShown + 4) * columns >= photos.length) onEnd();
  }, [lastShown, columns, photos.length, onEnd]);

  const move = (event: KeyboardEvent) => {
    const next = stepTo(event.key, current, { columns, count: photos.length });
    if (next === null) return;
    event.preventDefault();
    setCurrent(next);
    rows.scrollToIndex(Math.floor(next / columns));
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`);
    const cell = find();
    // The next key belongs to the new photo. If that is out of sight, it is not in the page yet.
    if (cell) cell.focus();
    else requestAnimationFrame(() => find()?.focus());
  };

  return (
    <div ref={scroller} className="h-[52dvh] overflow-y-auto">
      <div
        role="listbox"
        aria-multiselectable="true"
        aria-label={words.photos}
        onKeyDown={move}
        className="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {shown.flatMap(({ index: row, start }) =>
          photos.slice(row * columns, (row + 1) * columns).map((photo, column) => {
            const index = row * columns + column;
            const isChosen = chosen.has(photo.id);
            return (
              <button
                key={photo.id}
                type="button"
                role="option"
                aria-selected={isChosen}
                aria-label={nameOfPhoto(photo) || words.untitledPhoto}
                title={nameOfPhoto(photo)}
                data-index={index}
                tabIndex={index === current ? 0 : -1}
                onClick={(event) => {
                  setCurrent(index);
                  onToggle(photo, event.shiftKey);
                }}
                className="absolute rounded-control focus-visible:outline-offset-[-2px]"
                style={{ top: start, left: column * (side + gap), width: side, height: side }}
              >
                <Thumb photo={photo} width={side} isChosen={isChosen} className="size-full rounded-control" />
                <span
                  aria-hidden="true"
                  className={classes(
                    "absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full border",
                    isChosen ? "border-accent bg-accent text-on-accent" : "border-white bg-black/30",
                  )}
                >
                  {isChosen && <Check className="size-4" />}
                </span>
              </button>
            );
          }),
        )}
      </div>
    </div>
  );
}
