import { forbidden, missing, type Problem } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleOrGrantedTo, isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { photosHaveComments } from "../../core/settings/store.ts";
import { isLive } from "../../core/trash/trash.ts";

/** What comments are on. */
export type TargetKind = "post" | "photo" | "album";
export type TargetID = { kind: TargetKind; id: number };
export type Target = TargetID & { ownerID: number };

type Declared = {
  /** How people call it. */
  word: string;
  table: Sql;
  /** The condition of its rows that take new comments. */
  isOpen: Sql;
  closed: string;
};

const off = "Comments on photos and albums are switched off on this site.";

export const targets: Record<TargetKind, Declared> = {
  post: {
    word: "blog post",
    table: raw("posts"),
    isOpen: sql`comments_closed_at IS NULL`,
    closed: "Comments on this post are closed.",
  },
  photo: {
    word: "photo",
    table: raw("photos"),
    isOpen: sql`${photosHaveComments} = 1`,
    closed: off,
  },
  album: {
    word: "album",
    table: raw("albums"),
    isOpen: sql`${photosHaveComments} = 1`,
    closed: off,
  },
};
export const targetKinds = Object.keys(targets) as TargetKind[];

type Named = {
  blogPostID?: number | null | undefined;
  photoID?: number | null | undefined;
  albumID?: number | null | undefined;
};

/** What the fields name: a comment is on one of them. */
export function targetsIn({ blogPostID, photoID, albumID }: Named): TargetID[] {
  const ids = { post: blogPostID, photo: photoID, album: albumID };
  return targetKinds.flatMap((kind) => {
    const id = ids[kind];
    return id == null ? [] : [{ kind, id }];
  });
}

/** What a comment is on. */
export function targetOf(named: Named): TargetID {
  const [target] = targetsIn(named);
  if (!target) throw new Error("The comment is on nothing.");
  return target;
}

/** The condition of the comments on it. */
export const isOn = ({ kind, id }: TargetID): Sql => sql`comments.target_kind = ${kind} AND comments.target_id = ${id}`;

/** Null if the viewer may not see it, as if it did not exist. */
export async function findTarget(db: Reader, viewer: Viewer, { kind, id }: TargetID): Promise<Target | null> {
  const row = await db.get<{ owner_id: number }>(sql`
    SELECT owner_id FROM ${targets[kind].table}
    WHERE id = ${id} AND ${isLive} AND ${isVisibleOrGrantedTo(viewer, thisTable, kind)}`);
  return row && { kind, id, ownerID: row.owner_id };
}

export async function getTarget(db: Reader, viewer: Viewer, wanted: TargetID): Promise<Target> {
  const target = await findTarget(db, viewer, wanted);
  if (!target) throw missing(`${targets[wanted.kind].word} ${wanted.id}`);
  return target;
}

/**
 * The rows of what comments are on, where the viewer may see them: one of each comment's is there, or none. A share link to a
 * post also shows its comments; one to a photo or an album does not. An id that is null is not looked up.
 */
export const joinTargets = (viewer: Viewer): Sql => sql`
  LEFT JOIN ${known("posts")} ON posts.id = CASE comments.target_kind WHEN 'post' THEN comments.target_id END
    AND posts.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "posts.", "post")}
  LEFT JOIN ${known("photos")} ON photos.id = CASE comments.target_kind WHEN 'photo' THEN comments.target_id END
    AND photos.trash_id IS NULL AND ${isVisibleTo(viewer, "photos.")}
  LEFT JOIN ${known("albums")} ON albums.id = CASE comments.target_kind WHEN 'album' THEN comments.target_id END
    AND albums.trash_id IS NULL AND ${isVisibleTo(viewer, "albums.")}`;

/** The owner of what a comment is on, where `joinTargets` is in the statement. Null if that is not there. */
export const joinedOwner = sql`coalesce(posts.owner_id, photos.owner_id, albums.owner_id)`;

/** The owner of what a comment is on, whoever asks; in a statement that reads `comments`. */
export const targetOwner = sql`CASE comments.target_kind
  WHEN 'post' THEN (SELECT posts.owner_id FROM posts WHERE posts.id = comments.target_id)
  WHEN 'photo' THEN (SELECT photos.owner_id FROM photos WHERE photos.id = comments.target_id)
  WHEN 'album' THEN (SELECT albums.owner_id FROM albums WHERE albums.id = comments.target_id) END`;

/** Whether what a comment is on is not in the trash; in a statement that reads `comments`. */
export const isTargetLive = sql`CASE comments.target_kind
  WHEN 'post' THEN EXISTS (SELECT 1 FROM posts WHERE posts.id = comments.target_id AND posts.trash_id IS NULL)
  WHEN 'photo' THEN EXISTS (SELECT 1 FROM photos WHERE photos.id = comments.target_id AND photos.trash_id IS NULL)
  WHEN 'album' THEN EXISTS (SELECT 1 FROM albums WHERE albums.id = comments.target_id AND albums.trash_id IS NULL) END`;

/** Why nobody can comment on it now. */
export async function refusal(db: Reader, viewer: Viewer, { kind, id }: TargetID): Promise<Problem> {
  const { table, word, closed } = targets[kind];
  const isThere = await db.get(
    sql`SELECT id FROM ${table} WHERE id = ${id} AND ${isLive} AND ${isVisibleTo(viewer, thisTable)}`,
  );
  return isThere ? forbidden(closed) : missing(`${word} ${id}`);
}
