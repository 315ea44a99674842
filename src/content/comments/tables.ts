import {
  created,
  id,
  owner,
  person,
  ref,
  table,
  text,
  time,
  title,
  trash,
  updated,
} from "../../platform/database/table.ts";

const target = { isNeeded: true, comesAlong: true } as const;

export const commentsTable = table(
  "comments",
  {
    id: id(),
    owner_id: owner(undefined, { isPersonal: true }),
    trash_id: trash(),
    status: text("`visible`, `waiting` or `hidden`"),
    post_id: ref("post", "the post that it is about, or null", target),
    photo_id: ref("photo", "the photo that it is about, or null", target),
    album_id: ref("album", "the album that it is about, or null", target),
    parent_id: ref("comment", "the comment that it replies to"),
    content: title("its text, in Markdown"),
    created_at: created(),
    updated_at: updated(),
    source_url: text("the page of another site that it comes from (Webmention)"),
    source_kind: text("what that page is: `reply`, `like`, `repost` or `mention`"),
    source_author: text("who wrote that page, as it says"),
  },
  { exported: { file: "comments", about: "Comments on posts, photos and albums." } },
);

export const commentTables = [
  commentsTable,
  table(
    "approved_commenters",
    { user_id: person(), approved_at: time("when their comments stopped waiting for approval") },
    { key: ["user_id"], exported: { file: "approved-commenters", about: "Whose comments are shown at once." } },
  ),
  // Counted by the triggers of the other database.
  table("comment_counts", {}, { key: ["post_id", "status", "lane"], isTemporary: true }),
  table("photo_comment_counts", {}, { key: ["photo_id", "status", "lane"], isTemporary: true }),
  table("album_comment_counts", {}, { key: ["album_id", "status", "lane"], isTemporary: true }),
];
