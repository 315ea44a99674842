import { notOwner } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { checkChanges, type CommentChanges, mayChangeComment, type StoredComment } from "./comment.ts";
import { getComment, lockComment, trashComment, updateComment } from "./store.ts";

/** Throws if the caller may not make the change. */
export async function changeComment(tx: Queries, caller: Caller, id: number, changes: CommentChanges): Promise<void> {
  checkChanges(caller, await lockChangeable(tx, caller, id), changes);
  await updateComment(tx, caller, id, changes);
}

/** Throws if the caller may not delete the comment. */
export async function removeComment(tx: Queries, trash: Trash, caller: Caller, id: number): Promise<void> {
  await lockChangeable(tx, caller, id);
  await trashComment(tx, trash, id, caller.id);
}

async function lockChangeable(tx: Queries, caller: Caller, id: number): Promise<StoredComment> {
  await lockComment(tx, caller, id);
  const comment = await getComment(tx, caller, id);
  if (!mayChangeComment(caller, comment)) throw notOwner();
  return comment;
}
