import {
  bytes,
  created,
  flag,
  fromOthers,
  id,
  json,
  number,
  owner,
  partOf,
  ref,
  table,
  tags,
  text,
  time,
  title,
  trash,
  updated,
  visibility,
} from "../../platform/database/table.ts";

const repair = "restore a backup from before the damage";
const without = fromOthers;

export const postsTable = table(
  "posts",
  {
    id: id(),
    owner_id: owner(),
    trash_id: trash(),
    is_page: flag("whether it is a page"),
    title: title("its title"),
    slug: text("its address"),
    status: text("`draft`, `scheduled` or `published`"),
    is_private: visibility(),
    chosen_private: flag("whether it is private once it is published"),
    published_at: time("when it was or will be published"),
    tags: tags(),
    excerpt: text("the summary that was written for it; null if none was"),
    cover_id: ref("photo", "its cover: a number in `photos`"),
    comments_closed_at: time("when its comments were closed"),
    revision: number("how many revisions it has had"),
    revised_at: time("when the last one was made"),
    revised_by: number("who made it"),
    created_at: created(),
    updated_at: updated(),
    content: text("its text, in Markdown"),
  },
  {
    exported: { file: "posts", about: "Posts and pages." },
    rowsAtOnce: 20,
    contradictions: [
      {
        where: "NOT EXISTS (SELECT 1 FROM post_bytes WHERE post_bytes.id = child.id)",
        what: "whose bytes are not counted",
        repair,
      },
    ],
  },
);

export const postTables = [
  postsTable,
  table(
    "post_slugs",
    { slug: text("an address that the post has or had"), post_id: partOf("posts") },
    {
      key: ["slug"],
      exported: { file: "slugs", about: "Every address that a post has had: it leads to the post." },
    },
  ),
  table("post_tags", {}, { key: ["post_id", "tag_key"], without }),
  table("post_html", { headings: json() }, { key: ["post_id"], rowsAtOnce: 20, without }),
  table("post_embeds", {}, { key: ["post_id", "kind", "record_id"], without }),
  table(
    "post_revisions",
    {
      post_id: partOf("posts", undefined, "revision"),
      number: number("the first is 1"),
      created_at: created("when it was written"),
      revised_by: number("who wrote it"),
      title: text("the title that it had"),
      excerpt: text("the summary that was written for it; null if none was"),
      cover_id: ref("photo", "its cover: a number in `photos`"),
      tags: tags("the tags that it had"),
      content: text("its text, in Markdown"),
    },
    { key: ["post_id", "number"], exported: { file: "revisions", about: "Earlier texts of posts." }, rowsAtOnce: 20 },
  ),
  // Counted again by the triggers of the other database.
  table(
    "post_bytes",
    {
      id: ref("post", "", { lost: { table: "posts", repair } }),
      bytes: bytes({
        counts: "stored",
        part: { field: "texts", description: "Blog posts with their revisions, including those in the trash." },
      }),
    },
    { isTemporary: true },
  ),
];
