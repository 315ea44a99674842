import { changeEach } from "../../core/records/batch.ts";
import { notOwner } from "../../platform/errors.ts";
import { copyIn, maxCopied } from "../../content/files/move.ts";
import { parsePath } from "../../content/files/names.ts";
import { getFile } from "../../content/files/store.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { checkQuota } from "../../core/storage/quota.ts";
import type { FileBatch, FileBatchResult } from "./batch.ts";

type Copying = { ids: number[]; to: NonNullable<FileBatch["copy"]>; quotaBytes: number | null };

/** Copies those of the files that the caller may copy. If there is not enough space for all of them, none is copied. */
export async function copyFiles(
  tx: Queries,
  caller: Caller,
  { ids, to, quotaBytes }: Copying,
): Promise<FileBatchResult> {
  parsePath(to.path, "copy.path");
  const copies = new Map<number, number>();
  let most = maxCopied;
  const { changed, results } = await changeEach(ids, async (id) => {
    const file = await getFile(tx, caller, id);
    if (!isOwnerOrAdmin(caller, file)) throw notOwner();
    const { copied, count } = await copyIn(tx, caller, file, { ...to, most });
    copies.set(id, copied.id);
    most -= count;
  });
  await checkQuota(tx, { ownerID: caller.id, quotaBytes });
  return { changed, results: results.map((result) => ({ ...result, copyID: copies.get(result.id) ?? null })) };
}
