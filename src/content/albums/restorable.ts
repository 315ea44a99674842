import type { Place, Restorable } from "../../core/records/restorable.ts";
import type { Queries } from "../../platform/database/database.ts";
import { inChunks, sql } from "../../platform/database/sql.ts";
import { addPhotos, insertEntries } from "./album-photos.ts";
import { listAncestors } from "./nesting.ts";

/** An album brings its photos, in their order. It stays in the album that contained it only if that still exists. */
export const restorableAlbums: Restorable = {
  /** A link to the album above it shows it, with its private photos. */
  async fit(tx, row, { hasNewLink }) {
    const parentID = Number(row["parent_id"] ?? 0);
    return (await hasNewLink(await listAncestors(tx, parentID))) ? { ...row, parent_id: null } : row;
  },
  members: {
    kind: "photo",
    async list(backup, id) {
      const rows = await backup.all<{ photo_id: number }>(sql`
        SELECT photo_id FROM album_photos JOIN photos ON photos.id = photo_id
        WHERE album_id = ${id} AND photos.trash_id IS NULL ORDER BY position, photo_id`);
      return rows.map(({ photo_id }) => photo_id);
    },
    async add(tx, id, photoIDs) {
      if (await isSmart(tx, id)) return;
      await inChunks(photoIDs, async (some) => {
        await addPhotos(tx, id, some);
        return [];
      });
    },
    listPlaces: (backup, photoID) =>
      backup.all<Place>(sql`
        SELECT album_id AS id, position FROM album_photos WHERE photo_id = ${photoID} ORDER BY album_id`),
    /** Photos in the trash keep their positions, and so do those beside one that was deleted. */
    async putBack(tx, { id, position }, photoID) {
      if (await isSmart(tx, id)) return;
      insertEntries(tx, id, [{ photo_id: photoID, position }]);
    },
    listAbove: listAncestors,
  },
};

/** The photos of a smart album follow from its filter. Locks the album. */
async function isSmart(tx: Queries, id: number): Promise<boolean> {
  const row = await tx.get<{ filter: string | null }>(sql`SELECT filter FROM albums WHERE id = ${id} ${tx.forUpdate}`);
  return row?.filter != null;
}
