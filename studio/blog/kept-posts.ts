import type { Post } from "../../client/src/index.ts";
import { kept } from "../lib/account.ts";

/**
 * Drafts and posts that were opened on this device, as the server had them last: without a network, they can be opened
 * and written on. The first were kept last.
 */
export const keptPostsName = "posts";
const maxPosts = 20;
const maxLength = 1_000_000;

export function listKeptPosts(): Post[] {
  try {
    return JSON.parse(kept.get(keptPostsName) ?? "[]") as Post[];
  } catch {
    return [];
  }
}

export function keepPosts(posts: readonly Post[]): void {
  const ids = new Set(posts.map(({ id }) => id));
  const texts = [...posts, ...listKeptPosts().filter(({ id }) => !ids.has(id))]
    .slice(0, maxPosts)
    .map((post) => JSON.stringify({ ...post, html: "" }));
  let length = 0;
  const fitting = texts.filter((text) => (length += text.length) <= maxLength);
  kept.set(keptPostsName, `[${fitting.join(",")}]`);
}
