import { invalid, missing } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { mapSlices, readSlices, type Slices } from "../../platform/database/slices.ts";
import { inChunks, joinedBy, list, raw, sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { recordChange } from "../../core/activity/record-change.ts";
import { firstCommentsWait, photosHaveComments } from "../../core/settings/store.ts";
import { isLive, type Trash } from "../../core/trash/trash.ts";
import { isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import {
  type CommentChanges,
  type CommentRecord,
  type CommentStatus,
  commentTexts,
  type MentionKind,
  type NewComment,
  type StoredComment,
} from "./comment.ts";
import { isInStatusIndex } from "./status-index.ts";
import {
  isOn,
  joinedOwner,
  joinTargets,
  refusal,
  type Target,
  type TargetID,
  type TargetKind,
  targetOf,
  targetOwner,
  targets,
} from "./target.ts";

const commentsAtOnce = 100;

type CommentRow = {
  id: number;
  target_kind: TargetKind;
  target_id: number;
  owner_id: number;
  username: string;
  content: string;
  status: CommentStatus;
  parent_id: number | null;
  created_at: number;
  updated_at: number;
  source_url: string | null;
  source_kind: MentionKind | null;
  source_author: string | null;
  target_owner_id: number;
};

/** Of the comments, those that the viewer may see; `table` is their name in the statement. */
function isShownTo(viewer: Viewer, table: "comments" | "parents"): Sql {
  if (viewer?.role === "admin") return sql`1 = 1`;
  const name = raw(table);
  const own = viewer ? sql`OR ${name}.owner_id = ${viewer.id} OR ${joinedOwner} = ${viewer.id}` : sql``;
  return sql`(${name}.status = 'visible' AND (${name}.target_kind = 'post' OR ${photosHaveComments} = 1) ${own})`;
}

/** Comments that are not in the trash, on what the viewer may see and is not in the trash. */
const selectComments = (viewer: Viewer): Sql => sql`
  SELECT comments.id, comments.target_kind, comments.target_id, comments.owner_id, users.username, comments.content,
    comments.status, parents.id AS parent_id, comments.created_at, comments.updated_at, comments.source_url,
    comments.source_kind, comments.source_author, ${joinedOwner} AS target_owner_id
  FROM comments
  JOIN ${known("users")} ON users.id = comments.owner_id
  ${joinTargets(viewer)}
  LEFT JOIN ${known("comments")} AS parents
    ON parents.id = comments.parent_id AND parents.trash_id IS NULL AND ${isShownTo(viewer, "parents")}
  WHERE comments.trash_id IS NULL AND ${joinedOwner} IS NOT NULL AND ${isShownTo(viewer, "comments")}`;

async function findComment(db: Reader, viewer: Viewer, id: number): Promise<StoredComment | null> {
  const row = await db.get<CommentRow>(sql`${selectComments(viewer)} AND comments.id = ${id}`);
  return row && { ...toComment(row), targetOwnerID: row.target_owner_id };
}

export async function getComment(db: Reader, viewer: Viewer, id: number): Promise<StoredComment> {
  const comment = await findComment(db, viewer, id);
  if (!comment) throw missing(`comment ${id}`);
  return comment;
}

/** As clients get it. */
export async function readComment(db: Reader, viewer: Viewer, id: number): Promise<CommentRecord> {
  const { targetOwnerID: _, ...comment } = await getComment(db, viewer, id);
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

/**
 * Which comments to list: those on one target, of which there are none if the viewer does not see it (null); or those on all
 * that belongs to an owner, or all (null).
 */
export type Wanted =
  | { target: Target | null; status: CommentStatus | undefined }
  | { targetOwnerID: number | null; status: CommentStatus };

/** All comments of this status that the user may moderate. */
export const moderatedBy = ({ id, role }: NonNullable<Viewer>, status: CommentStatus): Wanted => ({
  targetOwnerID: role === "admin" ? null : id,
  status,
});

/** The conditions of the rows. A page has no gaps for comments on the target that the viewer may not see. */
function conditionsOf(viewer: Viewer, wanted: Wanted): [Sql, ...Sql[]] {
  if (!("target" in wanted)) {
    const { targetOwnerID, status } = wanted;
    // An owner may have very many posts and photos, but few comments that are not visible. Visible ones follow their ids.
    const ofIndex = status === "visible" ? [] : [isInStatusIndex];
    const ofOwner = targetOwnerID === null ? [] : [sql`${targetOwner} = ${targetOwnerID}`];
    return [sql`comments.status = ${status}`, ...ofIndex, ...ofOwner];
  }
  const { target, status } = wanted;
  if (!target) return [sql`1 = 0`];
  const ofStatus = status ? [sql`comments.status = ${status}`] : [];
  const own = viewer ? sql`OR comments.owner_id = ${viewer.id}` : sql``;
  const areShown = target.kind === "post" ? sql`` : sql`AND ${photosHaveComments} = 1`;
  const seen = isOwnerOrAdmin(viewer, target) ? [] : [sql`(comments.status = 'visible' ${areShown} ${own})`];
  return [isOn(target), ...ofStatus, ...seen];
}

/** Oldest first. */
export function listComments(db: Reader, viewer: Viewer, wanted: Wanted): Slices<CommentRecord> {
  const where = joinedBy(" AND ", conditionsOf(viewer, wanted));
  const read = (last: CommentRow | null, size: number) =>
    db.all<CommentRow>(sql`
      ${selectComments(viewer)} AND ${where} AND comments.id > ${last?.id ?? 0}
      ORDER BY comments.id LIMIT ${size}`);
  return mapSlices(readSlices(read, { size: commentsAtOnce }), (rows) => rows.map(toComment));
}

export function listCommentsByKey(db: Reader, viewer: Viewer, wanted: Wanted, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "comments",
    where: [isLive, ...conditionsOf(viewer, wanted)],
    atOnce: commentsAtOnce,
    bytes: sql`octet_length(content)`,
    find: (ids) => findComments(db, viewer, ids),
  });
}

/**
 * The id after which a page of comments on a target starts that ends with the comment `last`, or before it if it does not
 * exist; 0 for the first page.
 */
export async function findPageStart(
  db: Reader,
  viewer: Viewer,
  wanted: Wanted,
  { last, size }: { last: number; size: number },
): Promise<number> {
  const where = joinedBy(" AND ", [isLive, ...conditionsOf(viewer, wanted)]);
  const row = await db.get<{ id: number }>(sql`
    SELECT id FROM comments WHERE ${where} AND id <= ${last} ORDER BY id DESC LIMIT 1 OFFSET ${size}`);
  return row?.id ?? 0;
}

type Author = NonNullable<Viewer> & { username: string };

export async function insertComment(tx: Queries, author: Author, draft: NewComment): Promise<CommentRecord> {
  const { parentID, content } = draft;
  const target = targetOf(draft);
  const { table, isOpen } = targets[target.kind];
  if (parentID !== null) await checkParent(tx, author, parentID, target);
  const time = Date.now();
  const row = await tx.get<Omit<CommentRow, "username" | "target_owner_id">>(sql`
    INSERT INTO comments (target_kind, target_id, owner_id, parent_id, content, status, created_at, updated_at)
    SELECT CAST(${target.kind} AS TEXT), id, CAST(${author.id} AS BIGINT), CAST(${parentID} AS BIGINT), CAST(${content} AS TEXT),
      ${firstStatus(author)}, CAST(${time} AS BIGINT), CAST(${time} AS BIGINT)
    FROM ${table} WHERE id = ${target.id} AND ${isOpen} AND ${isLive} AND ${isVisibleTo(author, thisTable)}
    ${tx.forShare}
    RETURNING id, target_kind, target_id, owner_id, parent_id, content, status, created_at, updated_at,
      source_url, source_kind, source_author`);
  if (!row) throw await refusal(tx, author, target);
  const comment = toComment({ ...row, username: author.username });
  const change = { kind: "comment", action: "created", actorID: author.id } as const;
  const written = { ...comment, name: content };
  await recordChange(tx, written, { ...change, before: null, after: row, texts: commentTexts(comment) });
  return comment;
}

/** The status of a new comment on the target of the statement. Admins and the owner of the target do not wait. */
function firstStatus({ id, role }: NonNullable<Viewer>): Sql {
  if (role === "admin") return sql`'visible'`;
  return sql`
    CASE WHEN owner_id = ${id} OR ${firstCommentsWait} = 0
      OR EXISTS (SELECT 1 FROM approved_commenters WHERE user_id = ${id})
      OR EXISTS (SELECT 1 FROM comments AS earlier WHERE earlier.owner_id = ${id} AND earlier.status = 'visible')
    THEN 'visible' ELSE 'waiting' END`;
}

/** Only a comment on the same target that the author sees, and that is no reply, can be replied to. */
async function checkParent(db: Reader, author: Viewer, parentID: number, target: TargetID): Promise<void> {
  const parent = await findComment(db, author, parentID);
  const { kind, id } = parent ? targetOf(parent) : { kind: null, id: 0 };
  if (kind !== target.kind || id !== target.id) {
    const what = target.kind;
    throw invalid(`"parentID" is invalid: there is no comment ${parentID} on this ${what}.`, "parentID");
  }
  const row = await db.get<Pick<CommentRow, "parent_id">>(sql`SELECT parent_id FROM comments WHERE id = ${parentID}`);
  if (row?.parent_id) throw invalid(`"parentID" is invalid: comment ${parentID} is a reply itself.`, "parentID");
}

/** The caller may make the change. */
export async function updateComment(
  tx: Queries,
  caller: Viewer,
  id: number,
  { content, status }: CommentChanges,
): Promise<CommentRecord> {
  await tx.run(sql`
    UPDATE comments SET updated_at = ${Date.now()}
      ${content === undefined ? sql`` : sql`, content = ${content}`}
      ${status === undefined ? sql`` : sql`, status = ${status}`}
    WHERE id = ${id} AND ${isLive}`);
  const comment = await readComment(tx, caller, id);
  const change = { kind: "comment", action: "changed", actorID: caller?.id ?? null } as const;
  const texts = content === undefined ? null : commentTexts(comment);
  await recordChange(tx, { ...comment, name: comment.content }, { ...change, before: {}, after: {}, texts });
  if (status === "visible" && comment.source === null) approve(tx, comment.ownerID);
  return comment;
}

/** Further comments of this account do not wait for approval. */
function approve(tx: Queries, userID: number): void {
  tx.later(sql`
    INSERT INTO approved_commenters (user_id, approved_at) VALUES (${userID}, ${Date.now()})
    ON CONFLICT (user_id) DO NOTHING`);
}

export async function trashComment(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const comment = await tx.get<{ id: number; ownerID: number; content: string }>(sql`
    SELECT id, owner_id AS "ownerID", content FROM comments WHERE id = ${id} AND ${isLive} ${tx.forUpdate}`);
  if (!comment) throw missing(`comment ${id}`);
  await trash.put(tx, "comment", comment, { name: comment.content, deletedByID });
}

/** The same for many. Returns how many were not in the trash. */
export async function trashComments(tx: Queries, trash: Trash, ids: number[], deletedByID: number): Promise<number> {
  const comments = await inChunks(ids, (some) =>
    tx.all<{ id: number; ownerID: number; name: string }>(sql`
      SELECT id, owner_id AS "ownerID", content AS name FROM comments WHERE id IN (${list(some)}) AND ${isLive}`),
  );
  return trash.putAll(tx, "comment", comments, deletedByID);
}

function toComment(row: Omit<CommentRow, "target_owner_id">): CommentRecord {
  return {
    id: row.id,
    content: row.content,
    blogPostID: idOn("post", row),
    photoID: idOn("photo", row),
    albumID: idOn("album", row),
    parentID: row.parent_id,
    status: row.status,
    ownerID: row.owner_id,
    author: { id: row.owner_id, username: row.source_url === null ? row.username : hostOf(row.source_url) },
    source:
      row.source_url === null
        ? null
        : { url: row.source_url, kind: row.source_kind ?? "mention", author: row.source_author },
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

const idOn = (kind: TargetKind, { target_kind, target_id }: Pick<CommentRow, "target_kind" | "target_id">) =>
  target_kind === kind ? target_id : null;

/** Nobody can give themselves the name of somebody else: what a page says of its author is in `source`. */
const hostOf = (url: string): string => new URL(url).host;
