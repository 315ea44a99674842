import type { Photo } from "../photos/photo.ts";
import { findPhotos } from "../photos/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { excerptOf } from "../../platform/markdown/excerpt.ts";
import { isVisibleOrGrantedTo, toVisibility } from "../../core/records/visibility.ts";
import { joinMade, made } from "./made.ts";
import type { Post, PostHead, PostKind, Status } from "./post.ts";

export type PostRow = {
  id: number;
  owner_id: number;
  is_page: number;
  title: string;
  content: string;
  slug: string;
  status: Status;
  is_private: number;
  chosen_private: number;
  published_at: number | null;
  comments_closed_at: number | null;
  tags: string;
  excerpt: string | null;
  cover_id: number | null;
  created_at: number;
  updated_at: number;
};

/** With the excerpt that was made of the content. */
export type FoundPostRow = PostRow & { made_excerpt: string | null };

/** All but the content, which can be long. */
export const shortColumns = sql`posts.owner_id, posts.is_page, posts.title, posts.slug, posts.status, posts.is_private,
  posts.chosen_private, posts.published_at, posts.comments_closed_at, posts.tags, posts.excerpt, posts.cover_id,
  posts.created_at, posts.updated_at`;

export const postColumns = sql`${shortColumns}, posts.content`;

export const foundColumns = sql`${postColumns}, ${made.excerpt} AS made_excerpt`;

/**
 * Those posts with the ids that the SELECT `ids` returns that the viewer may see, with its other columns. `columns` are of
 * posts, and of what was made of them (`made.ts`).
 */
export const selectPosts = (viewer: Viewer, ids: Sql, columns: Sql = foundColumns): Sql => sql`
  SELECT page.*, ${columns} FROM (${ids}) AS page
  JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "posts.", "post")}
  ${joinMade}`;

type Covered = Pick<PostRow, "cover_id">;

/** The covers of posts that the viewer may see. Most posts have none: it costs a statement only where there is one. */
export async function findCovers(db: Reader, viewer: Viewer, rows: Covered[]): Promise<(row: Covered) => Photo | null> {
  const ids = rows.flatMap(({ cover_id }) => cover_id ?? []);
  if (ids.length === 0) return () => null;
  const covers = await findPhotos(db, viewer, [...new Set(ids)]);
  return ({ cover_id }) => covers.get(cover_id ?? 0) ?? null;
}

export async function presentPosts(db: Reader, viewer: Viewer, rows: FoundPostRow[]): Promise<Post[]> {
  const coverOf = await findCovers(db, viewer, rows);
  return rows.map((row) => toPost(row, coverOf(row)));
}

export function toPost(row: FoundPostRow, cover: Photo | null): Post {
  const excerpt = row.excerpt ?? row.made_excerpt ?? excerptOf(row.content);
  return { ...toPostLink(row), content: row.content, ...toDetails(row, excerpt, cover) };
}

/** All but the content. */
export const toPostHead = (row: ShortPostRow, excerpt: string, cover: Photo | null): PostHead => ({
  ...toPostLink(row),
  ...toDetails(row, excerpt, cover),
});

type ShortPostRow = Omit<PostRow, "content">;

const toDetails = (row: ShortPostRow, excerpt: string, cover: Photo | null): Omit<PostHead, keyof PostLink> => ({
  excerpt,
  tags: JSON.parse(row.tags) as string[],
  coverID: cover?.id ?? null,
  visibility: toVisibility(row.chosen_private),
  publishedAt: toTime(row.status === "published" ? (row.published_at ?? row.created_at) : row.published_at),
  commentsOpen: row.comments_closed_at === null,
  ownerID: row.owner_id,
  cover,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

/** What a link to a post needs. */
export type PostLink = { id: number; kind: PostKind; title: string; slug: string };
export type PostLinkRow = Pick<PostRow, "id" | "is_page" | "title" | "slug">;

export const postLinkColumns = sql`posts.id, posts.is_page, posts.title, posts.slug`;

export const toPostLink = ({ id, title, slug, is_page }: PostLinkRow): PostLink => ({
  id,
  kind: toKind({ is_page }),
  title,
  slug,
});

const toKind = ({ is_page }: Pick<PostRow, "is_page">): PostKind => (is_page === 1 ? "page" : "post");

const toTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());
