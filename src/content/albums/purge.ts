import type { Queries } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { unlistInAlbum } from "../photos/lists/entries.ts";
import { trashableList } from "../../core/trash/store.ts";
import { areEntries } from "./seen-by.ts";

const photosAtOnce = 200;

/** Takes photos out of the album, as many as one transaction should, and deletes it when it is empty. */
export async function purgeAlbum(tx: Queries, trashID: number): Promise<boolean> {
  const albums = await tx.all<{ id: number }>(sql`SELECT id FROM albums WHERE trash_id = ${trashID} ${tx.forUpdate}`);
  for (const { id } of albums) {
    const rows = await tx.all<{ photo_id: number }>(sql`
      SELECT photo_id FROM album_photos WHERE album_id = ${id} ORDER BY photo_id LIMIT ${photosAtOnce}`);
    if (rows.length === 0) continue;
    const photoIDs = rows.map(({ photo_id }) => photo_id);
    // Their lists are not written again from an album that changes.
    await tx.all(sql`SELECT id FROM photos WHERE id IN (${list(photoIDs)}) ORDER BY id ${tx.forUpdate}`);
    unlistInAlbum(tx, id, sql`photo_id IN (${list(photoIDs)})`);
    tx.later(sql`DELETE FROM album_photos WHERE ${areEntries(id, photoIDs)}`);
    if (rows.length === photosAtOnce) return false;
  }
  return trashableList("albums").purge(tx, trashID);
}
