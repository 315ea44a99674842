import { useQuery } from "@tanstack/react-query";
import type { Comment, QueuedComment } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { useListed } from "../lib/listed.ts";

export const statuses = ["waiting", "visible", "hidden"] as const;
export type Status = (typeof statuses)[number];

/** Those on one's own posts, photos and albums; for admins, all. */
export const useComments = (status: Status) =>
  useListed(["comments", "queue", status], (cursor, signal) =>
    api.listCommentQueue({ status, cursor, pageSize: 50 }, { signal }),
  );

/** A comment that was found by a search, with what it is on. */
export function useComment(id: number | null) {
  return useQuery({
    queryKey: ["comments", "one", id],
    enabled: id !== null,
    async queryFn({ signal }): Promise<QueuedComment> {
      const comment = await api.readComment({ id: id ?? 0 }, { signal });
      return { ...comment, ...(await readTarget(comment, signal)) };
    },
  });
}

async function readTarget({ blogPostID, photoID, albumID }: Comment, signal: AbortSignal) {
  const none = { post: null, photo: null, album: null };
  if (photoID !== null) {
    const { id, title, variants } = await api.readPhoto({ id: photoID }, { signal });
    return { ...none, photo: { id, title, picture: variants[0]?.url ?? null } };
  }
  if (albumID !== null) {
    const { id, name, cover } = await api.readAlbum({ id: albumID, page: 1, pageSize: 1 }, { signal });
    return { ...none, album: { id, name, picture: cover?.variants[0]?.url ?? null } };
  }
  const { id, title, slug, kind } = await api.readPost({ id: blogPostID ?? 0 }, { signal });
  return { ...none, post: { id, title, slug, kind } };
}
