import type { Module } from "../../module.ts";
import { commentsTable, commentTables } from "./tables.ts";
import { sql } from "../../platform/database/sql.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { commentSchema, commentTexts } from "./comment.ts";
import { commentQueueRoute, waitingComments } from "./queue.ts";
import { commentRoutes } from "./routes.ts";
import { findComments } from "./store.ts";
import { isTargetLive, targetKinds } from "./target.ts";
import { keepTarget, purgeCommentsOn, trashableComments } from "./trash.ts";

export const commentsModule: Module = {
  tags: { Comments: "Comments on blog posts, and on photos and albums where these have them." },
  tables: commentTables,
  kinds: [
    recordKind({
      name: "comment",
      table: commentsTable,
      schema: commentSchema,
      find: findComments,
      texts: commentTexts,
      trash: trashableComments,
      // Comments come back along with what they are on.
      restorable: { words: {}, fit: keepTarget },
      counted: {
        field: "comments",
        live: sql`SELECT id, owner_id FROM comments WHERE trash_id IS NULL AND ${isTargetLive}`,
      },
    }),
  ],
  reactions: { purged: Object.fromEntries(targetKinds.map((kind) => [kind, purgeCommentsOn(kind)])) },
  notices: { waitingComments },
  open: ({ db, trash }) => ({ routes: [commentQueueRoute(db), ...commentRoutes(db, trash)] }),
};
