import { setImmediate } from "node:timers/promises";
import { missing } from "../errors.ts";
import { findPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { countRecord, findPage, type Page, readPage } from "../platform/database/lists.ts";
import type { Slices } from "../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import { indexRecord } from "../platform/search/documents.ts";
import { addToTrash, trashedList } from "../trash/store.ts";
import { type NewPost, type Post, type PostChanges, postTexts } from "./post.ts";

const postList = "posts";
const postsAtOnce = 50;
const bytesAtOnce = 2 ** 19;

type PostRow = {
  id: number;
  owner_id: number;
  title: string;
  content: string;
  cover_id: number | null;
  created_at: number;
  updated_at: number;
};

const columns = sql`id, owner_id, title, content, cover_id, created_at, updated_at`;

export async function getPost(db: Reader, viewer: Viewer, id: number): Promise<Post> {
  const post = (await findPosts(db, viewer, [id])).get(id);
  if (!post) throw missing(`blog post ${id}`);
  return post;
}

export type PostHead = { id: number; ownerID: number; title: string };

/** As much of a post as it takes to decide who may change it. */
export async function getPostHead(db: Reader, id: number, lock: Sql = sql``): Promise<PostHead> {
  const post = await db.get<PostHead>(sql`
    SELECT id, owner_id AS "ownerID", title FROM posts WHERE id = ${id} AND trash_id IS NULL ${lock}`);
  if (!post) throw missing(`blog post ${id}`);
  return post;
}

export async function findPosts(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Post>> {
  const rows = await inChunks(ids, (some) =>
    db.all<PostRow>(sql`SELECT ${columns} FROM posts WHERE id IN (${list(some)}) AND trash_id IS NULL`),
  );
  return new Map((await withCovers(db, viewer, rows)).map((post) => [post.id, post]));
}

type Listed = { items: Slices<Post>; total: number };

export async function listPosts(db: Reader, viewer: Viewer, page: Page): Promise<Listed> {
  const { start, total } = await findPage(db, postList, page);
  const read = (wanted: Sql) => db.all<PostSize>(sql`SELECT id, octet_length(content) AS bytes FROM posts ${wanted}`);
  return { items: readPosts(db, viewer, readPage(start, read, { size: 1000, most: page.size })), total };
}

type PostSize = { id: number; bytes: number };

/** Posts can be long: a slice has as many of them as are read in a moment. */
async function* readPosts(db: Reader, viewer: Viewer, sizes: Slices<PostSize>): AsyncGenerator<Post[]> {
  for await (const some of sizes) {
    for (let start = 0; start < some.length;) {
      let [end, bytes] = [start, 0];
      while (end < some.length && end - start < postsAtOnce && bytes < bytesAtOnce) bytes += some[end++]?.bytes ?? 0;
      const ids = some.slice(start, end).map(({ id }) => id);
      const posts = await findPosts(db, viewer, ids);
      yield ids.flatMap((id) => posts.get(id) ?? []);
      start = end;
      if (start < some.length) await setImmediate();
    }
  }
}

export async function insertPost(tx: Queries, owner: NonNullable<Viewer>, draft: NewPost): Promise<Post> {
  const time = Date.now();
  const row = await tx.get<PostRow>(sql`
    INSERT INTO posts (owner_id, title, content, cover_id, created_at, updated_at)
    VALUES (${owner.id}, ${draft.title}, ${draft.content}, ${draft.coverID}, ${time}, ${time})
    RETURNING ${columns}`);
  const [post] = (await withCovers(tx, owner, [row as PostRow])) as [Post];
  countRecord(tx, postList, post.id, 1);
  await indexRecord(tx, "post", post, postTexts(post));
  return post;
}

export async function updatePost(tx: Queries, viewer: Viewer, id: number, changed: PostChanges): Promise<Post> {
  const { title, content, coverID } = changed;
  const row = await tx.get<PostRow>(sql`
    UPDATE posts SET updated_at = ${Date.now()}
      ${title === undefined ? sql`` : sql`, title = ${title}`}
      ${content === undefined ? sql`` : sql`, content = ${content}`}
      ${coverID === undefined ? sql`` : sql`, cover_id = ${coverID}`}
    WHERE id = ${id} AND trash_id IS NULL RETURNING ${columns}`);
  if (!row) throw missing(`blog post ${id}`);
  const [post] = (await withCovers(tx, viewer, [row])) as [Post];
  await indexRecord(tx, "post", post, postTexts(post));
  return post;
}

/** Comments need no mark of their own: they are reached through their post only. */
export async function trashPost(tx: Queries, id: number, deletedByID: number): Promise<void> {
  const post = await getPostHead(tx, id, tx.forUpdate);
  const trashID = await addToTrash(tx, "post", post, { name: post.title, deletedByID });
  await tx.run(sql`UPDATE posts SET trash_id = ${trashID} WHERE id = ${id}`);
  countRecord(tx, postList, id, -1);
}

export const trashedPosts = trashedList(postList, {
  restore: (trashID) => sql`UPDATE posts SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`,
  purge: (trashID) => sql`DELETE FROM posts WHERE trash_id = ${trashID}`,
});

async function withCovers(db: Reader, viewer: Viewer, rows: PostRow[]): Promise<Post[]> {
  const covers = await findPhotos(db, viewer, [...new Set(rows.flatMap((row) => row.cover_id ?? []))]);
  return rows.map((row) => {
    const cover = (row.cover_id !== null && covers.get(row.cover_id)) || null;
    return {
      id: row.id,
      title: row.title,
      content: row.content,
      coverID: cover?.id ?? null,
      ownerID: row.owner_id,
      cover,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    };
  });
}
