import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { unlistInAlbum } from "../photos/lists/entries.ts";
import { lockPhotosOf } from "./album-photos.ts";
import { trashableList } from "../../core/trash/store.ts";

export async function purgeAlbum(tx: Queries, trashID: number): Promise<boolean> {
  const rows = await tx.all<{ id: number }>(sql`SELECT id FROM albums WHERE trash_id = ${trashID}`);
  for (const { id } of rows) {
    await lockPhotosOf(tx, id);
    unlistInAlbum(tx, id, sql`1 = 1`);
  }
  return trashableList("albums").purge(tx, trashID);
}
