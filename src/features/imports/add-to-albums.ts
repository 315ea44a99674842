import { addPhotos, findEntries, insertEntries } from "../../content/albums/album-photos.ts";
import { positionStep } from "../../content/albums/blocks.ts";
import { findAlbums, getAlbumHead, updateAlbum } from "../../content/albums/store.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { AlbumPlace } from "./items-store.ts";

/** Adds a photo to those of the albums that still exist. */
export async function addToAlbums(tx: Queries, caller: Caller, places: AlbumPlace[], photoID: number): Promise<void> {
  const albums = await findAlbums(
    tx,
    caller,
    places.map(({ id }) => id),
  );
  for (const { id, position, isCover } of places) {
    const album = albums.get(id);
    if (!album) continue;
    await getAlbumHead(tx, caller, id, tx.forUpdate);
    if (position === null) await addPhotos(tx, id, [photoID]);
    else if ((await findEntries(tx, id, [photoID])).size === 0)
      insertEntries(tx, id, [{ photo_id: photoID, position: (position + 1) * positionStep }]);
    // One that was chosen here stays.
    if (isCover && album.coverPhotoID === null) await updateAlbum(tx, caller, id, { coverPhotoID: photoID });
  }
}
