import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

type Page<Item> = { items: Item[]; next: { cursor?: string | undefined } | null };
type List<Item> = (cursor: string, signal: AbortSignal) => Promise<Page<Item>>;
/** `keepsBefore`: while a search changes, what was found before stays. */
type Options = { isEnabled?: boolean; keepsBefore?: boolean; refetchInterval?: number };

/** A list that is loaded page by page. `data` has the items of all pages that are loaded. */
export function useListed<Item>(queryKey: QueryKey, list: List<Item>, options: Options = {}) {
  const { isEnabled = true, keepsBefore = false, refetchInterval = false } = options;
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => list(pageParam, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next?.cursor,
    enabled: isEnabled,
    refetchInterval,
    placeholderData: (before) => (keepsBefore ? before : undefined),
  });
  const data = useMemo(() => query.data?.pages.flatMap(({ items }) => items), [query.data]);
  return { ...query, data };
}
