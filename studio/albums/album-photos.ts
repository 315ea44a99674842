import { queryOptions, useQueries } from "@tanstack/react-query";
import type { AlbumWithPhotos, Photo } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";

const pageSize = 100;

export const albumHeartsQuery = (id: number) =>
  queryOptions({
    queryKey: ["albums", "hearts", id],
    queryFn: ({ signal }) => api.readAlbumHeart({ id }, { signal }),
  });

export const albumQuery = (id: number) =>
  queryOptions({
    queryKey: ["albums", id, "record"],
    queryFn: ({ signal }) => api.readAlbum({ id, page: 1, pageSize: 1 }, { signal }),
  });

const pageQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ["albums", id, "photos", page],
    queryFn: async ({ signal }) => (await api.readAlbum({ id, page: page + 1, pageSize }, { signal })).photos,
  });

/** The photos of an album from one position to another. Only the pages that are shown are loaded. */
export function useAlbumPhotos(id: number, from: number, to: number): (index: number) => Photo | undefined {
  const first = Math.floor(Math.max(0, from) / pageSize);
  const last = Math.floor(Math.max(0, to) / pageSize);
  const pages = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, offset) => pageQuery(id, first + offset)),
  });
  return (index) => pages[Math.floor(index / pageSize) - first]?.data?.[index % pageSize];
}

/** The photos that are loaded, in their order. */
export const loadedIDs = (id: number): number[] =>
  [...readPages(id)].toSorted(([one], [other]) => one - other).flatMap(([, photos]) => photos.map((photo) => photo.id));

/** The photo at a position, which is loaded if it is not known. */
export async function photoIn(id: number, position: number): Promise<Photo> {
  const photos = await queries.ensureQueryData(pageQuery(id, Math.floor(position / pageSize)));
  const photo = photos[position % pageSize];
  if (!photo) throw new Error("The album has changed.");
  return photo;
}

/** The index of a photo that is loaded, or -1. */
export function positionOf(id: number, photoID: number): number {
  for (const [page, photos] of readPages(id)) {
    const index = photos.findIndex((photo) => photo.id === photoID);
    if (index >= 0) return page * pageSize + index;
  }
  return -1;
}

/** The photo at a position, or undefined if it is not loaded. */
export type Order = (Photo | undefined)[];

export function readOrder({ id, photoCount }: AlbumWithPhotos): Order {
  const pages = readPages(id);
  return Array.from({ length: photoCount }, (_, index) => photoAt(pages, index));
}

/**
 * Shows another order at once, and then sends the change. If the server refuses, the photos go back, and the person is
 * told.
 */
export async function reorder(album: AlbumWithPhotos, order: Order, send: () => Promise<unknown>): Promise<void> {
  const { id } = album;
  const recordKey = albumQuery(id).queryKey;
  await queries.cancelQueries({ queryKey: ["albums", id] });
  const before = readPages(id);
  queries.setQueryData(recordKey, { ...album, photoCount: order.length });
  writePages(id, order);
  try {
    await send();
  } catch (error) {
    for (const [page, photos] of before) queries.setQueryData(pageQuery(id, page).queryKey, photos);
    queries.setQueryData(recordKey, album);
    showToast({ text: explain(error), isFailure: true, retry: () => void reorder(album, order, send) });
  }
}

type Pages = Map<number, Photo[]>;

const readPages = (id: number): Pages =>
  new Map(
    queries
      .getQueriesData<Photo[]>({ queryKey: ["albums", id, "photos"] })
      .flatMap(([key, photos]) => (photos ? [[key[3] as number, photos]] : [])),
  );

const photoAt = (pages: Pages, index: number): Photo | undefined =>
  pages.get(Math.floor(index / pageSize))?.[index % pageSize];

/** A page with photos that are not known, because they were moved there from a page that is not loaded, is loaded again. */
function writePages(id: number, order: readonly (Photo | undefined)[]): void {
  for (const page of readPages(id).keys()) {
    const photos = order.slice(page * pageSize, (page + 1) * pageSize);
    const { queryKey } = pageQuery(id, page);
    if (photos.every((photo) => photo !== undefined)) queries.setQueryData(queryKey, photos);
    else void queries.invalidateQueries({ queryKey });
  }
}
