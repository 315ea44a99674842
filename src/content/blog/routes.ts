import { z } from "zod";
import { forbidden } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { sortedBy } from "../../platform/http/cursor.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { line } from "../../platform/http/validate.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { ownerStatuses } from "../../core/users/owner.ts";
import { newPostSchema, postChangesSchema, postSchema, postWithHTMLSchema } from "./post.ts";
import type { Publisher } from "./publish.ts";
import {
  byPublication,
  getPost,
  getPostBySlug,
  getPostHead,
  listPosts,
  listPostsByKey,
  lockPost,
  postQuery,
} from "./store.ts";
import { withinQuota } from "./text-bytes.ts";
import { insertPost, trashPost, updatePost } from "./write.ts";

const tag = "Blog";

type Deps = {
  db: Database;
  trash: Trash;
  renderer: Renderer;
  publisher: Publisher;
  quotaBytes: number | null;
};

export function blogRoutes({ db, trash, renderer, publisher, quotaBytes }: Deps): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/blog",
      name: "createPost",
      base: true,
      tag,
      summary: "Create a blog post",
      details:
        'The content is Markdown. It is published at once; with `publishedAt: null` it is a draft, and with a time in the future it is published then. With `kind: "page"`, which is for admins, it becomes a page outside the blog.',
      role: "author",
      scope: "blog:write",
      body: newPostSchema,
      status: 201,
      response: postWithHTMLSchema,
      async handle({ body, caller, transaction }) {
        if (body.kind === "page" && caller.role !== "admin")
          throw forbidden("Only admins create pages: they stand beside the parts of the site.");
        const html = await renderer.render(body.content, caller.id);
        const post = await transaction((tx) =>
          withinQuota(tx, quotaBytes, null, () => insertPost(tx, caller, body, html)),
        );
        if (body.publishedAt) publisher.look();
        return post;
      },
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
      cursor: sortedBy({ createdAt: byID, publishedAt: byPublication }, "desc"),
      query: postQuery,
      response: z.array(postSchema),
      statuses: ownerStatuses,
      handle: ({ page, cursor, query, viewer }) =>
        cursor ? listPostsByKey(db, viewer, query, cursor) : listPosts(db, viewer, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/blog/by-slug",
      name: "readPostBySlug",
      tag,
      summary: "Read the blog post that has, or had, a slug",
      details: "If the post has another slug now, it is in the response: redirect to it.",
      personal: true,
      granted: true,
      query: z.object({ slug: line(100).meta({ example: "a-week-in-lisbon" }) }),
      response: postWithHTMLSchema,
      statuses: { 404: "There is no such blog post" },
      handle: ({ query, viewer }) => getPostBySlug(db, viewer, query.slug),
    }),

    route({
      method: "GET",
      path: "/api/v1/blog/:id",
      name: "readPost",
      base: true,
      tag,
      summary: "Read a blog post",
      personal: true,
      granted: true,
      response: postWithHTMLSchema,
      handle: ({ params, viewer }) => getPost(db, viewer, params.id),
    }),

    route({
      method: "PUT",
      path: "/api/v1/blog/:id",
      name: "changePost",
      base: true,
      tag,
      summary: "Change a blog post",
      details:
        "Omitted fields keep their values; `coverID: null` removes the cover, and `publishedAt: null` makes it a draft again. The slug does not follow the title.",
      role: "author",
      scope: "blog:write",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPost(tx, caller, id),
      body: postChangesSchema,
      response: postWithHTMLSchema,
      async handle({ record, body, caller, transaction }) {
        const rendered = body.content === undefined ? {} : { html: await renderer.render(body.content, caller.id) };
        const post = await transaction((tx) =>
          withinQuota(tx, quotaBytes, record.id, () => updatePost(tx, caller, record.id, { ...body, ...rendered })),
        );
        if (body.publishedAt) publisher.look();
        return post;
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/blog/:id",
      name: "deletePost",
      base: true,
      tag,
      summary: "Move a blog post and its comments to the trash",
      role: "author",
      scope: "blog:write",
      find: ({ id }, caller) => getPostHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPost(tx, caller, id),
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashPost(tx, trash, record.id, caller.id));
        return { message: `"${record.name}" was moved to the trash.` };
      },
    }),
  ];
}
