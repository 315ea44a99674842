import type { Queries } from "../../platform/database/database.ts";
import { joined, sql } from "../../platform/database/sql.ts";
import { indexNewRecords } from "../../platform/search/documents.ts";
import type { CommentStatus } from "./comment.ts";
import type { TargetID } from "./target.ts";

export type ImportedComment = {
  target: TargetID;
  ownerID: number;
  /** A comment on the same target that is no reply. */
  parentID: number | null;
  content: string;
  status: CommentStatus;
  createdAt: number;
};

const rowsAtOnce = 100;

/** Comments from elsewhere on what takes comments, many at once. Returns their ids, in the same order. */
export async function insertImportedComments(tx: Queries, comments: ImportedComment[]): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < comments.length; start += rowsAtOnce) {
    const some = comments.slice(start, start + rowsAtOnce);
    const rows = some.map(
      ({ target, ownerID, parentID, content, status, createdAt }) =>
        sql`(${target.kind}, ${target.id}, ${ownerID}, ${parentID}, ${content}, ${status}, ${createdAt}, ${createdAt})`,
    );
    const added = await tx.all<{ id: number }>(sql`
      INSERT INTO comments (target_kind, target_id, owner_id, parent_id, content, status, created_at, updated_at)
      VALUES ${joined(rows)} RETURNING id`);
    const order = added.map(({ id }) => id).toSorted((one, other) => one - other);
    const changes = order.map((id, index) => {
      const { target } = some[index] as ImportedComment;
      return { id, before: null, after: { target_kind: target.kind, target_id: target.id } };
    });
    await tx.changed("comment", changes);
    await indexNewRecords(
      tx,
      "comment",
      order.map((id, index) => {
        const { ownerID, content } = some[index] as ImportedComment;
        return { id, ownerID, texts: { title: "", text: content } };
      }),
    );
    ids.push(...order);
  }
  return ids;
}
