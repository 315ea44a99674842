import type { Photo } from "../../client/src/index.ts";
import type { Layout, Row } from "./justify.ts";
import type { Measured } from "./use-heights.ts";

export type Direction = "left" | "right" | "up" | "down" | "first" | "last";
type Known = { photos: readonly Photo[]; layout: Layout };

/** Where a photo is among the sections that are known. */
export function locate(measured: Map<string, Measured>, id: number): { key: string; index: number } | null {
  for (const [key, { photos }] of measured) {
    const index = photos.findIndex((photo) => photo.id === id);
    if (index >= 0) return { key, index };
  }
  return null;
}

/** The photo that an arrow key leads to, or null if it is not known yet. `keys` are those of the sections, in order. */
export function findNext(
  keys: readonly string[],
  measured: Map<string, Measured>,
  id: number,
  direction: Direction,
): Photo | null {
  const from = locate(measured, id);
  const here = from && measured.get(from.key);
  if (!from || !here) return null;
  if (direction === "first") return here.photos[0] ?? null;
  if (direction === "last") return here.photos[here.layout.boxes.length - 1] ?? null;
  const step = direction === "left" || direction === "up" ? -1 : 1;
  const neighbour = measured.get(keys[keys.indexOf(from.key) + step] ?? "");
  if (direction === "left" || direction === "right") {
    const next = here.photos[from.index + step];
    return next ?? (step < 0 ? neighbour?.photos.at(-1) : neighbour?.photos[0]) ?? null;
  }
  const row = here.layout.rows.findIndex(({ start, end }) => from.index >= start && from.index < end);
  const box = here.layout.boxes[from.index];
  const middle = box ? box.left + box.width / 2 : 0;
  const target = here.layout.rows[row + step];
  if (target) return nearest(here, target, middle);
  const edge = step < 0 ? neighbour?.layout.rows.at(-1) : neighbour?.layout.rows[0];
  return neighbour && edge ? nearest(neighbour, edge, middle) : null;
}

function nearest({ photos, layout }: Known, { start, end }: Row, middle: number): Photo | null {
  let found = start;
  for (let index = start; index < end; index++) {
    const distance = (at: number) => {
      const box = layout.boxes[at];
      return box ? Math.abs(box.left + box.width / 2 - middle) : Infinity;
    };
    if (distance(index) < distance(found)) found = index;
  }
  return photos[found] ?? null;
}
