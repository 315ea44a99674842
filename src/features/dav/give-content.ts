import { recordActivity } from "../../core/activity/record.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import { checkQuota } from "../../core/storage/quota.ts";
import { findEntriesOf } from "../../core/trash/store.ts";
import type { StoredFile } from "../../content/files/file.ts";
import { type Content, getFile, replaceContent, trashFile } from "../../content/files/store.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { copyProperties } from "./dead-properties.ts";
import type { Resource } from "./resources.ts";
import { removeSideFile } from "./side-files.ts";
import type { Visit } from "./visit.ts";

/** After a move, the source is gone. */
type Gift = { source: Resource; target: StoredFile; isMove: boolean };

/** Whether a file can get the content of another and stay the same file, with its id, its versions and its links. */
export async function canGiveContent(
  tx: Queries,
  { findUses }: Visit,
  { source, target, isMove }: Gift,
): Promise<boolean> {
  if (source.kind === "root" || source.file.sha256 === null || target.isDirectory) return false;
  if (!isMove || source.kind === "side") return true;
  // What else there is of the source would be lost with it.
  const hasVersions = await tx.get(sql`
    SELECT id FROM file_versions WHERE file_id = ${source.file.id} AND size > 0 LIMIT 1`);
  if (hasVersions) return false;
  for (const find of findUses) {
    const uses = await find(tx, seesEverything, { kind: "file", ids: [source.file.id] }, 1);
    if (uses.length > 0) return false;
  }
  return true;
}

/** The target gets the content of the source. */
export async function giveContent(tx: Queries, visit: Visit, { source, target, isMove }: Gift): Promise<StoredFile> {
  const { caller, quotaBytes, versionsKept } = visit;
  if (source.kind === "root") return target;
  await replaceContent(tx, target, source.file as Content, versionsKept);
  recordActivity(tx, caller.id, "changed", { ...target, kind: "file" });
  if (source.kind === "file") await copyProperties(tx, source.file.id, target.id);
  if (isMove) await removeForGood(tx, visit, source);
  await checkQuota(tx, { ownerID: target.ownerID, quotaBytes });
  return getFile(tx, seesEverything, target.id);
}

/** Its content is in another file now: the trash would only count it twice. */
async function removeForGood(tx: Queries, { trash, caller }: Visit, source: Resource): Promise<void> {
  if (source.kind === "side") return removeSideFile(tx, source.file.id);
  if (source.kind === "root") return;
  await trashFile(tx, trash, source.file.id, caller.id);
  const [entry] = await findEntriesOf(tx, [{ kind: "file", id: source.file.id }], 0, tx.forUpdate);
  if (entry) await trash.purge(tx, entry, caller.id);
}
