import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { postsTable, postTables } from "./tables.ts";
import { countNotice, isTheirs } from "../../core/records/notice.ts";
import { sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { plainTextOf } from "../../platform/markdown/excerpt.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { trashableList } from "../../core/trash/store.ts";
import { isLive } from "../../core/trash/trash.ts";
import { markMissingHTML, renderWaiting } from "./html.ts";
import { isHidden, postSchema, postTexts, type Status } from "./post.ts";
import { findPages } from "./public-pages.ts";
import { postTags } from "./post-tags.ts";
import { startPublisher } from "./publish.ts";
import { maintainedTags } from "./rebuild-tags.ts";
import { restorablePosts } from "./restorable.ts";
import { sharedPost } from "./share-reach.ts";
import { isInStatusIndexes } from "./status-indexes.ts";
import { postBytes } from "./text-bytes.ts";
import { thinRevisions } from "./thin-revisions.ts";
import { findPosts } from "./store.ts";
import { findPostUses } from "./uses.ts";

const loadRoutes = late(() =>
  Promise.all([import("./routes.ts"), import("./revision-routes.ts"), import("./preview.ts")]),
);

const minute = 60_000;
const hour = 60 * minute;
/** How much of a post is looked through for an excerpt that shows a match. */
const searched = 20_000;

export const blogModule: Module = {
  tags: { Blog: "Posts in Markdown, each with an optional cover photo, and their revisions." },
  tables: postTables,
  kinds: [
    recordKind({
      name: "post",
      table: postsTable,
      schema: postSchema,
      find: findPosts,
      texts: postTexts,
      image: ({ cover }) => cover?.variants[0]?.url ?? null,
      findPages,
      withoutMarkup: (content) => plainTextOf(content, searched),
      isPrivate: isHidden,
      // A post has up to a million characters.
      indexedAtOnce: 4,
      trash: trashableList("posts", { unlessSet: "is_page" }),
      shared: { post: sharedPost },
      restorable: restorablePosts,
      counted: { field: "posts" },
    }),
  ],
  maintained: [maintainedTags, postBytes],
  findUses: findPostUses,
  derived: [postTags],
  notices: {
    drafts: countNotice("Posts that are drafts.", (caller) => selectByStatus(caller, "draft")),
    scheduledPosts: countNotice("Posts that will be published.", (caller) => selectByStatus(caller, "scheduled")),
  },
  open({ db, trash, log, stopping, markdown: renderer, config: { quotaBytes } }) {
    const publisher = startPublisher(db, log);
    return {
      lateRoutes: {
        names: [
          "POST /api/v1/blog",
          "GET /api/v1/blog",
          "GET /api/v1/blog/by-slug",
          "GET /api/v1/blog/:id",
          "PUT /api/v1/blog/:id",
          "DELETE /api/v1/blog/:id",
          "GET /api/v1/blog/:id/revisions",
          "GET /api/v1/blog/:id/revisions/:number",
          "POST /api/v1/blog/:id/revisions/:number/restore",
          "POST /api/v1/blog/preview",
        ],
        base: [
          "POST /api/v1/blog",
          "GET /api/v1/blog",
          "GET /api/v1/blog/:id",
          "PUT /api/v1/blog/:id",
          "DELETE /api/v1/blog/:id",
        ],
        async load() {
          const [{ blogRoutes }, { revisionRoutes }, { previewRoute }] = await loadRoutes();
          return [
            ...blogRoutes({ db, trash, renderer, publisher, quotaBytes }),
            ...revisionRoutes(db, renderer, quotaBytes),
            previewRoute(db, renderer),
          ];
        },
      },
      jobs: [
        { name: "posts to render", everyMs: minute, run: () => renderWaiting(db, renderer, stopping) },
        { name: "revisions", everyMs: hour, deletesByAge: true, run: () => thinRevisions(db, stopping) },
        { name: "posts without HTML", everyMs: hour, run: () => markMissingHTML(db, stopping) },
      ],
      close: publisher.close,
    };
  },
};

/** `status` is one of posts that are private. They are found by it: SQLite would rather read all posts that are not pages. */
const selectByStatus = (caller: Caller, status: Exclude<Status, "published">): Sql => sql`
  SELECT id FROM posts
  WHERE ${isLive} AND ${isInStatusIndexes} AND status = ${status} AND ${unindexed("is_page")} = 0
    AND ${isTheirs(caller, sql`owner_id`)}`;
