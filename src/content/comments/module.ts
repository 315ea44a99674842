import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { commentsTable, commentTables } from "./tables.ts";
import { sql } from "../../platform/database/sql.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { commentSchema, commentTexts } from "./comment.ts";
import { waitingComments } from "./queue.ts";
import { findComments } from "./store.ts";
import { isTargetLive, targetKinds } from "./target.ts";
import { keepTarget, purgeCommentsOn, trashableComments } from "./trash.ts";

const loadRoutes = late(() => Promise.all([import("./queue.ts"), import("./routes.ts")]));

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
  open: ({ db, trash }) => ({
    lateRoutes: {
      names: [
        "GET /api/v1/comments/queue",
        "POST /api/v1/comments",
        "GET /api/v1/comments",
        "GET /api/v1/comments/:id",
        "PUT /api/v1/comments/:id",
        "DELETE /api/v1/comments/:id",
        "POST /api/v1/comments/batch",
      ],
      base: [
        "POST /api/v1/comments",
        "GET /api/v1/comments",
        "PUT /api/v1/comments/:id",
        "DELETE /api/v1/comments/:id",
      ],
      async load() {
        const [{ commentQueueRoute }, { commentRoutes }] = await loadRoutes();
        return [commentQueueRoute(db), ...commentRoutes(db, trash)];
      },
    },
  }),
};
