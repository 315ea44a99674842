import type { Database } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { tagKey } from "../../core/records/tags.ts";
import { replaceTags } from "./post-tags.ts";

const comparedAtOnce = 500;

type Copied = {
  owner_id: number;
  is_page: number;
  trash_id: number | null;
  is_private: number;
  status: string;
  published_at: number | null;
};
type PostRow = Copied & { id: number; tags: string };
type TagRow = Copied & { id: number; tag_key: string };

/** The lists by tag follow from the posts. */
export const maintainedTags: Maintained = {
  name: "tags of posts",
  async rebuild(db) {
    let corrected = 0;
    for (let last = 0; ;) {
      const posts = await db.all<PostRow>(sql`
        SELECT id, tags, owner_id, is_page, trash_id, is_private, status, published_at FROM posts
        WHERE id > ${last} ORDER BY id LIMIT ${comparedAtOnce}`);
      if (posts.length === 0) return corrected;
      const ids = posts.map(({ id }) => id);
      last = ids.at(-1) as number;
      const rows = await db.all<TagRow>(sql`
        SELECT post_id AS id, tag_key, owner_id, is_page, trash_id, is_private, status, published_at FROM post_tags
        WHERE post_id IN (${list(ids)})`);
      const byPost = Map.groupBy(rows, ({ id }) => id);
      for (const post of posts) {
        if (describe(byPost.get(post.id) ?? []) === describe(toRows(post))) continue;
        await correct(db, post.id);
        corrected++;
      }
    }
  },
};

async function correct(db: Database, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const post = await tx.get<Pick<PostRow, "tags">>(sql`SELECT tags FROM posts WHERE id = ${id} ${tx.forUpdate}`);
    replaceTags(tx, id, JSON.parse(post?.tags ?? "[]") as string[]);
  });
}

const toRows = ({ tags, ...post }: PostRow): TagRow[] =>
  (JSON.parse(tags) as string[]).map((tag) => ({ ...post, tag_key: tagKey(tag) }));

/** The same text for the same rows, in any order. */
function describe(rows: TagRow[]): string {
  const lines = rows.map(({ tag_key, owner_id, is_page, trash_id, is_private, status, published_at }) =>
    JSON.stringify([tag_key, owner_id, is_page, trash_id, is_private, status, published_at]),
  );
  return lines.toSorted().join("\n");
}
