import type { QueuedComment } from "../../client/src/index.ts";

/** What a comment is on: its name, its address on the site, and a small picture of it. */
type CommentTarget = { name: string; href: string; picture: string | null };

export function targetOf({ post, photo, album }: Pick<QueuedComment, "post" | "photo" | "album">): CommentTarget {
  if (photo) return { name: photo.title, href: `/photos/${photo.id}`, picture: photo.picture };
  if (album) return { name: album.name, href: `/albums/${album.id}`, picture: album.picture };
  return { name: post?.title ?? "", href: `/blog/${encodeURIComponent(post?.slug ?? "")}`, picture: null };
}
