import { invalid } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Restored, Trashable } from "../../core/records/record-kind.ts";
import { isLive } from "../../core/trash/trash.ts";
import { type TargetID, type TargetKind, targetOf, targets } from "./target.ts";

/** The replies to a comment stay where they are. Without it, they reply to nothing; with it, they are its replies again. */
export const trashableComments: Trashable = {
  async restore(tx, trashID) {
    const comment = await tx.get<Targets>(sql`
      SELECT post_id AS "blogPostID", photo_id AS "photoID", album_id AS "albumID" FROM comments WHERE trash_id = ${trashID}`);
    if (comment) await checkTarget(tx, targetOf(comment));
    return tx.all<Restored>(sql`UPDATE comments SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`);
  },
  async purge(tx, trashID) {
    await tx.run(sql`DELETE FROM comments WHERE trash_id = ${trashID}`);
    return true;
  },
};

const commentsAtOnce = 500;

/** Deletes comments on a record, as many as one transaction should. Returns whether that was all. */
export const purgeCommentsOn =
  (kind: TargetKind) =>
  async (tx: Queries, id: number): Promise<boolean> => {
    const deleted = await tx.run(sql`
      DELETE FROM comments WHERE id IN (
        SELECT id FROM comments WHERE ${targets[kind].column} = ${id} LIMIT ${commentsAtOnce})`);
    return deleted < commentsAtOnce;
  };

type Targets = { blogPostID: number | null; photoID: number | null; albumID: number | null };

/** Throws if what the comment is on is in the trash. */
async function checkTarget(tx: Queries, { kind, id }: TargetID): Promise<void> {
  const { table, word } = targets[kind];
  const isThere = await tx.get(sql`SELECT id FROM ${table} WHERE id = ${id} AND ${isLive} ${tx.forShare}`);
  if (!isThere) throw invalid(`The ${word} this comment belongs to is in the trash: restore the ${word} first.`);
}
