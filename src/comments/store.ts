import { recordActivity } from "../activity/record.ts";
import { invalid, missing } from "../errors.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../platform/database/keyset.ts";
import { mapSlices, readSlices, type Slices } from "../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import { indexRecord } from "../platform/search/documents.ts";
import type { Trashable } from "../record-kind.ts";
import { isLive, type Trash } from "../trash/trash.ts";
import { isVisibleTo, seesEverything } from "../visibility.ts";
import { type CommentRecord, commentTexts } from "./comment.ts";

const commentsAtOnce = 100;

type CommentRow = {
  id: number;
  post_id: number;
  owner_id: number;
  username: string;
  content: string;
  created_at: number;
  updated_at: number;
  post_owner_id: number;
};

/** Comments that are not in the trash, on posts that the viewer may see and that are not in the trash. */
const selectComments = (viewer: Viewer): Sql => sql`
  SELECT comments.id, comments.post_id, comments.owner_id, users.username, comments.content, comments.created_at,
    comments.updated_at, posts.owner_id AS post_owner_id
  FROM comments
  JOIN users ON users.id = comments.owner_id
  JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND ${isVisibleTo(viewer, "posts.")}
  WHERE comments.trash_id IS NULL`;

type Author = NonNullable<Viewer> & { username: string };
export type StoredComment = CommentRecord & { postOwnerID: number };

export async function getComment(db: Reader, viewer: Viewer, id: number): Promise<StoredComment> {
  const row = await db.get<CommentRow>(sql`${selectComments(viewer)} AND comments.id = ${id}`);
  if (!row) throw missing(`comment ${id}`);
  return { ...toComment(row), postOwnerID: row.post_owner_id };
}

async function readComment(db: Reader, viewer: Viewer, id: number): Promise<CommentRecord> {
  const { postOwnerID: _, ...comment } = await getComment(db, viewer, id);
  return comment;
}

/** Locks the comment until the transaction ends, and returns its current state. */
export async function lockComment(tx: Queries, viewer: Viewer, id: number): Promise<CommentRecord> {
  await tx.get(sql`SELECT id FROM comments WHERE id = ${id} ${tx.forUpdate}`);
  return readComment(tx, viewer, id);
}

export async function findComments(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, CommentRecord>> {
  const rows = await inChunks(ids, (some) =>
    db.all<CommentRow>(sql`${selectComments(viewer)} AND comments.id IN (${list(some)})`),
  );
  return new Map(rows.map((row) => [row.id, toComment(row)]));
}

export function listComments(db: Reader, viewer: Viewer, postID: number): Slices<CommentRecord> {
  const read = (last: CommentRow | null, size: number) =>
    db.all<CommentRow>(sql`
      ${selectComments(viewer)} AND comments.post_id = ${postID} AND comments.id > ${last?.id ?? 0}
      ORDER BY comments.id LIMIT ${size} + 0`);
  return mapSlices(readSlices(read, { size: commentsAtOnce }), (rows) => rows.map(toComment));
}

export function listCommentsByKey(db: Reader, viewer: Viewer, postID: number, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "comments",
    where: [isLive, sql`post_id = ${postID}`],
    atOnce: commentsAtOnce,
    find: (ids) => findComments(db, viewer, ids),
  });
}

export async function insertComment(
  tx: Queries,
  author: Author,
  postID: number,
  content: string,
): Promise<CommentRecord> {
  const time = Date.now();
  const row = await tx.get<Omit<CommentRow, "username" | "post_owner_id">>(sql`
    INSERT INTO comments (post_id, owner_id, content, created_at, updated_at)
    SELECT id, CAST(${author.id} AS BIGINT), CAST(${content} AS TEXT), CAST(${time} AS BIGINT), CAST(${time} AS BIGINT)
    FROM posts WHERE id = ${postID} AND trash_id IS NULL AND ${isVisibleTo(author)}
    RETURNING id, post_id, owner_id, content, created_at, updated_at`);
  if (!row) throw missing(`blog post ${postID}`);
  const comment = toComment({ ...row, username: author.username });
  recordActivity(tx, author.id, "created", { ...comment, kind: "comment", name: content });
  await indexRecord(tx, "comment", comment, commentTexts(comment));
  return comment;
}

export async function updateComment(tx: Queries, caller: Viewer, id: number, content: string): Promise<CommentRecord> {
  await tx.run(
    sql`UPDATE comments SET content = ${content}, updated_at = ${Date.now()} WHERE id = ${id} AND trash_id IS NULL`,
  );
  const comment = await readComment(tx, caller, id);
  recordActivity(tx, caller?.id ?? null, "changed", { ...comment, kind: "comment", name: content });
  await indexRecord(tx, "comment", comment, commentTexts(comment));
  return comment;
}

export async function trashComment(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const comment = await tx.get<{ id: number; ownerID: number; content: string }>(sql`
    SELECT id, owner_id AS "ownerID", content FROM comments WHERE id = ${id} AND trash_id IS NULL ${tx.forUpdate}`);
  if (!comment) throw missing(`comment ${id}`);
  await trash.put(tx, "comment", comment, { name: comment.content, deletedByID });
}

export const trashableComments: Trashable = {
  async mark(tx, id, trashID) {
    await tx.run(sql`UPDATE comments SET trash_id = ${trashID} WHERE id = ${id}`);
  },
  async restore(tx, trashID) {
    const row = await tx.get<{ id: number }>(
      sql`UPDATE comments SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`,
    );
    const isShown = row && (await tx.get(sql`${selectComments(seesEverything)} AND comments.id = ${row.id}`));
    if (!isShown) throw invalid("The blog post this comment belongs to is in the trash: restore the blog post first.");
  },
  async purge(tx, trashID) {
    await tx.run(sql`DELETE FROM comments WHERE trash_id = ${trashID}`);
    return true;
  },
};

function toComment(row: Omit<CommentRow, "post_owner_id">): CommentRecord {
  return {
    id: row.id,
    content: row.content,
    blogPostID: row.post_id,
    ownerID: row.owner_id,
    author: { id: row.owner_id, username: row.username },
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
