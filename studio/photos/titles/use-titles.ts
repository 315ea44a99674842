import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { api } from "../../lib/api.ts";
import { explain } from "../../lib/explain.ts";
import { showToast } from "../../lib/toasts.ts";
import { showSaved } from "../photo-queries.ts";
import { titlesTexts as t } from "./texts.ts";

type Fields = { title: string; altText: string };

/** How many photos before the last loaded one more are loaded. */
const ahead = 10;

/**
 * The photos without titles, one after another. The list stays as it was loaded: a photo that has got a title can still be gone
 * back to. What was typed is kept for each of them.
 */
export function useTitles() {
  const query = useInfiniteQuery({
    // No kind of record: events do not load it again.
    queryKey: ["untitled"],
    queryFn: ({ pageParam, signal }) =>
      api.listPhotos({ owner: "me", untitled: "true", sort: "takenAt", cursor: pageParam, pageSize: 50 }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next?.cursor ?? null,
    staleTime: Infinity,
    gcTime: 0,
  });
  const photos = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const [index, setIndex] = useState(0);
  const [typed, setTyped] = useState<ReadonlyMap<number, Fields>>(new Map());
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && index + ahead >= photos.length) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage, index, photos.length]);

  const photo = photos[index] ?? null;
  const fields = (photo && typed.get(photo.id)) ?? { title: "", altText: photo?.altText ?? "" };

  function save(saved: Photo): void {
    const title = fields.title.trim();
    const changes = {
      ...(title !== "" && { title }),
      ...(fields.altText !== saved.altText && { altText: fields.altText }),
    };
    if (Object.keys(changes).length > 0) void send(saved, changes);
  }

  return {
    query,
    photo,
    following: photos[index + 1] ?? null,
    fields,
    hasAny: photos.length > 0,
    isLoadingMore: photo === null && hasNextPage,
    canGoBack: index > 0,
    change: (changed: Partial<Fields>) => photo && setTyped(new Map(typed).set(photo.id, { ...fields, ...changed })),
    goBack: () => setIndex(Math.max(0, index - 1)),
    skip: () => setIndex(index + 1),
    saveAndGoOn() {
      if (photo) save(photo);
      setIndex(index + 1);
    },
    async startAgain() {
      setTyped(new Map());
      setIndex(0);
      await query.refetch();
    },
  };
}

/** In the background, so that the next title can be written at once. */
async function send(photo: Photo, changes: Partial<Fields>): Promise<void> {
  try {
    showSaved(await api.changePhoto({ id: photo.id, ...changes }));
  } catch (error) {
    const text = t.failed(changes.title ?? photo.title, explain(error));
    showToast({ text, isFailure: true, retry: () => void send(photo, changes) });
  }
}
