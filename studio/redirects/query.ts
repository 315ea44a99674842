import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";

/** Newest first; with `q`, those whose old address contains it. */
export function useRedirects(q: string) {
  const query = useInfiniteQuery({
    queryKey: ["redirects", q],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listRedirects({ cursor, pageSize: 100, ...(q && { q }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next?.cursor ?? null,
    placeholderData: (before) => before,
  });
  const redirects = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return { ...query, data: query.data && redirects };
}

export const reloadRedirects = () => queries.invalidateQueries({ queryKey: ["redirects"] });
