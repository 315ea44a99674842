import { hasChanged } from "../../platform/database/changes.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { joined, sql } from "../../platform/database/sql.ts";
import type { Derived } from "../../platform/database/tables.ts";
import { tagKey } from "../../core/records/tags.ts";
import { isListed } from "../../core/trash/trash.ts";

/** The columns of a post on which lists by tag depend. */
const copied = sql`owner_id, is_page, trash_id, is_private, status, published_at`;

/** `post_tags` as a list of posts by tag, with the same columns as `posts`. */
export const taggedPosts =
  "(SELECT post_id AS id, tag_key, owner_id, is_page, trash_id, is_private, status, published_at FROM post_tags) AS tagged";

/** Lists by tag follow from the posts. */
export const postTags: Derived = {
  kind: "post",
  from: ["tags", "trash_id", "is_private", "status", "published_at"],
  derive(tx, changes) {
    for (const change of changes) {
      const { id, before, after } = change;
      // Whoever deletes or restores a post does not know them.
      const tags = after.tags as string | undefined;
      if (tags === undefined) refreshTags(tx, id);
      else if (before === null) addTags(tx, id, JSON.parse(tags) as string[]);
      else if (hasChanged(change, ["tags"])) replaceTags(tx, id, JSON.parse(tags) as string[]);
      else if (tags !== "[]") refreshTags(tx, id);
    }
  },
};

/** Whether everyone may see a post with this tag. */
export async function hasPublicPosts(db: Reader, key: string): Promise<boolean> {
  const row = await db.get(sql`SELECT post_id FROM post_tags WHERE tag_key = ${key} AND ${isListed} LIMIT 1`);
  return row !== null;
}

/** The tags of a post whose row was written before. */
export function replaceTags(tx: Queries, postID: number, tags: string[]): void {
  tx.later(sql`DELETE FROM post_tags WHERE post_id = ${postID}`);
  addTags(tx, postID, tags);
}

function addTags(tx: Queries, postID: number, tags: string[]): void {
  if (tags.length === 0) return;
  const keys = joined(tags.map((tag) => sql`(CAST(${tagKey(tag)} AS TEXT))`));
  tx.later(sql`
    INSERT INTO post_tags (post_id, tag_key, ${copied})
    SELECT posts.id, keys.column1, ${copied} FROM posts CROSS JOIN (VALUES ${keys}) AS keys WHERE posts.id = ${postID}`);
}

function refreshTags(tx: Queries, postID: number): void {
  tx.later(sql`
    UPDATE post_tags SET (${copied}) = (SELECT ${copied} FROM posts WHERE posts.id = post_tags.post_id)
    WHERE post_id = ${postID}`);
}
