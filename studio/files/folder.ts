import { infiniteQueryOptions, type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { File } from "../../client/src/index.ts";
import { api, isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { changeItems, queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { nameKey, nameOf, parentOf } from "./paths.ts";
import { isServerOrder, type Order, sortEntries } from "./order.ts";

type Page = Awaited<ReturnType<typeof api.listDirectory>>;

/** The first page is small, so that something is shown soon. */
const [firstPage, laterPages] = [200, 1000];

/** The entries of a directory, page by page: directories first, then by name. */
export const entriesQuery = (path: string) =>
  infiniteQueryOptions({
    queryKey: ["files", "entries", path],
    queryFn: ({ pageParam, signal }) =>
      api.listDirectory({ path, cursor: pageParam, pageSize: pageParam ? laterPages : firstPage }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next?.cursor,
    // To load a hundred pages again after each change would use up all requests that one may send.
    staleTime: ({ state }) => (isLarge(state.data) ? "static" : 60_000),
  });

type Data = InfiniteData<Page, string>;

const isLarge = (data: { pages: Page[] } | undefined): boolean => (data?.pages.length ?? 0) > 10;

export type Folder = {
  path: string;
  /** Whether it, or one above it, is private: then everything in it is. */
  isPrivate: boolean;
  /** Those that are loaded, in the order of the screen. */
  entries: readonly File[];
  /** Whether all are loaded. */
  isComplete: boolean;
  isLoading: boolean;
  /** Too many are loaded to follow changes: a person has to ask for them. */
  isLarge: boolean;
  isReloading: boolean;
  error: unknown;
  loadMore(): void;
  /** Loads the rest in the background, page by page. */
  loadAll(): void;
  reload(): void;
};

const none: readonly File[] = [];

/** The API sorts by name. For other orders everything is loaded, and sorted as it comes. */
export function useFolder(path: string, order: Order): Folder {
  const { data, error, hasNextPage, isFetching, isPending, isRefetching, fetchNextPage, refetch } = useInfiniteQuery(
    entriesQuery(path),
  );
  const [wantedPath, setWantedPath] = useState<string | null>(null);
  const wantsAll = wantedPath === path || !isServerOrder(order);
  useEffect(() => {
    if (!wantsAll || isPending) return;
    const ending = new AbortController();
    void loadRest(path, ending.signal);
    return () => ending.abort();
  }, [wantsAll, isPending, path]);

  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? none, [data]);
  const entries = useMemo(() => sortEntries(loaded, order), [loaded, order]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !wantsAll) void fetchNextPage();
  }, [hasNextPage, isFetching, wantsAll, fetchNextPage]);
  const isPrivate = useIsPrivate(path);
  // Few directories have more than two pages, so nearly always it is soon known how many entries there are.
  useEffect(() => {
    if (data?.pages.length === 1) loadMore();
  }, [data?.pages.length, loadMore]);
  return {
    path,
    isPrivate,
    entries,
    isComplete: data !== undefined && !hasNextPage,
    isLoading: isPending,
    isLarge: isLarge(data),
    isReloading: isRefetching,
    error,
    loadMore,
    loadAll: useCallback(() => setWantedPath(path), [path]),
    reload: () => void refetch(),
  };
}

export const useIsPrivate = (path: string): boolean =>
  useQuery({
    queryKey: ["files", "private", path],
    queryFn: ({ signal }) => isPrivateFolder(path, signal),
    enabled: path !== "/",
  }).data ?? false;

/** Whether the directory, or one above it, is private. */
export async function isPrivateFolder(path: string, signal?: AbortSignal): Promise<boolean> {
  for (let above = path; above !== "/"; above = parentOf(above)) {
    // The tree beside the list asks for the same entries. What is not there is not private.
    await queries.fetchInfiniteQuery(entriesQuery(parentOf(above))).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
    if ((await findAt(above, signal))?.visibility === "private") return true;
  }
  return false;
}

/** How long pages are collected before they are shown: to show each of a hundred pages takes longer than to load it. */
const collected = 600;

/** Loads the pages that are missing, several between two times that the screen is drawn. */
async function loadRest(path: string, signal: AbortSignal): Promise<void> {
  const { queryKey } = entriesQuery(path);
  try {
    for (;;) {
      const data = queries.getQueryData(queryKey);
      let cursor = data?.pages.at(-1)?.next?.cursor;
      if (!data || !cursor) return;
      const added: Page[] = [];
      const cursors: string[] = [];
      for (const begin = performance.now(); cursor && performance.now() - begin < collected;) {
        const page: Page = await api.listDirectory({ path, cursor, pageSize: laterPages }, { signal });
        added.push(page);
        cursors.push(cursor);
        cursor = page.next?.cursor;
      }
      // If the list has changed since then, it continues from its new end.
      queries.setQueryData(queryKey, (current) =>
        current === data
          ? { pages: [...current.pages, ...added], pageParams: [...current.pageParams, ...cursors] }
          : current,
      );
    }
  } catch (error) {
    if (signal.aborted) return;
    showToast({ text: explain(error), isFailure: true, retry: () => void loadRest(path, signal) });
  }
}

/** Changes what is shown of a directory before the server has done it. */
export const showEntries = (path: string, change: (entries: File[]) => File[]): void =>
  changeItems(entriesQuery(path).queryKey, change);

/** Shows a new entry first, where the list is not loaded again automatically. */
export function showFirst(entry: File): void {
  const { queryKey } = entriesQuery(entry.path);
  queries.setQueryData(queryKey, (data) => {
    const [first, ...others] = data?.pages ?? [];
    if (!data || !first || data.pages.some(({ items }) => items.some(({ id }) => id === entry.id))) return data;
    return { ...data, pages: [{ ...first, items: [entry, ...first.items] }, ...others] };
  });
}

export const hideEntries = (path: string, ids: ReadonlySet<number>): void =>
  showEntries(path, (entries) => entries.filter(({ id }) => !ids.has(id)));

export const reloadFiles = (): Promise<void> => queries.invalidateQueries({ queryKey: ["files"] });

/**
 * The record of the file or directory at a path; null if there is none. The API returns the entries of a directory for its
 * path, so a directory is found in the one above it, where directories come first.
 */
export async function findAt(path: string, signal?: AbortSignal): Promise<File | null> {
  if (path === "/") return null;
  const shown = queries.getQueryData<Data>(entriesQuery(parentOf(path)).queryKey);
  const isIt = ({ name }: File) => nameKey(name) === nameKey(nameOf(path));
  const known = shown?.pages.flatMap(({ items }) => items).find(isIt);
  if (known) return known;
  try {
    for await (const entry of api.listDirectory.all({ path: parentOf(path), pageSize: 1000 }, signal && { signal })) {
      if (isIt(entry)) return entry;
    }
    return null;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}
