import { z } from "zod";
import { getPostHead } from "../blog/store.ts";
import type { Database } from "../platform/database/database.ts";
import { byID } from "../platform/database/keyset.ts";
import { alwaysSortedBy } from "../platform/http/cursor.ts";
import { tagOf } from "../platform/http/if-match.ts";
import { isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import { queryInteger } from "../platform/http/validate.ts";
import type { Trash } from "../trash/trash.ts";
import { messageSchema } from "../platform/http/message.ts";
import {
  type CommentRecord,
  commentChangesSchema,
  commentSchema,
  mayDeleteComment,
  newCommentSchema,
} from "./comment.ts";
import {
  getComment,
  insertComment,
  listComments,
  listCommentsByKey,
  lockComment,
  trashComment,
  updateComment,
} from "./store.ts";

const tag = "Comments";

export function commentRoutes(db: Database, trash: Trash): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/comments",
      name: "createComment",
      base: true,
      tag,
      summary: "Comment on a blog post",
      details:
        "A single comment cannot be read, so its `ETag` is sent with the response to this request and to a change.",
      role: "reader",
      body: newCommentSchema,
      status: 201,
      answer: commentSchema,
      statuses: { 404: "There is no such blog post" },
      sends: ["ETag"],
      handle: async ({ body, caller }) =>
        withTag(await db.transaction((tx) => insertComment(tx, caller, body.blogPostID, body.content))),
    }),

    route({
      method: "GET",
      path: "/api/v1/comments",
      name: "listComments",
      base: true,
      tag,
      summary: "List the comments on a blog post, oldest first",
      query: z.object({ blogPostID: queryInteger(Number.MAX_SAFE_INTEGER).meta({ example: 1 }) }),
      cursor: alwaysSortedBy(byID, "asc"),
      answer: z.array(commentSchema),
      statuses: { 404: "There is no such blog post" },
      personal: true,
      async handle({ query, cursor, viewer }) {
        await getPostHead(db, viewer, query.blogPostID);
        return cursor
          ? listCommentsByKey(db, viewer, query.blogPostID, cursor)
          : listComments(db, viewer, query.blogPostID);
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/comments/:id",
      name: "changeComment",
      base: true,
      tag,
      summary: "Change a comment",
      role: "reader",
      find: ({ id }, caller) => getComment(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockComment(tx, caller, id),
      body: commentChangesSchema,
      answer: commentSchema,
      sends: ["ETag"],
      handle: async ({ record, body, caller, transaction }) =>
        withTag(await transaction((tx) => updateComment(tx, caller, record.id, body.content))),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/comments/:id",
      name: "deleteComment",
      base: true,
      tag,
      summary: "Move a comment to the trash",
      details: "Allowed for the author of the comment, the author of the post and admins.",
      role: "reader",
      find: ({ id }, caller) => getComment(db, caller, id),
      may: mayDeleteComment,
      current: (tx, caller, { id }) => lockComment(tx, caller, id),
      answer: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashComment(tx, trash, record.id, caller.id));
        return { message: "The comment was moved to the trash." };
      },
    }),
  ];
}

/** A single comment has no GET that could send its tag. */
async function withTag(comment: CommentRecord) {
  return { body: comment, headers: { ETag: await tagOf(comment) } };
}
