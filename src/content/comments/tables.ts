import { count } from "../../platform/database/counts.ts";
import {
  created,
  id,
  local,
  owner,
  person,
  recordOf,
  ref,
  table,
  text,
  time,
  title,
  trash,
  updated,
} from "../../platform/database/table.ts";

const target = "`postID`, `photoID` or `albumID` says it";

export const commentsTable = table(
  "comments",
  {
    id: id(),
    owner_id: owner(undefined, { isPersonal: true }),
    trash_id: trash(),
    status: text("`visible`, `waiting` or `hidden`"),
    target_kind: local(target),
    target_id: {
      ...recordOf("target_kind", "", { repair: "restore a backup from before the damage" }),
      ref: { kind: { column: "target_kind" }, isNeeded: true, comesAlong: true },
      left: target,
    },
    parent_id: ref("comment", "the comment that it replies to"),
    content: title("its text, in Markdown"),
    created_at: created(),
    updated_at: updated(),
    source_url: text("the page of another site that it comes from (Webmention)"),
    source_kind: text("what that page is: `reply`, `like`, `repost` or `mention`"),
    source_author: text("who wrote that page, as it says"),
  },
  {
    exported: {
      file: "comments",
      about: "Comments on posts, photos and albums.",
      further: {
        postID: "the post that it is about, or null",
        photoID: "the photo that it is about, or null",
        albumID: "the album that it is about, or null",
      },
    },
  },
);

export const commentCounts = count("comment_counts", ["target_kind", "target_id", "status", "lane"], {
  what: "comments on posts, photos and albums",
  number: "comments",
  of: "comments",
  by: [
    {
      target_kind: (row) => `${row}.target_kind`,
      target_id: (row) => `${row}.target_id`,
      status: (row) => `${row}.status`,
    },
  ],
  where: (row) => `${row}.trash_id IS NULL`,
  triggeredBy: ["status", "trash_id"],
});

export const commentTables = [
  commentsTable,
  table(
    "approved_commenters",
    { user_id: person(), approved_at: time("when their comments stopped waiting for approval") },
    { key: ["user_id"], exported: { file: "approved-commenters", about: "Whose comments are shown at once." } },
  ),
  commentCounts,
];
