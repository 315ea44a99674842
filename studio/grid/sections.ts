import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import type { Photo } from "../../client/src/index.ts";
import { queries } from "../lib/queries.ts";

/** A part of a grid with a heading, such as a month. `count` is null if it is known only when everything is loaded. */
export type Section = { key: string; label: string; count: number | null };

export type PhotoPage = { items: Photo[]; next: unknown };

/** What a grid shows. Two sources with the same key have the same photos. */
export type Source = {
  key: string;
  sections: readonly Section[];
  /** `next` is null for the first page, and then the `next` of the page before. */
  loadPage(section: Section, next: unknown, options: { pageSize: number; signal: AbortSignal }): Promise<PhotoPage>;
};

const pageSize = 200;
const largestPage = 1000;

export const sectionQuery = (source: Source, section: Section) =>
  infiniteQueryOptions<PhotoPage, Error, InfiniteData<PhotoPage>>({
    queryKey: ["photos", "section", source.key, section.key],
    queryFn: ({ pageParam, signal }) => source.loadPage(section, pageParam, { pageSize, signal }),
    initialPageParam: null,
    getNextPageParam: (last) => last.next ?? undefined,
    // So that a walk through a large library does not keep all of it.
    gcTime: 120_000,
  });

/** All photos of a section, for example to select them. */
export async function loadSection(source: Source, section: Section, signal: AbortSignal): Promise<Photo[]> {
  const shown = queries.getQueryData(sectionQuery(source, section).queryKey);
  const last = shown?.pages.at(-1);
  const photos = shown?.pages.flatMap(({ items }) => items) ?? [];
  if (last && last.next == null) return photos;
  let next: unknown = last?.next ?? null;
  do {
    const page = await source.loadPage(section, next, { pageSize: largestPage, signal });
    photos.push(...page.items);
    next = page.next;
  } while (next != null);
  return photos;
}
