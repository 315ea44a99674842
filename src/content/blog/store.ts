import { z } from "zod";
import { forbidden, missing, unauthorized } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetList, type KeysetRequest, listByKey, type Sort } from "../../platform/database/keyset.ts";
import { listPage, type Page } from "../../platform/database/lists.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isPrivate, isPublic } from "../../core/records/visibility.ts";
import { tagKey, tagQuery } from "../../core/records/tags.ts";
import { headFinder } from "../../core/trash/heads.ts";
import { isListed, isLive } from "../../core/trash/trash.ts";
import { isWanted, ownerQuery } from "../../core/users/owner.ts";
import { withHTML } from "./html.ts";
import { made, madeHTML } from "./made.ts";
import { type Post, type PostHead, type PostKind, postKinds, type PostWithHTML, statuses } from "./post.ts";
import { taggedPosts } from "./post-tags.ts";
import {
  foundColumns,
  type FoundPostRow,
  type PostLink,
  postLinkColumns,
  type PostLinkRow,
  presentPosts,
  selectPosts,
  shortColumns,
  toPostLink,
} from "./rows.ts";
import { findIDBySlug } from "./slugs.ts";
import { isInStatusIndexes } from "./status-indexes.ts";

const postList = "posts";
const isInBlog = sql`is_page = 0`;
export const isPage = sql`is_page = 1`;
const postsAtOnce = 50;
const bytesAtOnce = 2 ** 18;
const longPost = 50_000;

export const getPostHead = headFinder("posts", "title", "blog post", { kind: "post" });

type SingleRow = FoundPostRow & { html: string | null };
type ShortRow = Omit<SingleRow, "content"> & { content: string | null };

export async function getPost(db: Reader, viewer: Viewer, id: number): Promise<PostWithHTML> {
  const post = await findPost(db, viewer, id);
  if (!post) throw missing(`blog post ${id}`);
  return post;
}

/** The post that has, or had, the slug. The id of a post that the viewer may not see stays unknown. */
export async function getPostBySlug(db: Reader, viewer: Viewer, slug: string): Promise<PostWithHTML> {
  const id = await findIDBySlug(db, slug.normalize("NFC"));
  const post = id === null ? null : await findPost(db, viewer, id);
  if (!post) throw missing(`blog post with the slug "${slug}"`);
  return post;
}

/** A long post is read in a turn of its own: many readers of it do not make other requests wait for all of them. */
async function findPost(db: Reader, viewer: Viewer, id: number): Promise<PostWithHTML | null> {
  const ids = sql`SELECT id FROM posts WHERE id = ${id}`;
  const found = await db.get<ShortRow>(selectPosts(viewer, ids, columnsIfShort));
  if (!found) return null;
  if (found.content === null) await nextTurn();
  const row =
    found.content === null
      ? await db.get<SingleRow>(selectPosts(viewer, ids, sql`${foundColumns}, ${madeHTML} AS html`))
      : { ...found, content: found.content };
  const [post] = row ? await presentPosts(db, viewer, [row]) : [];
  return row && post ? withHTML(db, viewer, post, row.html) : null;
}

const isShort = sql`octet_length(posts.content) <= ${longPost}`;
const columnsIfShort = sql`${shortColumns}, CASE WHEN ${isShort} THEN posts.content END AS content,
  ${made.excerpt} AS made_excerpt, CASE WHEN ${isShort} THEN ${madeHTML} END AS html`;

/** What links to the posts need. The viewer may see them. */
export async function findPostLinks(db: Reader, ids: number[]): Promise<Map<number, PostLink>> {
  const rows = await inChunks(ids, (some) =>
    db.all<PostLinkRow>(sql`SELECT ${postLinkColumns} FROM posts WHERE id IN (${list(some)})`),
  );
  return new Map(rows.map((row) => [row.id, toPostLink(row)]));
}

/** The public posts before and after a published one, in the order of publication. */
export async function findNeighbours(db: Reader, { id, publishedAt }: PostHead) {
  const position = sql`(${Date.parse(publishedAt ?? "")}, ${id})`;
  const select = (where: Sql, order: Sql) =>
    db.get<PostLinkRow>(sql`
      SELECT ${postLinkColumns} FROM posts WHERE ${isListed} AND ${isOfKind("post")} AND (published_at, id) ${where} ${position}
      ORDER BY published_at ${order}, id ${order} LIMIT 1`);
  const [previous, next] = await Promise.all([select(sql`<`, sql`DESC`), select(sql`>`, sql`ASC`)]);
  return { previous: previous && toPostLink(previous), next: next && toPostLink(next) };
}

