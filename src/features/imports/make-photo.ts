import type { FileRecord } from "../../content/files/file.ts";
import { findFile } from "../../content/files/store.ts";
import type { Originals } from "../../content/photos/originals.ts";
import type { StoredEdits } from "../../content/photos/edits.ts";
import { addEdits } from "../../content/photos/change.ts";
import { leavesEnough } from "../../content/photos/prepare-edits.ts";
import { titleFrom } from "../../content/photos/photo.ts";
import { isFileName } from "../../content/photos/untitled.ts";
import { addPhoto, findPhotoIDs, findPhotoOfBytes } from "../../content/photos/store.ts";
import type { Image } from "../../core/images/image.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Size } from "../../platform/images/decoder.ts";
import type { Caller } from "../../platform/http/route.ts";
import { addToAlbums } from "./add-to-albums.ts";
import type { PhotoDetails } from "./item.ts";
import type { WaitingPhoto } from "./items-store.ts";
import { settleDetails } from "./settle-details.ts";

type Subject = {
  file: FileRecord;
  image: Image;
  width: number;
  height: number;
  /** What the source of the import says of the photo. */
  details: WaitingPhoto["details"] | null;
};

type Made = { photoID: number; isNew: boolean };

/** Makes the photo of a file, unless there is one by now. Null if the file was deleted in the meantime. */
export async function makePhoto(
  tx: Queries,
  originals: Originals,
  caller: Caller,
  { file, image, width, height, details }: Subject,
): Promise<Made | null> {
  const fileID = file.id;
  await tx.lock(`photo of file ${fileID} for ${caller.id}`);
  const { inAlbums = [], edited, ...known } = settleDetails(details, image);
  const edits = edited ? toStored(edited, image, { width, height }) : null;
  // What was cut off must not be seen by others.
  const said = edited && !edits ? { ...known, visibility: "private" as const } : known;
  // The same picture often lies in several folders: it is one photo, in all their albums.
  const ofBytes = details && file.sha256 ? await findPhotoOfBytes(tx, caller.id, file.sha256) : null;
  const existing = (await findPhotoIDs(tx, caller.id, [fileID])).get(fileID) ?? ofBytes;
  if (existing !== null) {
    await addToAlbums(tx, caller, inAlbums, existing);
    return { photoID: existing, isNew: false };
  }
  if (!(await findFile(tx, caller, fileID))) return null;
  // Nobody has said that others may see a picture whose file they cannot see.
  const unsaid = (await findFile(tx, null, fileID)) ? {} : { visibility: "private" as const };
  const photo = { title: titleFrom(file.name), fileID, width, height, showLocation: false, ...unsaid, ...said };
  // Other programs also call the name of a file a title.
  const added = await addPhoto(tx, caller, { ...photo, isUntitled: isFileName(photo.title, file.name) });
  const { id } = await originals.followNew(tx, caller.id, added, said);
  if (edits) await addEdits(tx, originals, { id, ownerID: caller.id }, edits);
  await addToAlbums(tx, caller, inAlbums, id);
  return { photoID: id, isNew: true };
}

/** Null if the picture cannot be edited like this. */
function toStored(
  { edits, thumbhash }: NonNullable<PhotoDetails["edited"]>,
  { sha256, duration }: Image,
  size: Size,
): StoredEdits | null {
  if (duration !== null || !leavesEnough(edits, size)) return null;
  return { edits, thumbhash: thumbhash ?? "", of: thumbhash === null ? "" : sha256 };
}
