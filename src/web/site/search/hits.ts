import type { Album } from "../../../content/albums/album.ts";
import { findAlbums } from "../../../content/albums/store.ts";
import type { Post } from "../../../content/blog/post.ts";
import { findPosts } from "../../../content/blog/store.ts";
import type { CommentRecord } from "../../../content/comments/comment.ts";
import { type TargetID, type TargetKind, targetOf } from "../../../content/comments/target.ts";
import type { FileRecord } from "../../../content/files/file.ts";
import type { Variant } from "../../../core/images/image.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { findPhotos } from "../../../content/photos/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Viewer } from "../../../platform/http/route.ts";
import type { Result } from "../../../features/search/schemas.ts";

import type { Language } from "../language.ts";
import type { Links } from "../links.ts";
import type { Visit } from "../page.ts";
import { printBytes } from "../photos/format.ts";
import { nameOf } from "../photo-name.ts";
import { searchTexts } from "../texts/search.ts";

/** A result that is shown. */
export type Hit = {
  kind: string;
  /** Null for a record that has no page. */
  href: string | null;
  /** HTML with the matches marked, as the search made it; or a text. */
  title: { html: string } | { text: string };
  excerptHTML: string;
  /** What is shown beside the kind. */
  detail: string;
  picture: Variant | null;
  isPrivate: boolean;
};

/** The results with their addresses and pictures. */
export async function toHits(db: Reader, visit: Visit, viewer: Viewer, results: Result[]): Promise<Hit[]> {
  const comments = results.filter(({ kind }) => kind === "comment").map(({ record }) => record as CommentRecord);
  const targets = await findTargets(db, viewer, comments);
  return results.map((result) => {
    const { kind, titleHTML, excerptHTML, record } = result;
    const isPrivate = (record as { visibility?: string }).visibility === "private";
    const plain = { kind, href: null, title: { html: titleHTML }, excerptHTML, detail: "", picture: null, isPrivate };
    return { ...plain, ...describe(visit, result, targets) };
  });
}

type Targets = { post: Map<number, Post>; photo: Map<number, Photo>; album: Map<number, Album> };

/** What the comments are on. */
async function findTargets(db: Reader, viewer: Viewer, comments: CommentRecord[]): Promise<Targets> {
  const idsOf = (kind: TargetKind) => [
    ...new Set(comments.map(targetOf).flatMap((target) => (target.kind === kind ? target.id : []))),
  ];
  const [post, photo, album] = await Promise.all([
    findPosts(db, viewer, idsOf("post")),
    findPhotos(db, viewer, idsOf("photo")),
    findAlbums(db, viewer, idsOf("album")),
  ]);
  return { post, photo, album };
}

type Described = Pick<Hit, "href"> & Partial<Hit>;

/** Kinds of records that have no page are shown without a link. */
function describe({ links, language }: Visit, { kind, record }: Result, targets: Targets): Described | null {
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
      const { id, author } = record as CommentRecord;
      const target = describeTarget(links, language, targetOf(record as CommentRecord), targets);
      if (!target) return null;
      const text = searchTexts[language].commentOn(target.name);
      return { href: `${target.path}#comment-${id}`, title: { text }, detail: author.username };
    }
    default:
      return null;
  }
}

function describePhoto(photo: Photo, links: Links, language: Language): Described {
  const title = photo.isUntitled ? { title: { text: nameOf(photo, language) } } : {};
  return { href: links.photo(photo), picture: smallest(photo), ...title };
}

function describeTarget(links: Links, language: Language, { kind, id }: TargetID, targets: Targets) {
  switch (kind) {
    case "post": {
      const post = targets.post.get(id);
      return post && { path: links.post(post), name: post.title };
    }
    case "photo": {
      const photo = targets.photo.get(id);
      return photo && { path: links.photo(photo), name: nameOf(photo, language) };
    }
    case "album": {
      const album = targets.album.get(id);
      return album && { path: links.album(album), name: album.name };
    }
  }
}

const smallest = (photo: Photo | null): Variant | null => photo?.variants[0] ?? null;
