import { list, raw, sql } from "../../platform/database/sql.ts";
import { type FindUses, maxExamined, type Use } from "../../core/records/use.ts";
import { isVisibleTo } from "../../core/records/visibility.ts";

/** Posts embed records, and have photos as covers. */
export const findPostUses: FindUses = async (db, viewer, { kind, ids, ownerID }, limit) => {
  const isOwn = (postID: string) =>
    ownerID === undefined
      ? sql``
      : sql`AND EXISTS (SELECT 1 FROM posts WHERE posts.id = ${raw(postID)} AND posts.owner_id = ${ownerID})`;
  const covers = sql`
    SELECT * FROM (
      SELECT id, 'cover' AS use, cover_id AS used_id FROM posts AS cover_posts
      WHERE cover_id IN (${list(ids)}) AND trash_id IS NULL ${isOwn("cover_posts.id")} LIMIT ${maxExamined}) AS covers`;
  const embeds = sql`
    SELECT * FROM (
      SELECT post_id AS id, 'embed' AS use, record_id AS used_id FROM post_embeds
      WHERE kind = ${kind} AND record_id IN (${list(ids)}) ${isOwn("post_embeds.post_id")} LIMIT ${maxExamined}) AS embeds`;
  return db.all<Use>(sql`
    SELECT 'post' AS kind, posts.id, posts.title AS name, examined.use AS "as", examined.used_id AS "usedID"
    FROM (${kind === "photo" ? sql`${embeds} UNION ALL ${covers}` : embeds}) AS examined
    JOIN posts ON posts.id = examined.id AND posts.trash_id IS NULL AND ${isVisibleTo(viewer, "posts.")}
    ORDER BY posts.id DESC LIMIT ${limit}`);
};
