import { invalid } from "../errors.ts";
import { sql } from "../platform/database/sql.ts";
import type { Trashable } from "../record-kind.ts";
import { seesEverything } from "../visibility.ts";
import { findComment } from "./store.ts";

/** The replies to a comment stay where they are. Without it, they reply to nothing; with it, they are its replies again. */
export const trashableComments: Trashable = {
  async mark(tx, id, trashID) {
    await tx.run(sql`UPDATE comments SET trash_id = ${trashID} WHERE id = ${id}`);
  },
  async restore(tx, trashID) {
    const row = await tx.get<{ id: number }>(
      sql`UPDATE comments SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`,
    );
    if (!row || !(await findComment(tx, seesEverything, row.id)))
      throw invalid("The blog post this comment belongs to is in the trash: restore the blog post first.");
  },
  async purge(tx, trashID) {
    await tx.run(sql`DELETE FROM comments WHERE trash_id = ${trashID}`);
    return true;
  },
};
