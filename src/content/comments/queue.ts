import { z } from "zod";
import { findPostLinks } from "../blog/store.ts";
import { countNotice, isTheirs, maxCounted } from "../../core/records/notice.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { sql, unindexed } from "../../platform/database/sql.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { type CommentRecord, commentSchema } from "./comment.ts";
import { listCommentsByKey, moderatedBy } from "./store.ts";

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
      .meta({ description: "The post that it is on." }),
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
      "Those on your posts; for admins, those on all posts. `POST /api/v1/comments/batch` approves, hides or deletes many of them.",
    role: "reader",
    query: statusQuery,
    cursor: byStatus,
    response: z.array(queuedSchema),
    async handle({ query, caller, cursor }) {
      const { items, next } = await listCommentsByKey(db, caller, moderatedBy(caller, query.status), cursor);
      return { items: mapSlices(items, (comments) => addPosts(db, comments)), next };
    },
  });

export const waitingComments = countNotice(
  "Comments that wait for your approval.",
  (caller) => sql`
    SELECT posts.id FROM (
      SELECT post_id FROM comments WHERE status = 'waiting' AND ${isLive} LIMIT ${maxCounted}) AS waiting
    JOIN posts ON posts.id = waiting.post_id AND posts.trash_id IS NULL AND ${isTheirs(caller, unindexed("posts.owner_id"))}`,
);

async function addPosts(db: Reader, comments: CommentRecord[]): Promise<QueuedComment[]> {
  const posts = await findPostLinks(db, [...new Set(comments.map(({ blogPostID }) => blogPostID))]);
  return comments.flatMap((comment) => {
    const post = posts.get(comment.blogPostID);
    return post ? { ...comment, post } : [];
  });
}
