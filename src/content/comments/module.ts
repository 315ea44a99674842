import type { Module } from "../../module.ts";
import { sql } from "../../platform/database/sql.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { commentSchema, commentTexts } from "./comment.ts";
import { commentCounts } from "./count.ts";
import { commentQueueRoute, waitingComments } from "./queue.ts";
import { restorableComments } from "./restorable.ts";
import { commentRoutes } from "./routes.ts";
import { findComments } from "./store.ts";
import { isTargetLive, targetKinds } from "./target.ts";
import { purgeCommentsOn, trashableComments } from "./trash.ts";

export const commentsModule: Module = {
  tags: { Comments: "Comments on blog posts, and on photos and albums where these have them." },
  tables: [
    { name: "comments", key: ["id"] },
    { name: "approved_commenters", key: ["user_id"] },
    // Counted by the triggers of the other database.
    { name: "comment_counts", key: ["post_id", "status", "lane"], isTemporary: true },
    { name: "photo_comment_counts", key: ["photo_id", "status", "lane"], isTemporary: true },
    { name: "album_comment_counts", key: ["album_id", "status", "lane"], isTemporary: true },
  ],
  kinds: [
    recordKind({
      name: "comment",
      table: "comments",
      schema: commentSchema,
      find: findComments,
      texts: commentTexts,
      trash: trashableComments,
      restorable: restorableComments,
      counted: {
        field: "comments",
        live: sql`SELECT id, owner_id FROM comments WHERE trash_id IS NULL AND ${isTargetLive}`,
      },
    }),
  ],
  maintained: [commentCounts],
  reactions: { purged: Object.fromEntries(targetKinds.map((kind) => [kind, purgeCommentsOn(kind)])) },
  notices: { waitingComments },
  open: ({ db, trash }) => ({ routes: [commentQueueRoute(db), ...commentRoutes(db, trash)] }),
};
