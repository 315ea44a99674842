import { findFeedTexts } from "../../../content/blog/feed-texts.ts";
import { byPublication } from "../../../content/blog/store.ts";
import { listPostSummaries, type PostSummary } from "../../../content/blog/summaries.ts";
import { listPhotosByKey } from "../../../content/photos/list-photos.ts";
import type { PhotoQuery } from "../../../content/photos/lists/filters.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { byID } from "../../../platform/database/keyset.ts";
import { html } from "../../../platform/markup.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import { findAuthors, shownName } from "../author.tsx";
import { readAll } from "../cursor.ts";
import type { Visit } from "../page.ts";
import { type AlbumNames, findAlbumNames, nameOf } from "../photo-name.ts";
import { webTexts } from "../texts/web.ts";
import { type CardImage, cardOfPhoto } from "./card-image.ts";

/** A post or a photo in a feed, as guests see it. URLs are absolute. */
export type Entry = {
  /** Never changes, even if the address of the post does. */
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  published: string;
  updated: string;
  author: { name: string; url: string; avatar: string | null } | null;
  tags: string[];
  picture: CardImage | null;
  video: { url: string; type: string; size: number; seconds: number | null } | null;
};

const maxEntries = 30;
const newest = { order: "desc", after: null, size: maxEntries } as const;

export async function loadPosts(db: Reader, visit: Visit): Promise<Entry[]> {
  const { items } = await listPostSummaries(db, null, {}, { ...newest, sort: byPublication });
  const posts = await readAll(items);
  const { origin } = visit;
  const [texts, names] = await Promise.all([
    findFeedTexts(db, posts, {
      origin,
      nameOf: (photo) => nameOf(photo, visit.language),
      addressOf: (post) => origin + visit.links.post(post),
    }),
    findAuthors(db, posts),
  ]);
  return posts.map((post) => entryOfPost(visit, post, texts.get(post.id), authorOf(visit, names.get(post.ownerID))));
}

/** The newest photos, or those of an album. */
export async function loadPhotos(db: Reader, visit: Visit, query: PhotoQuery = {}): Promise<Entry[]> {
  const { items } = await listPhotosByKey(db, null, query, { ...newest, sort: byID });
  const photos: Photo[] = [];
  for await (const some of items) photos.push(...some);
  const [names, albums] = await Promise.all([findAuthors(db, photos), findAlbumNames(db, null, photos)]);
  return photos.map((photo) => entryOfPhoto(visit, photo, authorOf(visit, names.get(photo.ownerID)), albums));
}

/** Both, the newest first. */
export async function loadAll(db: Reader, visit: Visit): Promise<Entry[]> {
  const [posts, photos] = await Promise.all([loadPosts(db, visit), loadPhotos(db, visit)]);
  return [...posts, ...photos]
    .toSorted((one, other) => (one.published < other.published ? 1 : -1))
    .slice(0, maxEntries);
}

/** Without a text, the entry has the excerpt and a link. */
function entryOfPost(visit: Visit, post: PostSummary, text: string | undefined, author: Entry["author"]): Entry {
  const url = visit.origin + visit.links.post(post);
  const summary = html`<p>${post.excerpt}</p>
    <p><a href="${url}">${webTexts[visit.language].readOn}</a></p>`;
  const published = post.publishedAt ?? post.createdAt;
  return {
    id: idOf(visit, "post", post),
    url,
    title: post.title,
    summary: post.excerpt,
    html: text ?? summary.toString(),
    published,
    // A post that was scheduled has not been changed since it was published.
    updated: post.updatedAt > published ? post.updatedAt : published,
    author,
    tags: post.tags,
    picture: cardOfPhoto(visit, post.cover),
    video: null,
  };
}

function entryOfPhoto(visit: Visit, photo: Photo, author: Entry["author"], albums: AlbumNames): Entry {
  const url = visit.origin + visit.links.photo(photo);
  const picture = cardOfPhoto(visit, photo, albums);
  const { file } = photo;
  const isVideo = photo.kind === "video" && file?.url && file.sha256;
  const paragraphs = photo.description.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  return {
    id: idOf(visit, "photo", photo),
    url,
    title: nameOf(photo, visit.language, albums),
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

function authorOf({ origin, links }: Visit, person: PublicPerson | undefined): Entry["author"] {
  if (!person) return null;
  const picture = person.portrait?.variants[0];
  return {
    name: shownName(person),
    url: origin + links.person(person.username),
    avatar: picture ? origin + picture.url : null,
  };
}

/** A tag URI (RFC 4151): the host, the day on which the record was created, and the number of the record. */
function idOf({ origin }: Visit, kind: string, { id, createdAt }: { id: number; createdAt: string }): string {
  const host = new URL(origin).hostname.replaceAll(/[^\w.-]/g, "-");
  return `tag:${host},${createdAt.slice(0, 10)}:${kind}/${id}`;
}
