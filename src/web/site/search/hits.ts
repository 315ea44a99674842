import type { Album } from "../../../content/albums/album.ts";
import type { Post } from "../../../content/blog/post.ts";
import { findPosts } from "../../../content/blog/store.ts";
import type { CommentRecord } from "../../../content/comments/comment.ts";
import type { FileRecord } from "../../../content/files/file.ts";
import type { Variant } from "../../../core/images/image.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Viewer } from "../../../platform/http/route.ts";
import type { Result } from "../../../features/search/schemas.ts";

import type { Language } from "../language.ts";
import type { Links } from "../links.ts";
import type { Visit } from "../page.ts";
import { printBytes } from "../photos/format.ts";
import { nameOf } from "../photo-name.ts";
import { searchTexts } from "../texts/search.ts";

/** A result as it is shown. */
export type Hit = {
  kind: string;
  /** Null for a record that has no page. */
  href: string | null;
  /** HTML with the matches marked, as the search made it; or a text. */
  title: { html: string } | { text: string };
  excerptHTML: string;
  /** What stands beside the kind. */
  detail: string;
  picture: Variant | null;
  isPrivate: boolean;
};

/** The results with their addresses and pictures. */
export async function toHits(db: Reader, visit: Visit, viewer: Viewer, results: Result[]): Promise<Hit[]> {
  const comments = results.filter(({ kind }) => kind === "comment").map(({ record }) => record as CommentRecord);
  const posts = await findPosts(db, viewer, [...new Set(comments.map(({ blogPostID }) => blogPostID))]);
  return results.map((result) => {
    const { kind, titleHTML, excerptHTML, record } = result;
    const isPrivate = (record as { visibility?: string }).visibility === "private";
    const plain = { kind, href: null, title: { html: titleHTML }, excerptHTML, detail: "", picture: null, isPrivate };
    return { ...plain, ...describe(visit, result, posts) };
  });
}

type Described = Pick<Hit, "href"> & Partial<Hit>;

/** Kinds of records that have no page are shown without a link. */
function describe({ links, language }: Visit, { kind, record }: Result, posts: Map<number, Post>): Described | null {
  switch (kind) {
    case "photo":
      return describePhoto(record as Photo, links, language);
    case "album":
      return { href: links.album(record as Album), picture: smallest((record as Album).cover) };
    case "post":
      return {
        href: links.post(record as Post),
        picture: smallest((record as Post).cover),
        ...((record as Post).kind === "page" && { kind: "page" }),
      };
    case "file": {
      const { path, name, isDirectory, size } = record as FileRecord;
      const names = [...path.split("/").filter(Boolean), name];
      return { href: links.browse(names), detail: isDirectory ? path : `${path} · ${printBytes(size, language)}` };
    }
    case "comment": {
      const { id, blogPostID, author } = record as CommentRecord;
      const post = posts.get(blogPostID);
      if (!post) return null;
      const text = searchTexts[language].commentOn(post.title);
      return { href: `${links.post(post)}#comment-${id}`, title: { text }, detail: author.username };
    }
    default:
      return null;
  }
}

function describePhoto(photo: Photo, links: Links, language: Language): Described {
  const title = photo.isUntitled ? { title: { text: nameOf(photo, language) } } : {};
  return { href: links.photo(photo), picture: smallest(photo), ...title };
}

const smallest = (photo: Photo | null): Variant | null => photo?.variants[0] ?? null;
