import { queryOptions, useQueries } from "@tanstack/react-query";
import type { AlbumWithPhotos, Photo } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { say } from "../lib/toasts.ts";

const pageSize = 100;

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

/** Of a photo that is loaded, or -1. */
export function positionOf(id: number, photoID: number): number {
  for (const [page, photos] of readPages(id)) {
    const index = photos.findIndex((photo) => photo.id === photoID);
    if (index >= 0) return page * pageSize + index;
  }
  return -1;
}

/** Moves one photo, at once on the screen. If the server refuses, it goes back, and the person is told. */
export async function movePhoto(album: AlbumWithPhotos, from: number, to: number): Promise<void> {
  const { id, photoCount } = album;
  await queries.cancelQueries({ queryKey: ["albums", id, "photos"] });
  const before = readPages(id);
  const order: (Photo | undefined)[] = Array.from({ length: photoCount }, (_, index) => photoAt(before, index));
  const [photo] = order.splice(from, 1);
  if (!photo) return;
  order.splice(to, 0, photo);
  writePages(id, order);
  try {
    await sendMove(id, photo.id, to);
  } catch (error) {
    for (const [page, photos] of before) queries.setQueryData(pageQuery(id, page).queryKey, photos);
    say({ text: explain(error), isFailure: true, retry: () => void movePhoto(album, from, to) });
  }
}

async function sendMove(id: number, photoID: number, to: number): Promise<void> {
  const photos = await Array.fromAsync(api.listAlbumPhotos.all({ id }));
  const ids = photos.map((photo) => photo.id).filter((other) => other !== photoID);
  await api.setAlbumPhotos({ id, photoIDs: ids.toSpliced(to, 0, photoID) });
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
