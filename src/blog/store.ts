import { recordActivity } from "../activity/record.ts";
import { invalid, missing } from "../errors.ts";
import type { Photo } from "../photos/photo.ts";
import { type FoundPhotoRow, selectPhotos } from "../photos/rows.ts";
import { findPhotos, presentPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../platform/database/keyset.ts";
import { listPage, type Page } from "../platform/database/lists.ts";
import { mapSlices } from "../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import { headFinder } from "../trash/heads.ts";
import { indexRecord } from "../platform/search/documents.ts";
import { countListed, setVisibility } from "../trash/store.ts";
import { isListed, isLive, type Trash } from "../trash/trash.ts";
import { flagFor, isVisibleTo, seesEverything, toVisibility } from "../visibility.ts";
import { isWanted, type OwnerQuery } from "../users/owner.ts";
import { type NewPost, type Post, type PostChanges, postTexts } from "./post.ts";

const postList = "posts";
const postsAtOnce = 50;
const bytesAtOnce = 2 ** 19;

type PostRow = {
  id: number;
  owner_id: number;
  title: string;
  content: string;
  is_private: number;
  cover_id: number | null;
  created_at: number;
  updated_at: number;
};

type FoundPostRow = PostRow & Partial<FoundPhotoRow>;

const columns = sql`posts.owner_id, posts.title, posts.content, posts.is_private, posts.cover_id, posts.created_at, posts.updated_at`;

/** The posts with the ids that the SELECT `ids` returns, with its other columns and the cover of each post. */
const selectPosts = (viewer: Viewer, ids: Sql): Sql => sql`
  WITH page AS (${ids})
  SELECT page.*, ${columns}, covers.* FROM page
  JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND ${isVisibleTo(viewer, "posts.")}
  LEFT JOIN (${selectPhotos(
    viewer,
    sql`
    SELECT photos.id FROM photos
    WHERE photos.id IN (SELECT cover_id FROM posts WHERE posts.id IN (SELECT page.id FROM page))`,
  )}) AS covers
  ON covers.photo_id = posts.cover_id`;

export async function getPost(db: Reader, viewer: Viewer, id: number): Promise<Post> {
  const row = await db.get<FoundPostRow>(selectPosts(viewer, sql`SELECT id FROM posts WHERE id = ${id}`));
  if (!row) throw missing(`blog post ${id}`);
  return presentPost(row, viewer);
}

export const getPostHead = headFinder("posts", "title", "blog post");

/** Locks the post until the transaction ends, and returns its current state. */
export async function lockPost(tx: Queries, viewer: Viewer, id: number): Promise<Post> {
  await getPostHead(tx, viewer, id, tx.forUpdate);
  return getPost(tx, viewer, id);
}

export async function findPosts(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Post>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundPostRow>(selectPosts(viewer, sql`SELECT id FROM posts WHERE id IN (${list(some)})`)),
  );
  return new Map(rows.map((row) => [row.id, presentPost(row, viewer)]));
}

export async function listPosts(db: Reader, viewer: Viewer, page: Page) {
  const read = (ids: Sql) =>
    db.all<FoundPostRow & { total: number }>(sql`${selectPosts(viewer, limitBytes(ids))} ORDER BY posts.id DESC`);
  const { items, total } = await listPage(db, postList, page, { live: isListed, atOnce: postsAtOnce, read });
  return { items: mapSlices(items, (rows) => rows.map((row) => presentPost(row, viewer))), total };
}

export function listPostsByKey(db: Reader, viewer: Viewer, query: OwnerQuery, request: KeysetRequest) {
  return listByKey(db, request, {
    table: postList,
    where: [isLive, ...isWanted(viewer, query)],
    atOnce: postsAtOnce,
    bytes: sql`octet_length(content)`,
    find: (ids) => findPosts(db, viewer, ids),
  });
}

/** Posts can be long: a slice ends when it has reached `bytesAtOnce`. */
const limitBytes = (ids: Sql): Sql => sql`
  SELECT id, total FROM (
    SELECT page.id, page.total, sum(octet_length(posts.content)) OVER (ORDER BY page.id DESC)
      - octet_length(posts.content) AS bytes_before
    FROM (${ids}) AS page JOIN posts ON posts.id = page.id) AS sized
  WHERE bytes_before < ${bytesAtOnce}`;

export async function insertPost(tx: Queries, owner: NonNullable<Viewer>, draft: NewPost): Promise<Post> {
  const time = Date.now();
  const [cover, row] = await Promise.all([
    findCover(tx, owner, draft.coverID),
    tx.get<PostRow>(sql`
      INSERT INTO posts (owner_id, title, content, cover_id, is_private, created_at, updated_at)
      VALUES (${owner.id}, ${draft.title}, ${draft.content}, ${selectCover(draft.coverID)},
        ${flagFor(draft.visibility)}, ${time}, ${time})
      RETURNING id, ${columns}`),
  ]);
  const post = toPost(row as PostRow, cover);
  countListed(tx, postList, row as PostRow, 1);
  recordActivity(tx, owner.id, "created", { ...post, kind: "post", name: post.title });
  await indexRecord(tx, "post", post, postTexts(post));
  return post;
}

export async function updatePost(tx: Queries, viewer: Viewer, id: number, changed: PostChanges): Promise<Post> {
  const { title, content, coverID, visibility } = changed;
  if (visibility) await setVisibility(tx, postList, id, visibility);
  const [chosen, row] = await Promise.all([
    findCover(tx, viewer, coverID),
    tx.get<PostRow>(sql`
      UPDATE posts SET updated_at = ${Date.now()}
        ${title === undefined ? sql`` : sql`, title = ${title}`}
        ${content === undefined ? sql`` : sql`, content = ${content}`}
        ${coverID === undefined ? sql`` : sql`, cover_id = ${selectCover(coverID)}`}
      WHERE id = ${id} AND trash_id IS NULL RETURNING id, ${columns}`),
  ]);
  if (!row) throw missing(`blog post ${id}`);
  const kept = coverID === undefined && row.cover_id ? await findPhotos(tx, viewer, [row.cover_id]) : null;
  const post = toPost(row, chosen ?? kept?.get(row.cover_id ?? 0) ?? null);
  recordActivity(tx, viewer?.id ?? null, "changed", { ...post, kind: "post", name: post.title });
  await indexRecord(tx, "post", post, postTexts(post));
  return post;
}

/** Throws if there is no photo with this id. */
async function findCover(db: Reader, viewer: Viewer, id: number | null | undefined): Promise<Photo | null> {
  const cover = id ? (await findPhotos(db, viewer, [id])).get(id) : null;
  if (cover === undefined) throw invalid(`"coverID" is invalid: there is no photo ${id}.`, "coverID");
  return cover;
}

/** Null for a photo that does not exist: otherwise the foreign key would fail before `findCover` reports the error. */
const selectCover = (id: number | null): Sql => sql`(SELECT id FROM photos WHERE id = ${id} AND trash_id IS NULL)`;

/** Comments need no trash id of their own: they are only reached through their post. */
export async function trashPost(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const post = await getPostHead(tx, seesEverything, id, tx.forUpdate);
  await trash.put(tx, "post", post, { name: post.name, deletedByID });
}

function presentPost(row: FoundPostRow, viewer: Viewer): Post {
  const [cover = null] = row.photo_id ? presentPhotos([row as FoundPhotoRow], viewer) : [];
  return toPost(row, cover);
}

function toPost(row: PostRow, cover: Photo | null): Post {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    coverID: cover?.id ?? null,
    visibility: toVisibility(row.is_private),
    ownerID: row.owner_id,
    cover,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
