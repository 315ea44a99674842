import type { Queries } from "../../platform/database/database.ts";
import { maintainedColumns } from "../../platform/database/maintained.ts";
import { sql } from "../../platform/database/sql.ts";
import { checkQuota } from "../../core/storage/quota.ts";
import type { PostWithHTML } from "./post.ts";

const truth = sql`(SELECT octet_length(content) FROM posts WHERE posts.id = post_bytes.id) + (
  SELECT CAST(coalesce(sum(octet_length(content)), 0) AS BIGINT) FROM post_revisions WHERE post_id = post_bytes.id)`;

/** What each post takes, with its revisions. Triggers of the database count it. */
export const postBytes = maintainedColumns("bytes of posts", "post_bytes", {
  isWrong: sql`bytes <> ${truth}`,
  correction: sql`bytes = ${truth}`,
});

/** Writes a post. Throws if it takes more than before, and more than its owner has left. `id` is null for a new post. */
export async function withinQuota(
  tx: Queries,
  quotaBytes: number | null,
  id: number | null,
  write: () => Promise<PostWithHTML>,
): Promise<PostWithHTML> {
  if (quotaBytes === null) return write();
  const before = id === null ? 0 : await readBytes(tx, id);
  const post = await write();
  if ((await readBytes(tx, post.id)) > before) await checkQuota(tx, { ownerID: post.ownerID, quotaBytes });
  return post;
}

async function readBytes(tx: Queries, id: number): Promise<number> {
  return (await tx.get<{ bytes: number }>(sql`SELECT bytes FROM post_bytes WHERE id = ${id}`))?.bytes ?? 0;
}
