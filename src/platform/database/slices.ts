import { nextTurn } from "../event-loop.ts";

/** A list of more is read in turns with others from the beginning: many requests for it do not make others wait for all of them. */
export const ordinaryPage = 100;

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
    if (last || most > ordinaryPage) await nextTurn();
    const wanted = Math.min(size, left);
    const rows: Row[] = await read(last, wanted);
    left = rows.length < wanted ? 0 : left - rows.length;
    last = rows.at(-1) ?? null;
    // What is used after it stays in memory until the next slice is read.
    if (last) yield rows;
  }
}

export async function* mapSlices<Item, Other>(
  slices: Slices<Item>,
  change: (items: Item[]) => Other[] | Promise<Other[]>,
): AsyncGenerator<Other[]> {
  for await (const items of slices) yield await change(items);
}
