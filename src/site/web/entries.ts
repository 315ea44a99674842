import { setImmediate } from "node:timers/promises";
import { findHTML } from "../../blog/html.ts";
import type { Post } from "../../blog/post.ts";
import { byPublication, listPostsByKey } from "../../blog/store.ts";
import { listPhotosByKey } from "../../photos/filtered.ts";
import type { PhotoQuery } from "../../photos/filters.ts";
import type { Photo } from "../../photos/photo.ts";
import type { Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { html } from "../../platform/markup.ts";
import { findUsernames } from "../../users/store.ts";
import type { Visit } from "../page.ts";
import { absoluteHTML } from "../../platform/absolute-html.ts";
import { type CardImage, cardOfPhoto } from "./card-image.ts";

/** A post or a photo in a feed, as guests see it. URLs are absolute. */
export type Entry = {
  /** Never changes, also if the address of the post does. */
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  published: string;
  updated: string;
  author: { name: string; url: string } | null;
  tags: string[];
  picture: CardImage | null;
  video: { url: string; type: string; size: number; seconds: number | null } | null;
};

export const mostEntries = 30;
/** A feed of long posts has fewer of them. */
const mostBytes = 2 ** 20;

const newest = { order: "desc", after: null, size: mostEntries } as const;

export async function loadPosts(db: Reader, visit: Visit): Promise<Entry[]> {
  const { items } = await listPostsByKey(db, null, {}, { ...newest, sort: byPublication });
  const posts: Post[] = [];
  let bytes = 0;
  for await (const some of items) {
    for (const post of some) {
      bytes += post.content.length;
      if (posts.length === 0 || bytes <= mostBytes) posts.push(post);
    }
    if (bytes > mostBytes) break;
  }
  const [texts, names] = await Promise.all([
    findHTML(db, null, posts),
    findUsernames(
      db,
      posts.map(({ ownerID }) => ownerID),
    ),
  ]);
  const entries: Entry[] = [];
  for (const post of posts) {
    entries.push(entryOfPost(visit, post, texts.get(post.id) ?? "", authorOf(visit, names.get(post.ownerID))));
    // Lets other requests run.
    await setImmediate();
  }
  return entries;
}

/** The newest photos, or those of an album. */
export async function loadPhotos(db: Reader, visit: Visit, query: PhotoQuery = {}): Promise<Entry[]> {
  const { items } = await listPhotosByKey(db, null, query, { ...newest, sort: byID });
  const photos: Photo[] = [];
  for await (const some of items) photos.push(...some);
  const names = await findUsernames(
    db,
    photos.map(({ ownerID }) => ownerID),
  );
  return photos.map((photo) => entryOfPhoto(visit, photo, authorOf(visit, names.get(photo.ownerID))));
}

/** Both, the newest first. */
export async function loadAll(db: Reader, visit: Visit): Promise<Entry[]> {
  const [posts, photos] = await Promise.all([loadPosts(db, visit), loadPhotos(db, visit)]);
  return [...posts, ...photos]
    .toSorted((one, other) => (one.published < other.published ? 1 : -1))
    .slice(0, mostEntries);
}

function entryOfPost(visit: Visit, post: Post, text: string, author: Entry["author"]): Entry {
  const url = visit.origin + visit.links.post(post);
  const published = post.publishedAt ?? post.createdAt;
  return {
    id: idOf(visit, "post", post),
    url,
    title: post.title,
    summary: post.excerpt,
    html: absoluteHTML(text, url),
    published,
    // A post that was scheduled has not been changed since it was published.
    updated: post.updatedAt > published ? post.updatedAt : published,
    author,
    tags: post.tags,
    picture: cardOfPhoto(visit.origin, post.cover),
    video: null,
  };
}

function entryOfPhoto(visit: Visit, photo: Photo, author: Entry["author"]): Entry {
  const url = visit.origin + visit.links.photo(photo);
  const picture = cardOfPhoto(visit.origin, photo);
  const { file } = photo;
  const isVideo = photo.kind === "video" && file?.url && file.sha256;
  const paragraphs = photo.description.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  return {
    id: idOf(visit, "photo", photo),
    url,
    title: photo.title,
    summary: photo.description || photo.altText,
    html: html`${
      picture &&
      html`<p>
        <a href="${url}"
          ><img src="${picture.url}" width="${picture.width}" height="${picture.height}" alt="${picture.alt}"
        /></a>
      </p>`
    }${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}`.toString(),
    published: photo.createdAt,
    updated: photo.updatedAt,
    author,
    tags: photo.tags,
    picture,
    video: isVideo
      ? {
          url: visit.origin + file.url,
          type: file.contentType ?? "video/mp4",
          size: file.size,
          seconds: photo.duration,
        }
      : null,
  };
}

const authorOf = ({ origin, links }: Visit, name: string | undefined): Entry["author"] =>
  name === undefined ? null : { name, url: origin + links.person(name) };

/** A tag URI (RFC 4151): the host, the day on which the record was created, and the number of the record. */
function idOf({ origin }: Visit, kind: string, { id, createdAt }: { id: number; createdAt: string }): string {
  const host = new URL(origin).hostname.replaceAll(/[^\w.-]/g, "-");
  return `tag:${host},${createdAt.slice(0, 10)}:${kind}/${id}`;
}
