import { invalid, missing } from "../../platform/errors.ts";
import type { Photo } from "../photos/photo.ts";
import { findPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { joined, raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { recordChange } from "../../core/activity/record-change.ts";
import { uniqueTags } from "../../core/records/tags.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { flagFor, seesEverything, toVisibility } from "../../core/records/visibility.ts";
import { addHTML, type RenderedHTML, replaceHTML, withHTML } from "./html.ts";
import { type NewPost, type Post, type PostChanges, postTexts, type PostWithHTML, statusAt } from "./post.ts";
import { refuseReserved } from "./reserved-slugs.ts";
import { keepRevision } from "./revisions.ts";
import { postColumns, type PostRow, toPost } from "./rows.ts";
import { chooseSlug, isReservedFor, reserveSlug } from "./slugs.ts";
import { getPostHead } from "./store.ts";

/** `html` is the rendered content. What is imported has its own times, and is not part of the activity. */
export async function insertPost(
  tx: Queries,
  owner: NonNullable<Viewer>,
  draft: NewPost & { imported?: { createdAt: number; updatedAt: number } },
  html: RenderedHTML,
): Promise<PostWithHTML> {
  const now = Date.now();
  const { createdAt, updatedAt } = draft.imported ?? { createdAt: now, updatedAt: now };
  const isPage = draft.kind === "page";
  if (isPage && draft.slug !== undefined) refuseReserved(draft.slug);
  if (draft.slug !== undefined) await isReservedFor(tx, null, draft.slug);
  const [cover, slug] = await Promise.all([
    findCover(tx, owner, draft.coverID),
    draft.slug ?? chooseSlug(tx, draft.title, draft.kind),
  ]);
  const publishedAt = draft.publishedAt === undefined ? now : toTime(draft.publishedAt);
  const status = statusAt(publishedAt, now);
  const tags = uniqueTags(draft.tags);
  const flag = flagFor(draft.visibility);
  const row = (await tx.get<PostRow>(sql`
    INSERT INTO posts (owner_id, is_page, title, content, slug, status, is_private, chosen_private, published_at,
      comments_closed_at, tags, excerpt, cover_id, revised_at, revised_by, created_at, updated_at)
    VALUES (${owner.id}, ${Number(isPage)}, ${draft.title}, ${draft.content}, ${slug}, ${status}, ${status === "published" ? flag : sql`1`},
      ${flag}, ${publishedAt}, ${draft.commentsOpen && !isPage ? null : now}, ${JSON.stringify(tags)}, ${toExcerpt(draft.excerpt)},
      ${selectCover(draft.coverID)}, ${updatedAt}, ${owner.id}, ${createdAt}, ${updatedAt})
    RETURNING id, ${postColumns}`)) as PostRow;
  const post = toPost({ ...row, made_excerpt: html?.excerpt ?? null }, cover);
  const change = { kind: "post", action: draft.imported ? null : "created", actorID: owner.id } as const;
  await recordChange(tx, toWritten(row, post), { ...change, before: null, after: row, texts: postTexts(post) });
  reserveSlug(tx, post.id, slug);
  addHTML(tx, post.id, html);
  return withHTML(tx, owner, post, html?.html ?? null);
}

/** `html` is the rendered content. Without it, content that has changed is rendered later. An import is one activity. */
export async function updatePost(
  tx: Queries,
  viewer: Viewer,
  id: number,
  { html, isImported = false, ...changed }: PostChanges & { html?: RenderedHTML; isImported?: boolean },
): Promise<PostWithHTML> {
  const before = await tx.get<PostRow & { html: string | null }>(sql`
    SELECT id, ${postColumns}, ${html === undefined ? storedHTML : sql`NULL`} AS html FROM posts
    WHERE id = ${id} AND trash_id IS NULL ${tx.forUpdate}`);
  if (!before) throw missing(`blog post ${id}`);
  const now = Date.now();
  const chosen = await findCover(tx, viewer, changed.coverID);
  const kept =
    changed.coverID === undefined && before.cover_id ? await findPhotos(tx, viewer, [before.cover_id]) : null;
  const after = { ...before, ...toColumns(before, changed, now) };
  if (after.slug !== null && after.slug !== before.slug) {
    if (before.is_page === 1) refuseReserved(after.slug);
    if (!(await isReservedFor(tx, id, after.slug))) reserveSlug(tx, id, after.slug);
  }
  const different = changeable.filter((column) => after[column] !== before[column]);
  const isRevised = different.some((column) => revised.has(column));
  if (isRevised) keepRevision(tx, id);
  const assignments = different.map((column) =>
    column === "cover_id" ? sql`cover_id = ${selectCover(after.cover_id)}` : sql`${raw(column)} = ${after[column]}`,
  );
  const author = viewer?.id ?? null;
  const number = isRevised ? [sql`revision = revision + 1`, sql`revised_at = ${now}`, sql`revised_by = ${author}`] : [];
  await tx.run(sql`UPDATE posts SET ${joined([...assignments, ...number, sql`updated_at = ${now}`])} WHERE id = ${id}`);
  const isOtherContent = after.content !== before.content;
  if (html !== undefined || isOtherContent) replaceHTML(tx, id, html ?? null);
  const made = { made_excerpt: html?.excerpt ?? null, updated_at: now };
  const post = toPost({ ...after, ...made }, chosen ?? kept?.get(before.cover_id ?? 0) ?? null);
  const isPublished = before.status !== "published" && after.status === "published";
  const action = isImported ? null : isPublished ? "published" : "changed";
  const change = { kind: "post", action, actorID: author } as const;
  await recordChange(tx, toWritten(after, post), { ...change, before, after, texts: postTexts(post) });
  const isSameHTML = html === undefined && !isOtherContent;
  return withHTML(tx, viewer, post, isSameHTML ? before.html : (html?.html ?? null));
}

/** A join cannot be locked. */
const storedHTML = sql`(SELECT post_html.html FROM post_html WHERE post_html.post_id = posts.id)`;

/** The columns of which a change makes a revision. */
const revised = new Set<keyof PostRow>(["title", "content", "excerpt", "tags", "cover_id"]);
const changeable = [
  ...(["title", "content", "excerpt", "tags", "cover_id", "slug", "status", "is_private", "chosen_private"] as const),
  ...(["published_at", "comments_closed_at"] as const),
];

/** The columns that a change sets, as they are afterwards. */
function toColumns(before: PostRow, changed: PostChanges, now: number): Partial<PostRow> {
  const published_at = changed.publishedAt === undefined ? before.published_at : toTime(changed.publishedAt);
  const status = changed.publishedAt === undefined ? before.status : statusAt(published_at, now);
  const chosen_private = changed.visibility ? Number(changed.visibility === "private") : before.chosen_private;
  return {
    ...(changed.title === undefined ? {} : { title: changed.title }),
    ...(changed.content === undefined ? {} : { content: changed.content }),
    ...(changed.slug === undefined ? {} : { slug: changed.slug }),
    ...(changed.coverID === undefined ? {} : { cover_id: changed.coverID }),
    ...(changed.excerpt === undefined ? {} : { excerpt: toExcerpt(changed.excerpt) }),
    ...(changed.tags === undefined ? {} : { tags: JSON.stringify(uniqueTags(changed.tags)) }),
    ...(changed.commentsOpen === undefined ? {} : { comments_closed_at: closedAt(before, changed.commentsOpen, now) }),
    status,
    published_at,
    chosen_private,
    is_private: status === "published" ? chosen_private : 1,
  };
}

const closedAt = ({ is_page, comments_closed_at }: PostRow, isOpen: boolean, now: number) =>
  isOpen && is_page === 0 ? null : (comments_closed_at ?? now);

const toTime = (time: string | null): number | null => (time === null ? null : new Date(time).getTime());
const toExcerpt = (text: string | null): string | null => (text?.trim() ? text.trim() : null);

/** Throws if there is no photo with this id that the viewer may see. */
async function findCover(db: Reader, viewer: Viewer, id: number | null | undefined): Promise<Photo | null> {
  const cover = id ? (await findPhotos(db, viewer, [id])).get(id) : null;
  if (cover === undefined) throw invalid(`"coverID" is invalid: there is no photo ${id}.`, "coverID");
  return cover;
}

/** Null for a photo that was deleted in the meantime: otherwise the foreign key would fail. */
const selectCover = (id: number | null): Sql => sql`(SELECT id FROM photos WHERE id = ${id} AND trash_id IS NULL)`;

/** What only the owner and admins can see, only they can find. */
const toWritten = ({ is_private }: Pick<PostRow, "is_private">, { id, ownerID, title }: Post) => ({
  id,
  ownerID,
  name: title,
  visibility: toVisibility(is_private),
});

/** Comments need no trash id of their own: they are only reached through their post. */
export async function trashPost(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const post = await getPostHead(tx, seesEverything, id, tx.forUpdate);
  await trash.put(tx, "post", post, { name: post.name, deletedByID });
}
