import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { loadSection } from "../../grid/sections.ts";
import { api } from "../../lib/api.ts";
import { type Filters, toQuery } from "../filters.ts";
import { foundSection, sourceOf, undatedSection } from "../library.ts";

type Direction = "newer" | "older";
type PageParam = { direction: Direction; than: Photo } | { only: Photo };

const pageSize = 30;
/** How many photos before the end of the known ones more are loaded. */
const ahead = 4;

/** The photos around one, in the order of the grid. They are loaded as one moves on. */
export function useStrip(filters: Filters, photo: Photo) {
  const [start, setStart] = useState(photo);
  const key = JSON.stringify(filters);
  const { data, hasNextPage, hasPreviousPage, isFetching, fetchNextPage, fetchPreviousPage } = useInfiniteQuery({
    queryKey: ["photos", "strip", key, start.id],
    queryFn: ({ pageParam, signal }) => loadPage(filters, pageParam, signal),
    initialPageParam: only(start),
    getNextPageParam: (last, _, wanted) => after(last, wanted),
    getPreviousPageParam: (first): PageParam | undefined => first[0] && { direction: "newer", than: first[0] },
    // Events report every change; the photos around this one need not all be loaded again.
    refetchOnMount: false,
  });
  const photos = data?.pages.flat() ?? [start];
  const index = photos.findIndex(({ id }) => id === photo.id);
  useEffect(() => {
    if (index < 0) setStart(photo);
    else if (isFetching) return;
    else if (hasNextPage && index >= photos.length - ahead) void fetchNextPage();
    else if (hasPreviousPage && index < ahead) void fetchPreviousPage();
  });
  return { previous: photos[index - 1] ?? null, next: index < 0 ? null : (photos[index + 1] ?? null) };
}

const only = (photo: Photo): PageParam => ({ only: photo });

/** What comes after a page. When all is loaded again, the first page may be the empty one before the newest photo. */
function after(page: readonly Photo[], wanted: PageParam): PageParam | undefined {
  const last = page.at(-1);
  if (last) return { direction: "older", than: last };
  return "than" in wanted && wanted.direction === "newer" ? only(wanted.than) : undefined;
}

async function loadPage(filters: Filters, wanted: PageParam, signal: AbortSignal): Promise<Photo[]> {
  if ("only" in wanted) return [wanted.only];
  const { direction, than } = wanted;
  const beyond = await (filters.q || than.takenAt === null
    ? readListed(filters, direction, than, signal)
    : readDated(filters, direction, { ...than, takenAt: than.takenAt }, signal));
  return direction === "newer" ? beyond.toReversed() : beyond;
}

/** Results of a search and photos without a date have no key from which they could be read: the whole list is short. */
async function readListed(filters: Filters, direction: Direction, than: Photo, signal: AbortSignal): Promise<Photo[]> {
  const all = await loadSection(sourceOf(filters, []), filters.q ? foundSection(filters.q) : undatedSection, signal);
  const index = all.findIndex(({ id }) => id === than.id);
  if (direction === "older") return all.slice(index + 1, index + 1 + pageSize);
  if (index > 0) return all.slice(Math.max(0, index - pageSize), index).toReversed();
  if (filters.q || index < 0) return [];
  const query = { ...toQuery(filters), dated: "true", sort: "takenAt", order: "asc", pageSize } as const;
  return (await api.listPhotos(query, { signal })).items;
}

async function readDated(
  filters: Filters,
  direction: Direction,
  { takenAt, id }: { takenAt: string; id: number },
  signal: AbortSignal,
): Promise<Photo[]> {
  const query = { ...toQuery(filters), sort: "takenAt", pageSize } as const;
  const isOlder = direction === "older";
  const justAfter = new Date(Date.parse(takenAt) + 1).toISOString();
  const span = isOlder ? ({ to: justAfter, order: "desc" } as const) : ({ from: takenAt, order: "asc" } as const);
  // Photos of the same moment come first: they are ordered by id.
  const isBeyond = (photo: Photo) => photo.takenAt !== takenAt || (isOlder ? photo.id < id : photo.id > id);
  let page = await api.listPhotos({ ...query, ...span, cursor: "" }, { signal });
  let found = page.items.filter(isBeyond);
  while (found.length === 0 && page.next) {
    page = await api.listPhotos(page.next, { signal });
    found = page.items.filter(isBeyond);
  }
  if (found.length > 0 || !isOlder) return found;
  return (await api.listPhotos({ ...query, dated: "false", cursor: "" }, { signal })).items;
}
