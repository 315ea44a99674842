import { z } from "zod";
import type { Database } from "../platform/database/database.ts";
import { byID } from "../platform/database/keyset.ts";
import { sortedBy } from "../platform/http/cursor.ts";
import { offsetOf } from "../platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import type { Trash } from "../trash/trash.ts";
import { ownerQuery, ownerStatuses } from "../users/owner.ts";
import { messageSchema } from "../platform/http/message.ts";
import { newPostSchema, postChangesSchema, postSchema } from "./post.ts";
import {
  getPost,
  getPostHead,
  insertPost,
  listPosts,
  listPostsByKey,
  lockPost,
  trashPost,
  updatePost,
} from "./store.ts";

const tag = "Blog";

export function blogRoutes(db: Database, trash: Trash): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/blog",
      name: "createPost",
      base: true,
      tag,
      summary: "Create a blog post",
      role: "author",
      body: newPostSchema,
      status: 201,
      answer: postSchema,
      handle: ({ body, caller }) => db.transaction((tx) => insertPost(tx, caller, body)),
    }),

    route({
      method: "GET",
      path: "/api/v1/blog",
      name: "listPosts",
      base: true,
      tag,
      summary: "List blog posts, newest first",
      personal: true,
      paged: true,
      cursor: sortedBy({ createdAt: byID }, "desc"),
      query: ownerQuery,
      statuses: ownerStatuses,
      answer: z.array(postSchema),
      handle: ({ page, cursor, query, viewer }) =>
        cursor ? listPostsByKey(db, viewer, query, cursor) : listPosts(db, viewer, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/blog/:id",
      name: "readPost",
      base: true,
      tag,
      summary: "Read a blog post",
      personal: true,
      answer: postSchema,
      handle: ({ params, viewer }) => getPost(db, viewer, params.id),
    }),

    route({
      method: "PUT",
      path: "/api/v1/blog/:id",
      name: "changePost",
      base: true,
      tag,
      summary: "Change a blog post",
      details: "Omitted fields keep their values; `coverID: null` removes the cover.",
      role: "author",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPost(tx, caller, id),
      body: postChangesSchema,
      answer: postSchema,
      handle: ({ record, body, caller, transaction }) => transaction((tx) => updatePost(tx, caller, record.id, body)),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/blog/:id",
      name: "deletePost",
      base: true,
      tag,
      summary: "Move a blog post and its comments to the trash",
      role: "author",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPost(tx, caller, id),
      answer: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashPost(tx, trash, record.id, caller.id));
        return { message: `"${record.name}" was moved to the trash.` };
      },
    }),
  ];
}
