import { editsSchema, normalizeEdits } from "../../../src/content/photos/edits.ts";
import { addTo, type AlbumItem, type FileItem, type PhotoDetails, refuse, type ReportItem, toFile } from "../items.ts";
import { readTime } from "../texts.ts";
import { recordKey, type SiteAlbum, type SiteFile, type SitePhoto } from "./site.ts";

/** In which albums photos are, and where, by their ids. */
export type Places = ReturnType<typeof createPlaces>;

export const createPlaces = () => ({
  positions: new Map<number, Record<string, number>>(),
  covers: new Map<number, string[]>(),
});

/** The photos of an album that is not smart, in their order. */
export function placePhotos(places: Places, { id: albumID, coverPhotoID }: SiteAlbum, photoIDs: number[]): void {
  const key = recordKey("album", albumID);
  for (const [position, id] of photoIDs.entries())
    places.positions.set(id, Object.assign(places.positions.get(id) ?? {}, { [key]: position }));
  if (coverPhotoID !== null) addTo(places.covers, coverPhotoID, key);
}

/** In the order in which they are made: those that contain others come before them. */
export function* listAlbums(albums: SiteAlbum[]): Generator<AlbumItem> {
  const all = new Map(albums.map((album) => [album.id, album]));
  const done = new Set<number>();
  for (const album of all.values()) {
    const path: SiteAlbum[] = [];
    for (let one: SiteAlbum | undefined = album; one && !done.has(one.id); one = all.get(one.parentID ?? 0)) {
      done.add(one.id);
      path.unshift(one);
    }
    for (const { id, name, description, parentID, visibility, photoOrder, filter } of path)
      yield {
        kind: "album",
        key: recordKey("album", id),
        name: name || "Untitled",
        description,
        parent: parentID !== null && all.has(parentID) ? recordKey("album", parentID) : null,
        visibility,
        photoOrder,
        ...(filter && { filter }),
      };
  }
}

export const refusePhoto = ({ id, title }: SitePhoto, reason: string): ReportItem =>
  refuse(`photo ${id} (${title})`, reason);

const isEdited = ({ edits }: SitePhoto) => edits !== undefined && edits !== null;

const base64 = /^(?:[A-Za-z0-9+/]{4}){2,10}(?:[A-Za-z0-9+/]{2}={2}|[A-Za-z0-9+/]{3}=)?$/;

/** Null if it is not edited, or in a way that is not understood. */
function toEdited({ edits, thumbhash }: SitePhoto): PhotoDetails["edited"] | null {
  const { data } = editsSchema.safeParse(edits);
  const normal = data ? normalizeEdits(data) : null;
  return normal && { edits: normal, thumbhash: thumbhash && base64.test(thumbhash) ? thumbhash : null };
}

/** Remembers the photos of a site by their files: one for each. What cannot be shown here has a line in the report. */
export function* rememberPhoto<Photo extends SitePhoto>(
  photo: Photo,
  photos: Map<number, Photo>,
): Generator<ReportItem> {
  if (photo.fileID === null) yield refusePhoto(photo, "Its file is in the trash, or belongs to somebody else.");
  else if (photos.has(photo.fileID)) yield refusePhoto(photo, "Another photo shows the same file.");
  else photos.set(photo.fileID, photo);
  if (isEdited(photo) && !toEdited(photo))
    yield refusePhoto(photo, "Its turns and crops are not understood, so it is private here.");
}

type Context = { path: string[]; photo: SitePhoto | undefined; places: Places; open: FileItem["open"] };

/** A file with what is known of its photo. */
export function toSiteFile(
  { id, size, sha256, updatedAt, visibility }: Pick<SiteFile, "id" | "size" | "sha256" | "updatedAt" | "visibility">,
  { path, photo, places, open }: Context,
): FileItem {
  const edited = photo && toEdited(photo);
  const isHidden = photo !== undefined && isEdited(photo) && !edited;
  const positions = places.positions.get(photo?.id ?? 0) ?? {};
  return toFile(
    { path, size, modifiedAt: readTime(updatedAt), open },
    {
      key: recordKey("file", id),
      name: path.join("/"),
      path,
      ...(sha256 !== null && { version: sha256 }),
      // What was cut off must not be seen by others.
      isPublic: visibility === "public" && !isHidden && edited?.edits.crop == null,
      photo: photo
        ? { ...toDetails(photo), ...(isHidden && { visibility: "private" }), ...(edited && { edited }) }
        : null,
      positions,
      coverOf: places.covers.get(photo?.id ?? 0) ?? [],
    },
  );
}

function toDetails(photo: SitePhoto): PhotoDetails {
  const { title, description, altText, tags, isFavourite, takenAtZone, place, showLocation, visibility } = photo;
  const clock = readTime(photo.takenAt);
  const { latitude = null, longitude = null, name = null } = place ?? {};
  return {
    title: title || "Untitled",
    description,
    altText,
    tags,
    isFavourite,
    visibility,
    showLocation,
    ...(clock !== null && { clockTaken: clock, takenAtZone }),
    ...(latitude !== null && longitude !== null && { place: { latitude, longitude, name } }),
  };
}
