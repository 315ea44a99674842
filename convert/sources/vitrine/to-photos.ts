import type { Visibility } from "../../../src/core/records/visibility.ts";
import { editsSchema, normalizeEdits } from "../../../src/content/photos/edits.ts";
import { acceptableTags } from "../../../src/features/imports/acceptable.ts";
import { toLine, toText } from "../../../src/features/imports/texts.ts";
import type { AlbumItem, FileItem, Item, PhotoDetails } from "../../../src/features/imports/item.ts";
import { keyOf, type Limit, type SiteAlbum, type SiteFile, type SitePhoto } from "./site.ts";

/** In which albums photos are, and where, by their ids. */
export type Places = {
  albums: Map<number, string[]>;
  positions: Map<number, Record<string, number>>;
  covers: Map<number, string[]>;
};

export const createPlaces = (): Places => ({ albums: new Map(), positions: new Map(), covers: new Map() });

/** The photos of an album that is not smart, in their order. */
export function placePhotos(places: Places, { id: albumID, coverPhotoID }: SiteAlbum, photoIDs: number[]): void {
  const key = keyOf("album", albumID);
  for (const [position, id] of photoIDs.entries()) {
    addTo(places.albums, id, key);
    const positions = places.positions.get(id);
    if (positions) positions[key] = position;
    else places.positions.set(id, { [key]: position });
  }
  if (coverPhotoID !== null) addTo(places.covers, coverPhotoID, key);
}

function addTo(keys: Map<number, string[]>, id: number, key: string): void {
  const others = keys.get(id);
  if (others) others.push(key);
  else keys.set(id, [key]);
}

/** In the order in which they are made: those that contain others come before them. */
export function* withParentsFirst<Album extends SiteAlbum>(all: ReadonlyMap<number, Album>): Generator<Album> {
  const done = new Set<number>();
  for (const album of all.values()) {
    const path: Album[] = [];
    for (let one: Album | undefined = album; one && !done.has(one.id); one = all.get(one.parentID ?? 0)) {
      done.add(one.id);
      path.push(one);
    }
    yield* path.toReversed();
  }
}

export function toAlbum(album: SiteAlbum, all: ReadonlyMap<number, SiteAlbum>, limit: Limit): AlbumItem {
  const { id, parentID, photoOrder, filter, visibility } = album;
  return {
    kind: "album",
    key: keyOf("album", id),
    name: toLine(album.name) || "Untitled",
    description: toText(album.description),
    parent: parentID !== null && all.has(parentID) ? keyOf("album", parentID) : null,
    visibility: limit(visibility),
    photoOrder,
    ...(filter && { filter }),
  };
}

type Refused = Extract<Item, { kind: "refused" }>;

export const refusedPhoto = ({ id, title }: Pick<SitePhoto, "id" | "title">, reason: string): Refused => ({
  kind: "refused",
  key: `photo ${id} (${title})`,
  reason,
});

const isEdited = ({ edits }: SitePhoto) => edits !== undefined && edits !== null;

const base64 = /^(?:[A-Za-z0-9+/]{4}){2,10}(?:[A-Za-z0-9+/]{2}={2}|[A-Za-z0-9+/]{3}=)?$/;

/** Null if it is not edited, or in a way that is not understood. */
function toEdited({ edits, thumbhash }: SitePhoto): PhotoDetails["edited"] | null {
  const { data } = editsSchema.safeParse(edits);
  const normal = data ? normalizeEdits(data) : null;
  return normal && { edits: normal, thumbhash: thumbhash && base64.test(thumbhash) ? thumbhash : null };
}

/**
 * Remembers the photos of a site by their files: one for each. What cannot be shown here has a line in the report.
 */
export function* rememberPhoto<Photo extends SitePhoto>(photo: Photo, photos: Map<number, Photo>): Generator<Refused> {
  if (photo.fileID === null) yield refusedPhoto(photo, "Its file is in the trash, or belongs to somebody else.");
  else if (photos.has(photo.fileID)) yield refusedPhoto(photo, "Another photo shows the same file.");
  else photos.set(photo.fileID, photo);
  if (isEdited(photo) && !toEdited(photo))
    yield refusedPhoto(photo, "Its turns and crops are not understood, so it is private here.");
}

type Context = { photo: SitePhoto | undefined; places: Places; limit: Limit };

/** A file with what is known of its photo. */
export function toFile(file: SiteFile, path: string[], { photo, places, limit }: Context): Omit<FileItem, "open"> {
  const { id, size, sha256, updatedAt } = file;
  // What was cut off must not be seen by others.
  const edited = photo && toEdited(photo);
  const isHidden = photo !== undefined && isEdited(photo) && !edited;
  const isCropped = edited?.edits.crop != null;
  return {
    kind: "file",
    key: keyOf("file", id),
    name: path.join("/"),
    path,
    size,
    modifiedAt: Date.parse(updatedAt) || null,
    ...(sha256 !== null && { version: sha256 }),
    visibility: isHidden || isCropped ? "private" : limit(file.visibility),
    photo: photo
      ? { ...toDetails(photo, isHidden ? "private" : limit(photo.visibility)), ...(edited && { edited }) }
      : null,
    albums: photo ? (places.albums.get(photo.id) ?? []) : [],
    positions: photo ? (places.positions.get(photo.id) ?? {}) : {},
    coverOf: photo ? (places.covers.get(photo.id) ?? []) : [],
  };
}

function toDetails(photo: SitePhoto, visibility: Visibility): PhotoDetails {
  const { title, description, altText, tags, isFavourite, takenAt, takenAtZone, place, showLocation } = photo;
  const clock = Date.parse(takenAt ?? "");
  const { latitude = null, longitude = null, name = null } = place ?? {};
  return {
    title: toLine(title) || "Untitled",
    description: toText(description),
    altText: toText(altText, 2000),
    tags: acceptableTags(tags),
    isFavourite,
    visibility,
    showLocation,
    ...(Number.isFinite(clock) && { clockTaken: clock, takenAtZone }),
    ...(latitude !== null && longitude !== null && { place: { latitude, longitude, name } }),
  };
}
