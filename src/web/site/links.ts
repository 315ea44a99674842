import type { PostKind } from "../../content/blog/post.ts";
import { slugOf } from "../../platform/slug.ts";

/** The addresses of pages and of the bytes on them, below a prefix: that of a share link, or "". */
export type Links = ReturnType<typeof createLinks>;

export function createLinks(prefix = "") {
  return {
    prefix,
    post: ({ slug, kind }: { slug: string; kind: PostKind }) =>
      `${prefix}${kind === "page" ? "" : "/blog"}/${encodeURIComponent(slug)}`,
    photo: ({ id }: { id: number }) => `${prefix}/photos/${id}`,
    album: (album: { id: number; name: string }) => `${prefix}/albums/${albumPart(album)}`,
    /** `path` are the names of the directories, from the root. */
    browse: (path: readonly string[]) =>
      `${prefix}/browse${path.map((name) => `/${encodeURIComponent(name)}`).join("")}`,
    tag: (tag: string) => `${prefix}/tags/${encodeURIComponent(tag)}`,
    person: (username: string) => `${prefix}/people/${encodeURIComponent(username)}`,
    /** A path of the API, such as the `url` of a variant. */
    api: (path: string) => prefix + path,
  };
}

/** An album in a URL: the id finds it, the rest is for people. */
export function albumPart({ id, name }: { id: number; name: string }): string {
  const slug = slugOf(name);
  return slug === "" ? String(id) : `${id}-${encodeURIComponent(slug)}`;
}
