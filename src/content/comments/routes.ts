import { z } from "zod";
import { batchResultSchema, changeEach, changeTogether, movesToTrash } from "../../core/records/batch.ts";
import { invalid, unauthorized } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { tagOf } from "../../platform/http/if-match.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { isGuest, type Route, route, type Viewer } from "../../platform/http/route.ts";
import { queryInteger } from "../../platform/http/validate.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { changeComment, removeComment } from "./change.ts";
import {
  checkChanges,
  commentBatchSchema,
  commentChangesSchema,
  type CommentRecord,
  type CommentStatus,
  commentSchema,
  mayChangeComment,
  newCommentSchema,
  statusSchema,
} from "./comment.ts";
import {
  getComment,
  insertComment,
  listComments,
  listCommentsByKey,
  lockComment,
  moderatedBy,
  readComment,
  trashComment,
  updateComment,
  type Wanted,
} from "./store.ts";
import { findTarget, targetsIn } from "./target.ts";

const tag = "Comments";

const target = queryInteger(Number.MAX_SAFE_INTEGER).optional();

const listQuery = z.object({
  blogPostID: target.meta({
    description: "The comments on this post. Required, unless `photoID`, `albumID` or `status` is sent.",
    example: 1,
  }),
  photoID: target.meta({ description: "The comments on this photo, instead of a post." }),
  albumID: target.meta({ description: "The comments on this album, instead of a post." }),
  status: statusSchema.optional().meta({
    description:
      "Only comments with this status. Without anything else: those on your posts, photos and albums, and for admins all.",
  }),
});

export function commentRoutes(db: Database, trash: Trash): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/comments",
      name: "createComment",
      base: true,
      tag,
      summary: "Comment on a blog post, a photo or an album",
      details:
        "One of `blogPostID`, `photoID` and `albumID` says what it is on; the latter two need the setting `photoComments`. If first comments need approval, the comment waits until the owner of that or an admin makes it visible.",
      role: "reader",
      scope: "comments:write",
      body: newCommentSchema,
      status: 201,
      response: commentSchema,
      statuses: {
        403: "Comments on this post are closed, or photos and albums have none on this site",
        404: "There is no such blog post, photo or album",
      },
      responseHeaders: ["ETag"],
      handle: ({ body, caller, transaction }) =>
        transaction(async (tx) => withTag(await insertComment(tx, caller, body))),
    }),

    route({
      method: "GET",
      path: "/api/v1/comments",
      name: "listComments",
      base: true,
      tag,
      summary: "List the comments on a blog post, a photo or an album, oldest first",
      details:
        "Of what does not exist or is hidden from you, there are none. With `status` alone, the comments that you may moderate.",
      query: listQuery,
      cursor: alwaysSortedBy(byID, "asc"),
      response: z.array(commentSchema),
      statuses: { 401: "`status` was sent alone and without a token" },
      personal: true,
      granted: true,
      async handle({ query, cursor, viewer }) {
        const { status } = query;
        const [one, another] = targetsIn(query);
        if (another) throw invalid('Send only one of "blogPostID", "photoID" and "albumID".');
        const wanted = one ? { target: await findTarget(db, viewer, one), status } : toModeratedBy(viewer, status);
        return cursor ? listCommentsByKey(db, viewer, wanted, cursor) : listComments(db, viewer, wanted);
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/comments/:id",
      name: "readComment",
      tag,
      summary: "Read a comment",
      personal: true,
      granted: true,
      response: commentSchema,
      handle: ({ params, viewer }) => readComment(db, viewer, params.id),
    }),

    route({
      method: "PUT",
      path: "/api/v1/comments/:id",
      name: "changeComment",
      base: true,
      tag,
      summary: "Change a comment",
      details: "Its author changes the content; the owner of what it is on changes the status; admins change both.",
      role: "reader",
      scope: "comments:write",
      find: ({ id }, caller) => getComment(db, caller, id),
      may: mayChangeComment,
      current: (tx, caller, { id }) => lockComment(tx, caller, id),
      body: commentChangesSchema,
      response: commentSchema,
      handle({ record, body, caller, transaction }) {
        checkChanges(caller, record, body);
        return transaction((tx) => updateComment(tx, caller, record.id, body));
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/comments/:id",
      name: "deleteComment",
      base: true,
      tag,
      summary: "Move a comment to the trash",
      details: "Allowed for the author of the comment, the owner of what it is on and admins. Replies to it are kept.",
      role: "reader",
      scope: "comments:write",
      find: ({ id }, caller) => getComment(db, caller, id),
      may: mayChangeComment,
      current: (tx, caller, { id }) => lockComment(tx, caller, id),
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashComment(tx, trash, record.id, caller.id));
        return { message: "The comment was moved to the trash." };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/comments/batch",
      name: "changeComments",
      tag,
      summary: "Change the status of many comments, or move them to the trash",
      details: "All comments that you may change are changed together. The result names those that you may not.",
      role: "reader",
      scope: "comments:write",
      body: commentBatchSchema,
      whenFull: movesToTrash,
      response: batchResultSchema,
      handle: changeTogether((tx, caller, { ids, status, trash: isTrashed }) =>
        changeEach(ids, async (id) => {
          if (status !== undefined) await changeComment(tx, caller, id, { status });
          if (isTrashed) await removeComment(tx, trash, caller, id);
        }),
      ),
    }),
  ];
}

function toModeratedBy(viewer: Viewer, status: CommentStatus | undefined): Wanted {
  if (status === undefined) throw invalid('"blogPostID" is required.', "blogPostID");
  if (!viewer || isGuest(viewer)) throw unauthorized('"status" without "blogPostID" needs a token: sign in first.');
  if (status === "visible" && viewer.role !== "admin")
    throw invalid('"status=visible" needs "blogPostID".', "blogPostID");
  return moderatedBy(viewer, status);
}

/** A client can change the comment again without reading it. */
async function withTag(comment: CommentRecord) {
  return { body: comment, headers: { ETag: await tagOf(comment) } };
}
