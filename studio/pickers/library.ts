import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Photo } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";

type Filter = { words: string; month: string };

/** One's own photos, newest first, page by page. With words, the photos that are found by them, including those of others. */
export function useLibrary({ words, month }: Filter) {
  const query = useInfiniteQuery({
    queryKey: ["photos", "library", words, month],
    queryFn: ({ pageParam, signal }) => (words ? find(words, pageParam, signal) : list(month, pageParam, signal)),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
  const photos = useMemo(() => flattenPages(query.data), [query.data]);
  return { ...query, data: query.data && photos };
}

type Page = { items: Photo[]; next: string | null };

async function list(month: string, cursor: string, signal: AbortSignal): Promise<Page> {
  const { items, next } = await api.listPhotos(
    { owner: "me", sort: "takenAt", pageSize: 100, cursor, ...(month && spanOf(month)) },
    { signal },
  );
  return { items, next: next?.cursor ?? null };
}

async function find(words: string, cursor: string, signal: AbortSignal): Promise<Page> {
  const { items, next } = await api.search({ q: words, kind: "photo", pageSize: 100, cursor }, { signal });
  return { items: items.map(({ record }) => record as Photo), next: next?.cursor ?? null };
}

/** The first day of a month such as `2026-11`, and of the next one. */
function spanOf(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10) };
}

/** A photo that was added while pages were read is in two of them. */
function flattenPages(data: InfiniteData<Page> | undefined): Photo[] {
  const byID = new Map(data?.pages.flatMap(({ items }) => items.map((photo) => [photo.id, photo])));
  return [...byID.values()];
}

export const useMonths = () =>
  useQuery({
    queryKey: ["timeline", "months"],
    queryFn: async ({ signal }) => (await api.readTimeline({ owner: "me" }, { signal })).items,
  });
