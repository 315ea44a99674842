import type { Album } from "../../albums/album.ts";
import { listAlbumPhotos } from "../../albums/album-photos.ts";
import { listChildAlbums } from "../../albums/store.ts";
import { missing } from "../../errors.ts";
import type { Photo } from "../../photos/photo.ts";
import type { Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { readAll } from "../cursor.ts";

const photosPerPage = 48;
/** More are not shown; an album with so many others in it is rare. */
const mostNested = 200;

/** The number of the last page of an album. Throws if there is no page with this number. */
export function lastPageOf({ photoCount }: Album, number: number): number {
  const last = Math.max(1, Math.ceil(photoCount / photosPerPage));
  if (number > last) throw missing("such page");
  return last;
}

export function readPhotosOnPage(db: Reader, viewer: Viewer, albumID: number, number: number): Promise<Photo[]> {
  const offset = (number - 1) * photosPerPage;
  return readAll(listAlbumPhotos(db, viewer, albumID, { offset, size: photosPerPage }));
}

/** The albums in an album, oldest first. */
export async function listNested(db: Reader, viewer: Viewer, albumID: number): Promise<Album[]> {
  const request = { sort: byID, order: "asc", after: null, size: mostNested } as const;
  return readAll((await listChildAlbums(db, viewer, albumID, request)).items);
}
