import { invalid } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Row } from "../../core/records/restorable.ts";
import type { Restored, Trashable } from "../../core/records/record-kind.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isOn, type TargetID, type TargetKind, targets } from "./target.ts";

/** The replies to a comment stay where they are. Without it, they reply to nothing; with it, they are its replies again. */
export const trashableComments: Trashable = {
  async restore(tx, trashID) {
    const target = await tx.get<TargetID>(sql`
      SELECT target_kind AS kind, target_id AS id FROM comments WHERE trash_id = ${trashID}`);
    if (target) await checkTarget(tx, target);
    return tx.all<Restored>(sql`UPDATE comments SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`);
  },
  async purge(tx, trashID) {
    await tx.run(sql`DELETE FROM comments WHERE trash_id = ${trashID}`);
    return true;
  },
};

const commentsAtOnce = 500;

/** Deletes comments on a record, as many as one transaction should, and their counts. Returns whether that was all. */
export const purgeCommentsOn =
  (kind: TargetKind) =>
  async (tx: Queries, id: number): Promise<boolean> => {
    const deleted = await tx.run(sql`
      DELETE FROM comments WHERE id IN (SELECT id FROM comments WHERE ${isOn({ kind, id })} LIMIT ${commentsAtOnce})`);
    if (deleted === commentsAtOnce) return false;
    tx.later(sql`DELETE FROM comment_counts WHERE target_kind = ${kind} AND target_id = ${id}`);
    return true;
  };

/** What a comment from a backup is on stays until the comment is written. */
export async function keepTarget(tx: Queries, row: Row): Promise<Row> {
  await checkTarget(tx, { kind: row["target_kind"] as TargetKind, id: Number(row["target_id"]) });
  return row;
}

/** Throws if what the comment is on is in the trash. Otherwise it stays until the transaction ends. */
async function checkTarget(tx: Queries, { kind, id }: TargetID): Promise<void> {
  const { table, word } = targets[kind];
  const isThere = await tx.get(sql`SELECT id FROM ${table} WHERE id = ${id} AND ${isLive} ${tx.forShare}`);
  if (!isThere) throw invalid(`The ${word} this comment belongs to is in the trash: restore the ${word} first.`);
}
