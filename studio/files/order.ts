import type { File } from "../../client/src/index.ts";
import { language } from "../lib/language.ts";
import { describeKind } from "./kinds.tsx";

export type Column = "name" | "updatedAt" | "type" | "size";
export type Order = { by: Column; isDescending: boolean };

export const byName: Order = { by: "name", isDescending: false };

/** Whether it is the order in which the API lists entries. */
export const isServerOrder = ({ by, isDescending }: Order): boolean => by === "name" && !isDescending;

const { compare } = new Intl.Collator(language, { numeric: true });

const comparisons: Record<Column, (one: File, other: File) => number> = {
  name: (one, other) => compare(one.name, other.name),
  updatedAt: (one, other) => (one.updatedAt < other.updatedAt ? -1 : Number(one.updatedAt > other.updatedAt)),
  type: (one, other) => compare(describeKind(one), describeKind(other)) || compare(one.name, other.name),
  size: (one, other) => one.size - other.size,
};

/** Directories stay first. */
export function sortEntries(entries: readonly File[], order: Order): readonly File[] {
  if (isServerOrder(order)) return entries;
  const sign = order.isDescending ? -1 : 1;
  const comparison = comparisons[order.by];
  return entries.toSorted(
    (one, other) => Number(other.isDirectory) - Number(one.isDirectory) || sign * comparison(one, other),
  );
}
