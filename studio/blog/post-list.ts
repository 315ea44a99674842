import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Post } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { readOrKept } from "../lib/connection.ts";
import { useMe } from "../lib/me.ts";
import { type Status, statusOf } from "./draft.ts";
import { keepPosts, listKeptPosts } from "./kept-posts.ts";

export type Tab = "all" | Status | "page";

/** Of one page, so that posts which were opened stay. */
const maxKept = 10;

type Page = { items: Post[]; next: string | null };

/** One's own posts, for admins all posts, newest first. With words, those that are found by them. */
export function usePosts(tab: Tab, words: string) {
  const { id, role } = useMe();
  const isAdmin = role === "admin";
  const query = useInfiniteQuery({
    queryKey: ["posts", "list", tab, words],
    queryFn: ({ pageParam: cursor, signal }) => (words ? find(cursor, signal) : list(cursor, signal)),
    refetchOnReconnect: "always",
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    // While a person types, what was found before stays.
    placeholderData: (before, query) => (query?.queryKey[2] === tab ? before : undefined),
  });
  const posts = useMemo(() => {
    const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
    // A post that was added while pages were read is in two of them.
    return [...new Map(all.map((post) => [post.id, post])).values()];
  }, [query.data]);
  return { ...query, data: query.data && posts };

  async function list(cursor: string, signal: AbortSignal): Promise<Page> {
    const whose = isAdmin ? { visibility: "all" as const } : { owner: "me" };
    const status = tab === "all" ? {} : tab === "page" ? { kind: tab } : { status: tab };
    return readOrKept(
      async (options) => {
        const query = { ...whose, ...status, cursor, pageSize: 50 };
        const { items, next } = await api.listPosts(query, { signal, ...options });
        keepPosts(items.filter((post) => post.ownerID === id && statusOf(post) === "draft").slice(0, maxKept));
        return { items, next: next?.cursor ?? null };
      },
      () => {
        const items = listKeptPosts().filter(isInTab);
        return items.length > 0 && cursor === "" ? { items, next: null } : null;
      },
    );
  }

  /** Pages have their own tab. */
  function isInTab(post: Post): boolean {
    if (tab === "page") return post.kind === "page";
    return post.kind !== "page" && (tab === "all" || statusOf(post) === tab);
  }

  async function find(cursor: string, signal: AbortSignal): Promise<Page> {
    const { items, next } = await api.search({ q: words, kind: "post", cursor, pageSize: 50 }, { signal });
    const found = items.map(({ record }) => record as Post);
    const isWanted = (post: Post) => (isAdmin || post.ownerID === id) && isInTab(post);
    return { items: found.filter(isWanted), next: next?.cursor ?? null };
  }
}
