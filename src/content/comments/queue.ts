import { z } from "zod";
import { findAlbums } from "../albums/store.ts";
import { findPostLinks } from "../blog/store.ts";
import type { Photo } from "../photos/photo.ts";
import { findPhotos } from "../photos/store.ts";
import { countNotice, maxCounted } from "../../core/records/notice.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { sql } from "../../platform/database/sql.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { type CommentRecord, commentSchema } from "./comment.ts";
import { isInStatusIndex } from "./status-index.ts";
import { listCommentsByKey, moderatedBy } from "./store.ts";
import { isTargetLive, type TargetKind, targetOf, targetOwner } from "./target.ts";

const picture = z.string().nullable().meta({
  description: "The path of a small picture of it, or null.",
  example: "/api/v1/photos/7/image?w=320&v=1",
});

const queuedSchema = z
  .object({
    ...commentSchema.shape,
    post: z
      .object({
        id: z.int(),
        title: z.string().meta({ example: "A week in Lisbon" }),
        slug: z.string().meta({ example: "a-week-in-lisbon" }),
        kind: z.enum(["post", "page"]),
      })
      .nullable()
      .meta({ description: "The post that it is on, or null." }),
    photo: z
      .object({ id: z.int(), title: z.string().meta({ example: "Harbour at dusk" }), picture })
      .nullable()
      .meta({ description: "The photo that it is on, or null." }),
    album: z
      .object({ id: z.int(), name: z.string().meta({ example: "Lisbon" }), picture })
      .nullable()
      .meta({ description: "The album that it is on, or null." }),
  })
  .meta({ id: "QueuedComment", description: "A comment for moderators." });

type QueuedComment = z.output<typeof queuedSchema>;

const statusQuery = z.object({
  status: z
    .enum(["waiting", "hidden", "visible"])
    .default("waiting")
    .meta({ description: "Which comments to list. Visible ones are listed newest first." }),
});

/** What waits longest is decided first; of what is public, the newest matters most. */
const byStatus = {
  ...onlyByCursor(byID, "asc"),
  choose: ({ status }: Record<string, string>) => ({
    sort: byID,
    order: status === "visible" ? ("desc" as const) : ("asc" as const),
    chosen: {},
  }),
};

export const commentQueueRoute = (db: Database): Route =>
  route({
    method: "GET",
    path: "/api/v1/comments/queue",
    name: "listCommentQueue",
    tag: "Comments",
    summary: "List the comments that wait for your approval, oldest first",
    details:
      "Those on your posts, photos and albums; for admins, all. `POST /api/v1/comments/batch` approves, hides or deletes many of them.",
    role: "reader",
    query: statusQuery,
    cursor: byStatus,
    response: z.array(queuedSchema),
    async handle({ query, caller, cursor }) {
      const { items, next } = await listCommentsByKey(db, caller, moderatedBy(caller, query.status), cursor);
      return { items: mapSlices(items, (comments) => addTargets(db, caller, comments)), next };
    },
  });

export const waitingComments = countNotice("Comments that wait for your approval.", (caller) => {
  const isOfCaller = caller.role === "admin" ? sql`` : sql`AND ${targetOwner} = ${caller.id}`;
  return sql`
    SELECT comments.id FROM (
      SELECT id, target_kind, target_id FROM comments
      WHERE status = 'waiting' AND ${isInStatusIndex} AND ${isLive} LIMIT ${maxCounted}) AS comments
    WHERE ${isTargetLive} ${isOfCaller}`;
});

/** Moderators see what the comments are on. */
async function addTargets(db: Reader, caller: Caller, comments: CommentRecord[]): Promise<QueuedComment[]> {
  const idsOf = (kind: TargetKind) => [
    ...new Set(comments.map(targetOf).flatMap((target) => (target.kind === kind ? target.id : []))),
  ];
  const [posts, photos, albums] = await Promise.all([
    findPostLinks(db, idsOf("post")),
    findPhotos(db, caller, idsOf("photo")),
    findAlbums(db, caller, idsOf("album")),
  ]);
  return comments.flatMap((comment) => {
    const post = posts.get(comment.blogPostID ?? 0) ?? null;
    const photo = photos.get(comment.photoID ?? 0) ?? null;
    const album = albums.get(comment.albumID ?? 0) ?? null;
    if (!post && !photo && !album) return [];
    return {
      ...comment,
      post,
      photo: photo && { id: photo.id, title: photo.title, picture: pictureOf(photo) },
      album: album && { id: album.id, name: album.name, picture: pictureOf(album.cover) },
    };
  });
}

const pictureOf = (photo: Photo | null): string | null => photo?.variants[0]?.url ?? null;
