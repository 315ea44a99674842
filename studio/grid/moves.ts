import type { Photo } from "../../client/src/index.ts";
import type { Layout, Row } from "./justify.ts";
import type { Places } from "./places.ts";
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

type Grid = { keys: readonly string[]; measured: Map<string, Measured>; places: Places };

/** The photo that an arrow key leads to, or null if it is not known yet. `keys` are those of the sections, in order. */
export function findNext({ keys, measured, places }: Grid, id: number, direction: Direction): Photo | null {
  const from = locate(measured, id);
  const here = from && measured.get(from.key);
  if (!from || !here) return null;
  if (direction === "first") return here.photos[0] ?? null;
  if (direction === "last") return here.photos[here.layout.boxes.length - 1] ?? null;
  const step = direction === "left" || direction === "up" ? -1 : 1;
  if (direction === "left" || direction === "right") {
    const neighbour = measured.get(keys[keys.indexOf(from.key) + step] ?? "");
    const next = here.photos[from.index + step];
    return next ?? (step < 0 ? neighbour?.photos.at(-1) : neighbour?.photos[0]) ?? null;
  }
  const place = places.get(from.key);
  const row = here.layout.rows.findIndex(({ start, end }) => from.index >= start && from.index < end);
  const box = here.layout.boxes[from.index];
  const middle = (place?.left ?? 0) + (box ? box.left + box.width / 2 : 0);
  const target = here.layout.rows[row + step];
  if (target) return nearest([{ ...here, left: place?.left ?? 0, row: target }], middle);
  return nearest(rowsBeside({ keys, measured, places }, from.key, step), middle);
}

type PlacedRow = Known & { left: number; row: Row };

/** The rows of the sections above or below this one: several if they share a row. */
function rowsBeside({ keys, measured, places }: Grid, key: string, step: 1 | -1): PlacedRow[] {
  const topOf = (one: string | undefined) => places.get(one ?? "")?.top;
  const here = topOf(key);
  const ordered = step > 0 ? keys.slice(keys.indexOf(key)) : keys.slice(0, keys.indexOf(key)).toReversed();
  const next = topOf(ordered.find((one) => topOf(one) !== here));
  return keys.flatMap((one) => {
    const section = measured.get(one);
    const row = step < 0 ? section?.layout.rows.at(-1) : section?.layout.rows[0];
    const place = places.get(one);
    return section && row && place && next !== undefined && place.top === next
      ? [{ ...section, left: place.left, row }]
      : [];
  });
}

function nearest(rows: readonly PlacedRow[], middle: number): Photo | null {
  let found: Photo | null = null;
  let least = Infinity;
  for (const { photos, layout, left, row } of rows) {
    for (let index = row.start; index < row.end; index++) {
      const box = layout.boxes[index];
      const distance = box ? Math.abs(left + box.left + box.width / 2 - middle) : Infinity;
      if (distance < least) [found, least] = [photos[index] ?? null, distance];
    }
  }
  return found;
}
