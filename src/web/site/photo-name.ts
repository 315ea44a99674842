import { findNamesOfAlbums } from "../../content/albums/albums-of-photo.ts";
import type { Photo } from "../../content/photos/photo.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { printDay } from "./day.tsx";
import type { Language } from "./language.ts";
import { photoTexts } from "./texts/photos.ts";

/** By the ids of photos. */
export type AlbumNames = ReadonlyMap<number, string>;

/**
 * What the site calls a photo. If its title is only the name of a file, that is the day on which it was taken, with the place or
 * else an album, as far as the viewer may know them.
 */
export function nameOf(photo: Photo, language: Language, albums?: AlbumNames): string {
  if (!photo.isUntitled) return photo.title;
  const t = photoTexts[language];
  const what = photo.takenAt === null ? t.kinds[photo.kind] : printDay(photo.takenAt, language);
  const [place, album] = [photo.place?.name, albums?.get(photo.id)];
  if (place) return `${what}, ${place}`;
  return album === undefined ? what : t.inAlbum(what, album);
}

export const altOf = (photo: Photo, language: Language, albums?: AlbumNames): string =>
  photo.altText || nameOf(photo, language, albums);

/** The albums that help to name these photos: of those without titles and places. */
export function findAlbumNames(db: Reader, viewer: Viewer, photos: Photo[]): Promise<AlbumNames> {
  const nameless = photos.filter(({ isUntitled, place }) => isUntitled && !place?.name);
  return findNamesOfAlbums(
    db,
    viewer,
    nameless.map(({ id }) => id),
  );
}
