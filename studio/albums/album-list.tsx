import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { Album } from "../../client/src/index.ts";
import { AlbumCard, type Ordering } from "./album-card.tsx";
import { orderAlbum } from "./order-album.ts";
import { type Move, shownAt } from "./moves.ts";
import { usePointerDrag } from "./pointer-drag.ts";
import { albumTexts as t } from "./texts.ts";

type Entry = { album: Album; inside: number };

/** Albums beside each other, which can be ordered by dragging them, with Alt and the arrow keys, and by their menus. */
export function AlbumList({ entries }: { entries: readonly Entry[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [move, setMove] = useState<Move | null>(null);
  const [said, setSaid] = useState("");
  const drag = usePointerDrag({
    onStart: (index) => setMove({ from: index, to: index }),
    onMove: (point) => setMove((before) => before && { ...before, to: positionOf(point, before.to) }),
    onEnd(isDropped) {
      setMove(null);
      if (isDropped && move) put(move.from, move.to);
    },
  });

  function positionOf({ x, y }: { x: number; y: number }, last: number): number {
    const boxes = Array.from(list.current?.children ?? [], (card) => card.getBoundingClientRect());
    const found = boxes.findIndex((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
    return found === -1 ? last : found;
  }

  function put(from: number, to: number): void {
    const [moved, beside] = [entries[from]?.album, entries[to]?.album];
    if (!moved || !beside || from === to) return;
    setSaid(t.albumPut(moved.name, to + 1, entries.length));
    void orderAlbum(moved, from < to ? { after: beside.id } : { before: beside.id });
  }

  function press(event: KeyboardEvent, index: number): void {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    put(index, index + step);
  }

  const orderingOf = (index: number): Ordering => ({
    isMoved: move !== null && shownAt(index, move) === move.from,
    onPress: (event: PointerEvent) => event.pointerType === "mouse" && drag.press(event, index),
    onKey: (event) => press(event, index),
    hasDragged: drag.hasDragged,
    ...(index > 0 && { moveBack: () => put(index, index - 1) }),
    ...(index < entries.length - 1 && { moveOn: () => put(index, index + 1) }),
  });

  return (
    <>
      <ul ref={list} className={albumList}>
        {entries.map((_, index) => {
          const entry = entries[shownAt(index, move)];
          return entry && <AlbumCard key={entry.album.id} {...entry} ordering={orderingOf(index)} />;
        })}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

export const albumList = "grid grid-cols-[repeat(auto-fill,minmax(min(14rem,44%),1fr))] gap-x-4 gap-y-5 max-md:gap-x-3";
