import { byPosition, listAlbumPhotosByKey } from "../../../content/albums/album-photos.ts";
import { byAlbumOrder } from "../../../content/albums/move-album.ts";
import { countAlbumsIn, type CountedAlbum, isShownTo } from "../../../content/albums/shown.ts";
import { listChildAlbums } from "../../../content/albums/store.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Viewer } from "../../../platform/http/route.ts";
import { listRequest, nextPage, type PageList, readAll } from "../cursor.ts";

const photosPerPage = 48;
/** More are not shown; an album with this many others in it is rare. */
const maxNested = 200;

/** `next` and `previous` are the queries of links to other pages: empty for the first page, null if there is no such page. */
type PhotosOnPage = { photos: Photo[]; next: string | null; previous: string | null };

export async function readPhotosOnPage(
  db: Reader,
  viewer: Viewer,
  albumID: number,
  cursor: string | undefined,
): Promise<PhotosOnPage> {
  const list: PageList = { name: `photos of album ${albumID}`, sort: byPosition, order: "asc", size: photosPerPage };
  const request = listRequest(list, cursor);
  const [page, before] = await Promise.all([
    listAlbumPhotosByKey(db, viewer, albumID, request),
    request.after && listAlbumPhotosByKey(db, viewer, albumID, { ...request, order: "desc" }),
  ]);
  return {
    photos: await readAll(page.items),
    next: nextPage(list, page.next),
    previous: before && (nextPage(list, before.next) ?? ""),
  };
}

/** The albums in an album, in their order, without those that are empty for the viewer. */
export async function listNested(db: Reader, viewer: Viewer, albumID: number): Promise<CountedAlbum[]> {
  const request = { sort: byAlbumOrder, order: "asc", after: null, size: maxNested, only: isShownTo(viewer) } as const;
  const found = await listChildAlbums(db, viewer, albumID, request);
  return countAlbumsIn(db, viewer, await readAll(found.items));
}
