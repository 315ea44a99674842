import { queryOptions } from "@tanstack/react-query";
import type { InfiniteData } from "@tanstack/react-query";
import type { Photo } from "../../client/src/index.ts";
import type { PhotoPage } from "../grid/sections.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { patchPhotos } from "./change-many.ts";

/** One photo, with its ETag. */
export const photoQuery = (id: number) =>
  queryOptions({
    queryKey: ["photos", "one", id],
    queryFn: ({ signal }) => api.readPhoto({ id }, { signal }),
    placeholderData: () => findShown(id),
  });

/** The photo as a list had it, to be shown until it was read. */
function findShown(id: number): Photo | undefined {
  const strips = queries.getQueriesData<InfiniteData<Photo[]>>({ queryKey: ["photos", "strip"] });
  const sections = queries.getQueriesData<InfiniteData<PhotoPage>>({ queryKey: ["photos", "section"] });
  const lists = [
    ...strips.flatMap(([, data]) => data?.pages ?? []),
    ...sections.flatMap(([, data]) => data?.pages.map(({ items }) => items) ?? []),
  ];
  for (const list of lists) {
    const found = list.find((photo) => photo.id === id);
    if (found) return found;
  }
  return undefined;
}

/** Shows a photo as it was saved, wherever it is shown. */
export function showSaved(photo: Photo): void {
  queries.setQueryData(photoQuery(photo.id).queryKey, photo);
  patchPhotos(new Set([photo.id]), () => photo);
  patchStrips(photo.id, photo);
}

/** Takes a photo that was deleted out of what is shown; null instead of a photo. */
export function patchStrips(id: number, photo: Photo | null): void {
  queries.setQueriesData<InfiniteData<Photo[]>>(
    { queryKey: ["photos", "strip"] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => page.flatMap((one) => (one.id === id ? (photo ?? []) : one))),
      },
  );
}
