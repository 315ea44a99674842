import { addPhotos, findEntries, insertEntries } from "./album-photos.ts";
import { positionStep } from "./blocks.ts";
import { findAlbums, getAlbumHead, updateAlbum } from "./store.ts";
import type { FileRecord } from "../files/file.ts";
import { findFile } from "../files/store.ts";
import type { Originals } from "../photos/originals.ts";
import type { StoredEdits } from "../photos/edits.ts";
import { addEdits } from "../photos/change.ts";
import { leavesEnough } from "../photos/prepare-edits.ts";
import { type NewPhoto, titleFrom } from "../photos/photo.ts";
import { isFileName } from "../photos/untitled.ts";
import { correctionsIn, type Said } from "../photos/said.ts";
import { addPhoto, findPhotoIDs, findPhotoOfBytes } from "../photos/store.ts";
import type { Image } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Size } from "../../platform/images/decoder.ts";
import type { Caller } from "../../platform/http/route.ts";

export type PhotoDeps = { db: Database; images: Pick<Images, "read">; originals: Originals };

/** Where a photo will be; `position` is null if it comes last. */
type AlbumPlace = { id: number; position: number | null; isCover: boolean };
/** What another program says of a photo. */
export type SaidOfPhoto = Said<NonNullable<NewPhoto["place"]>> &
  Partial<Omit<NewPhoto, "fileID" | "width" | "height" | "takenAt" | "place" | "original">> & {
    takenAtZone?: string | null;
    /** How it is turned and cropped. `thumbhash` is that of the edited picture, if it is known. */
    edited?: { edits: StoredEdits["edits"]; thumbhash: string | null };
    inAlbums: AlbumPlace[];
  };

export type Picture = { image: Image; width: number; height: number };
type Subject = Picture & { file: FileRecord; said: SaidOfPhoto | null };

type Made = { photoID: number; isNew: boolean };

/** Makes the photo of a file, unless there is one by now. Null if the file was deleted in the meantime. */
export async function makePhoto(
  tx: Queries,
  originals: Originals,
  caller: Caller,
  { file, image, width, height, said }: Subject,
): Promise<Made | null> {
  const fileID = file.id;
  await tx.lock(`photo of file ${fileID} for ${caller.id}`);
  const {
    inAlbums = [],
    edited,
    momentTaken,
    clockTaken,
    isTimeRough,
    place,
    ...rest
  }: Partial<SaidOfPhoto> = said ?? {};
  const known = { ...rest, ...correctionsIn({ momentTaken, clockTaken, isTimeRough, place }, image) };
  const edits = edited ? toStored(edited, image, { width, height }) : null;
  // What was cut off must not be seen by others.
  const chosen = edited && !edits ? { ...known, visibility: "private" as const } : known;
  // The same picture often lies in several folders: it is one photo, in all their albums.
  const ofBytes = said && file.sha256 ? await findPhotoOfBytes(tx, caller.id, file.sha256) : null;
  const existing = (await findPhotoIDs(tx, caller.id, [fileID])).get(fileID) ?? ofBytes;
  if (existing !== null) {
    await addToAlbums(tx, caller, inAlbums, existing);
    return { photoID: existing, isNew: false };
  }
  if (!(await findFile(tx, caller, fileID))) return null;
  // Nobody has said that others may see a picture whose file they cannot see.
  const unsaid = (await findFile(tx, null, fileID)) ? {} : { visibility: "private" as const };
  const photo = { title: titleFrom(file.name), fileID, width, height, showLocation: false, ...unsaid, ...chosen };
  // Other programs also call the name of a file a title.
  const added = await addPhoto(tx, caller, { ...photo, isUntitled: isFileName(photo.title, file.name) });
  const { id } = await originals.followNew(tx, caller.id, added, chosen);
  if (edits) await addEdits(tx, originals, { id, ownerID: caller.id }, edits);
  await addToAlbums(tx, caller, inAlbums, id);
  return { photoID: id, isNew: true };
}

/** Null if the picture cannot be edited like this. */
function toStored(
  { edits, thumbhash }: NonNullable<SaidOfPhoto["edited"]>,
  { sha256, duration }: Image,
  size: Size,
): StoredEdits | null {
  if (duration !== null || !leavesEnough(edits, size)) return null;
  return { edits, thumbhash: thumbhash ?? "", of: thumbhash === null ? "" : sha256 };
}

/** Adds a photo to those of the albums that still exist. */
async function addToAlbums(tx: Queries, caller: Caller, places: AlbumPlace[], photoID: number): Promise<void> {
  const ids = places.map(({ id }) => id);
  const albums = await findAlbums(tx, caller, ids);
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
