import { queryOptions } from "@tanstack/react-query";
import type { Subscriber } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { useListed } from "../lib/listed.ts";
import { queries } from "../lib/queries.ts";

export const newsletterQuery = queryOptions({
  queryKey: ["newsletter", "state"],
  queryFn: ({ signal }) => api.readNewsletter({}, { signal }),
});

/** The posts that were sent last. While one is being sent, the numbers change. */
export const sentPostsQuery = queryOptions({
  queryKey: ["newsletter", "posts"],
  queryFn: ({ signal }) => api.listNewsletterPosts({ pageSize: 10, cursor: "" }, { signal }),
  refetchInterval: ({ state }) => (state.data?.items.some((post) => post.state === "sending") ? 2000 : false),
});

export const issueQuery = (postID: number) =>
  queryOptions({
    queryKey: ["newsletter", "posts", postID],
    queryFn: ({ signal }) => api.readNewsletterPost({ id: postID }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "sending" ? 2000 : false),
  });

export type Filter = Subscriber["state"] | "all";

export const useSubscribers = (state: Filter, q: string) =>
  useListed(
    ["newsletter", "subscribers", state, q],
    (cursor, signal) =>
      api.listSubscribers({ cursor, pageSize: 100, ...(q && { q }), ...(state !== "all" && { state }) }, { signal }),
    { keepsBefore: true },
  );

export const reloadNewsletter = () => queries.invalidateQueries({ queryKey: ["newsletter"] });