/** Locks the post until the transaction ends, and returns its current state. */
export async function lockPost(tx: Queries, viewer: Viewer, id: number): Promise<PostWithHTML> {
  await getPostHead(tx, viewer, id, tx.forUpdate);
  return getPost(tx, viewer, id);
}

export async function findPosts(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Post>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundPostRow>(selectPosts(viewer, sql`SELECT id FROM posts WHERE id IN (${list(some)})`)),
  );
  return new Map((await presentPosts(db, viewer, rows)).map((post) => [post.id, post]));
}

export async function listPosts(db: Reader, viewer: Viewer, page: Page) {
  const read = (ids: Sql) => db.all<FoundPostRow & { total: number }>(selectPosts(viewer, limitBytes(ids)));
  const { items, total } = await listPage(db, postList, page, {
    live: sql`${isListed} AND ${isOfKind("post")}`,
    atOnce: postsAtOnce,
    read,
  });
  const present = async (rows: FoundPostRow[]) => {
    if (rows.some(({ content }) => content.length > longPost)) await nextTurn();
    return presentPosts(db, viewer, rows);
  };
  return { items: mapSlices(items, present), total };
}

/**
 * Posts can be long: a slice ends when it has reached `bytesAtOnce`. The lengths are selected first, because SQLite copies
 * all columns that a window function uses.
 */
const limitBytes = (ids: Sql): Sql => sql`
  SELECT id, total FROM (
    SELECT id, total, sum(bytes) OVER (ORDER BY id DESC) - bytes AS bytes_before
    FROM (
      SELECT page.id, page.total, octet_length(posts.content) AS bytes
      FROM (${ids}) AS page JOIN posts ON posts.id = page.id) AS measured) AS sized
  WHERE bytes_before < ${bytesAtOnce}`;

/** Drafts come last. */
export const byPublication: Sort = { column: "published_at", type: "integer", isNullable: true };

export const postQuery = z.object({
  ...ownerQuery.shape,
  ...tagQuery.shape,
  status: z.enum(statuses).optional().meta({
    description:
      "Only your own posts with this status; for admins with `visibility=all`, those of everyone. The list is then read by cursor.",
  }),
  kind: z.enum(postKinds).optional().meta({
    description: "`page`: the pages outside the blog instead of its posts. The list is then read by cursor.",
  }),
});

export type PostQuery = z.output<typeof postQuery>;

export function listPostsByKey(db: Reader, viewer: Viewer, query: PostQuery, request: KeysetRequest) {
  return listByKey(db, request, {
    ...postsLike(viewer, query),
    bytes:
      query.tag === undefined
        ? sql`octet_length(content)`
        : sql`(SELECT octet_length(content) FROM posts WHERE posts.id = tagged.id)`,
    find: (ids) => findPosts(db, viewer, ids),
  });
}

/**
 * The list for a query. By tag, it is in the table of tags, which has the same columns. Public and private posts are in two
 * ranges of an index.
 */
export function postsLike(
  viewer: Viewer,
  { tag, kind = "post", ...query }: PostQuery,
): Omit<KeysetList<never>, "find"> {
  const wanted = [...areWanted(viewer, query), isOfKind(kind)];
  if (tag !== undefined) {
    return { table: taggedPosts, where: [isLive, ...wanted, sql`tag_key = ${tagKey(tag)}`], atOnce: postsAtOnce };
  }
  const posts = { table: postList, atOnce: postsAtOnce };
  if (query.status && query.status !== "published") {
    return { ...posts, where: wanted.includes(isPublic) ? [sql`1 = 0`] : [isLive, ...wanted, isInStatusIndexes] };
  }
  if (wanted.includes(isPublic)) return { ...posts, where: [isLive, ...wanted] };
  return { ...posts, where: [isLive, ...wanted], anyOf: [isPublic, query.status ? isInStatusIndexes : isPrivate] };
}

const isOfKind = (kind: PostKind): Sql => (kind === "page" ? isPage : isInBlog);

function areWanted(viewer: Viewer, { owner, visibility, status }: PostQuery): Sql[] {
  if (status === undefined) return isWanted(viewer, { owner, visibility });
  if (!viewer) throw unauthorized(`"status" needs a token: sign in first.`);
  if (owner !== undefined && owner !== "me" && Number(owner) !== viewer.id && viewer.role !== "admin")
    throw forbidden(`"status" lists your own posts: send "owner=me".`);
  const all =
    visibility === "all" ? isWanted(viewer, { owner, visibility }) : isWanted(viewer, { owner: owner ?? "me" });
  return [...all, sql`status = ${status}`];
}
