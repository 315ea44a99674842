import { setImmediate } from "node:timers/promises";

/** The items of a list, some at a time, so that a long list is never entirely in memory. */
export type Slices<Item> = AsyncIterable<Item[]>;

/**
 * Reads a list slice by slice, at most `most` rows in total. `read` gets the last row before the slice (null for the
 * first slice) and the number of rows it may return. Other requests run between two slices.
 */
export async function* readSlices<Row>(
  read: (last: Row | null, size: number) => Promise<Row[]>,
  { size, most = Number.MAX_SAFE_INTEGER }: { size: number; most?: number },
): AsyncGenerator<Row[]> {
  let last: Row | null = null;
  let left = most;
  while (left > 0) {
    if (last) await setImmediate();
    const wanted = Math.min(size, left);
    const rows: Row[] = await read(last, wanted);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) return;
    last = rows.at(-1) ?? null;
    left -= rows.length;
  }
}

export async function* mapSlices<Item, Other>(
  slices: Slices<Item>,
  change: (items: Item[]) => Other[] | Promise<Other[]>,
): AsyncGenerator<Other[]> {
  for await (const items of slices) yield await change(items);
}
