import { invalid } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Restored, Trashable } from "../../core/records/record-kind.ts";
import { isLive } from "../../core/trash/trash.ts";

/** The replies to a comment stay where they are. Without it, they reply to nothing; with it, they are its replies again. */
export const trashableComments: Trashable = {
  async restore(tx, trashID) {
    const isThere = await tx.get(sql`
      SELECT id FROM posts WHERE id = (SELECT post_id FROM comments WHERE trash_id = ${trashID}) AND ${isLive} ${tx.forShare}`);
    if (!isThere) throw invalid("The blog post this comment belongs to is in the trash: restore the blog post first.");
    return tx.all<Restored>(sql`UPDATE comments SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`);
  },
  async purge(tx, trashID) {
    await tx.run(sql`DELETE FROM comments WHERE trash_id = ${trashID}`);
    return true;
  },
};

const commentsAtOnce = 500;

/** Deletes comments on a post, as many as one transaction should. Returns whether that was all. */
export async function purgeCommentsOn(tx: Queries, postID: number): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM comments WHERE id IN (SELECT id FROM comments WHERE post_id = ${postID} LIMIT ${commentsAtOnce})`);
  return deleted < commentsAtOnce;
}
