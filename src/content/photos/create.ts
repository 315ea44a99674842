import { recordActivity } from "../../core/activity/record.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import type { FileRecord } from "../files/file.ts";
import { explainType, type Image, isImage, isWaiting } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { NewPhoto, NewPhotoOfFile, Photo } from "./photo.ts";
import type { Originals } from "./originals.ts";
import { addPhoto, findSubject } from "./store.ts";
import { titleOfFile } from "./untitled.ts";

type Deps = { db: Reader; images: Pick<Images, "read"> };

export type CompletePhoto = NewPhoto & { width: number; height: number; isUntitled: boolean };

/** Waits until the image has been read: a width or height that was not sent comes from it, and a title from the name of the file. */
export async function completePhoto(deps: Deps, caller: Caller, sent: NewPhotoOfFile): Promise<CompletePhoto> {
  const { file, image } = await readSubject(deps, caller, sent.fileID);
  const title = sent.title ?? titleOfFile(file.name);
  return { ...sent, ...completeSize(sent, file, image), title, isUntitled: sent.title === undefined };
}

export async function createPhoto(
  tx: Queries,
  originals: Originals,
  caller: Caller,
  complete: CompletePhoto,
): Promise<Photo> {
  const added = await addPhoto(tx, caller, complete);
  recordActivity(tx, caller.id, "created", { ...added.photo, kind: "photo", name: added.photo.title });
  return originals.followNew(tx, caller.id, added, complete);
}

/** Throws if `fileID` is not a file that the caller may see. The file may still be deleted afterwards. */
export async function readSubject(
  { db, images }: Deps,
  caller: Caller,
  fileID: number,
): Promise<{ file: FileRecord; image: Image | null }> {
  const { file, image } = await findSubject(db, caller, fileID);
  if (!file) throw invalid(`"fileID" is invalid: there is no file ${fileID}.`, "fileID");
  if (file.isDirectory) throw invalid(`"fileID" must be a file, not a directory.`, "fileID");
  return { file, image: image && !isWaiting(image) ? image : await images.read(file) };
}

function completeSize(sent: NewPhotoOfFile, file: FileRecord, image: Image | null): { width: number; height: number } {
  const width = sent.width ?? image?.width;
  const height = sent.height ?? image?.height;
  if (width && height) return { width, height };
  const reason = image?.failure ?? (isImage(file.contentType) ? "" : explainType(file.contentType));
  const message = `"width" and "height" are required: they cannot be read from "${file.name}". ${reason}`.trim();
  throw new Problem("invalid", message, { field: "width", details: { reason: reason || null } });
}
