import { recordActivity } from "../../core/activity/record.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { flagFor } from "../../core/records/visibility.ts";
import type { FileChanges, StoredFile } from "./file.ts";
import { assignName, indexFile } from "./store.ts";

/** Changes a file, and records that. */
export async function updateFile(
  tx: Queries,
  callerID: number,
  file: StoredFile,
  changed: FileChanges,
): Promise<StoredFile> {
  const updated = await assignFile(tx, file, changed);
  recordActivity(tx, callerID, "changed", { ...updated, kind: "file" });
  return updated;
}

/** Says when the content of a file was written, if that was not now: before it came here. */
export async function setContentTime(tx: Queries, id: number, time: number): Promise<void> {
  await tx.run(sql`UPDATE files SET content_at = ${time} WHERE id = ${id}`);
}

/** The same as a part of a change that is recorded as a whole. */
export async function assignFile(tx: Queries, file: StoredFile, changed: FileChanges): Promise<StoredFile> {
  const { name = file.name, visibility = file.visibility } = changed;
  await tx.run(sql`
    UPDATE files SET ${assignName(name, file.isDirectory)}, is_private = ${flagFor(visibility)}, updated_at = ${Date.now()}
    WHERE id = ${file.id} AND trash_id IS NULL`);
  return indexFile(tx, file.id);
}
