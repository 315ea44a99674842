import { z } from "zod";
import { byID, type KeysetRequest, type Order, type Position, type Sort } from "../../platform/database/keyset.ts";
import type { Slices } from "../../platform/database/slices.ts";
import { decodeCursor, encodeCursor } from "../../platform/http/cursor.ts";

/** The parameter of a page with a list that goes on. */
export const cursorQuery = z.object({ cursor: z.string().max(4096).optional() });

export type PageList = { name: string; sort: Sort; order: Order; size: number };

/** What a finder reads for this page. `name` is that of the list and its filters. */
export function listRequest({ name, sort, order, size }: PageList, cursor: string | undefined): KeysetRequest {
  return { sort, order, size, after: cursor ? decodeCursor(cursor, name, sort) : null };
}

/** The first records of a list, newest first. */
export const newest = (size: number, sort: Sort = byID): KeysetRequest => ({ sort, order: "desc", after: null, size });

/** The query of the link to the next page, such as `?cursor=…`; null if there is none. */
export function nextPage({ name }: PageList, next: Position | null, query: Record<string, string> = {}): string | null {
  return next && `?${new URLSearchParams({ ...query, cursor: encodeCursor(name, next) }).toString()}`;
}

/** A page of a list is short enough to be read as a whole. */
export async function readAll<Item>(items: Slices<Item>): Promise<Item[]> {
  return (await Array.fromAsync(items)).flat();
}
