import { notOwner } from "../../platform/errors.ts";
import { parsePath } from "../../content/files/names.ts";
import { moveLocked } from "../../content/files/move.ts";
import { findFiles, getFile, lockFiles, trashFile } from "../../content/files/store.ts";
import { updateFile } from "../../content/files/update.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { changeEach } from "../../core/records/batch.ts";
import type { FileBatch, FileBatchResult } from "./batch.ts";
import { copyFiles } from "./copy-files.ts";

/** Changes those of the files that the caller may change. */
export async function changeFiles(
  tx: Queries,
  caller: Caller,
  batch: FileBatch,
  { trash, quotaBytes }: { trash: Trash; quotaBytes: number | null },
): Promise<FileBatchResult> {
  const { ids, move, copy } = batch;
  if (copy) return copyFiles(tx, caller, { ids, to: copy, quotaBytes });
  if (move) parsePath(move.path, "move.path");
  await lockFiles(tx, ids);
  const inOrder = await deepestFirst(tx, caller, ids);
  const result = await changeEach(ids, (id) => changeFile(tx, caller, { ...batch, id }, trash), inOrder);
  return { ...result, results: result.results.map((one) => ({ ...one, copyID: null })) };
}

/** What lies in a directory that was trashed before could not be found. */
async function deepestFirst(tx: Queries, caller: Caller, ids: number[]): Promise<number[]> {
  const files = await findFiles(tx, caller, ids);
  const depthOf = (id: number) => parsePath(files.get(id)?.path ?? "/").length;
  return ids.toSorted((one, other) => depthOf(other) - depthOf(one));
}

/** What can be refused comes first: a refused file is not changed at all. */
async function changeFile(
  tx: Queries,
  caller: Caller,
  { id, move, visibility, trash: isTrashed }: FileBatch & { id: number },
  trash: Trash,
): Promise<void> {
  const file = await getFile(tx, caller, id);
  if (!isOwnerOrAdmin(caller, file)) throw notOwner();
  if (move) await moveLocked(tx, caller, file, { ...move, visibility });
  else if (visibility) await updateFile(tx, caller.id, file, { visibility });
  if (isTrashed) await trashFile(tx, trash, id, caller.id);
}
