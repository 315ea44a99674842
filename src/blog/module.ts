import type { Module } from "../module.ts";
import { sql } from "../platform/database/sql.ts";
import { recordKind } from "../record-kind.ts";
import { trashableList } from "../trash/store.ts";
import { postSchema, postTexts } from "./post.ts";
import { blogRoutes } from "./routes.ts";
import { findPosts } from "./store.ts";

export const blogModule: Module = {
  tags: { Blog: "Posts, each with an optional cover photo." },
  tables: [{ name: "posts", key: ["id"] }],
  kinds: [
    recordKind({
      name: "post",
      table: "posts",
      schema: postSchema,
      find: findPosts,
      texts: postTexts,
      // Posts from an earlier version have up to two million characters.
      indexedAtOnce: 4,
      trash: trashableList("posts"),
      counted: { field: "posts", live: sql`SELECT owner_id FROM posts WHERE trash_id IS NULL` },
    }),
  ],
  open: ({ db, trash }) => ({ routes: blogRoutes(db, trash) }),
};
