import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { QueuedComment } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";

export const statuses = ["waiting", "visible", "hidden"] as const;
export type Status = (typeof statuses)[number];

/** Those on one's own posts, for admins on all posts. */
export function useComments(status: Status) {
  const query = useInfiniteQuery({
    queryKey: ["comments", "queue", status],
    queryFn: ({ pageParam: cursor, signal }) => api.listCommentQueue({ status, cursor, pageSize: 50 }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next?.cursor,
  });
  const comments = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return { ...query, data: query.data && comments };
}

/** A comment that was found by a search, with its post. */
export function useComment(id: number | null) {
  return useQuery({
    queryKey: ["comments", "one", id],
    enabled: id !== null,
    async queryFn({ signal }): Promise<QueuedComment> {
      const comment = await api.readComment({ id: id ?? 0 }, { signal });
      const { title, slug, kind } = await api.readPost({ id: comment.blogPostID }, { signal });
      return { ...comment, post: { id: comment.blogPostID, title, slug, kind } };
    },
  });
}
