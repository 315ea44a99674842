import { z } from "zod";
import { byPublication } from "../../../content/blog/store.ts";
import { listPostSummaries, type PostSummary } from "../../../content/blog/summaries.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { encodeCursor } from "../../../platform/http/cursor.ts";
import { listRequest, readAll } from "../cursor.ts";

/** `cursor` leads to older posts, `newer` back. */
export const postListQuery = z.object({
  cursor: z.string().max(4096).optional(),
  newer: z.string().max(4096).optional(),
});

type Query = z.output<typeof postListQuery>;
type PostListPage = { posts: PostSummary[]; newer: string | null; older: string | null };

/** A page of the public posts, or of those with a tag. The links are queries, such as `?cursor=…`. */
export async function readPostList(
  db: Reader,
  query: Query,
  { size, tag }: { size: number; tag?: string },
): Promise<PostListPage> {
  const list = { name: `posts ${tag ?? ""}`, sort: byPublication, order: "desc", size } as const;
  const filter = tag === undefined ? {} : { tag };
  const link = (name: keyof Query, post: PostSummary | undefined) =>
    post ? `?${new URLSearchParams({ [name]: encodeCursor(list.name, positionOf(post)) }).toString()}` : null;

  if (query.newer) {
    const page = await listPostSummaries(db, null, filter, listRequest({ ...list, order: "asc" }, query.newer));
    const posts = (await readAll(page.items)).toReversed();
    // With fewer posts than fit on a page, the first page is shown as it is.
    if (page.next) return { posts, newer: link("newer", posts[0]), older: link("cursor", posts.at(-1)) };
  }
  const cursor = query.newer ? undefined : query.cursor;
  const page = await listPostSummaries(db, null, filter, listRequest(list, cursor));
  const posts = await readAll(page.items);
  return {
    posts,
    newer: cursor ? link("newer", posts[0]) : null,
    older: page.next ? link("cursor", posts.at(-1)) : null,
  };
}

const positionOf = ({ id, publishedAt }: PostSummary) => ({
  id,
  key: publishedAt === null ? null : Date.parse(publishedAt),
});
