import { recordActivity } from "../activity/record.ts";
import { missing } from "../errors.ts";
import { presentFile, type StoredFile } from "../files/file.ts";
import { type Image, isVideo, type Place, listVariants } from "../images/image.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../platform/database/keyset.ts";
import { listPage, type Page } from "../platform/database/lists.ts";
import { mapSlices } from "../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import { headFinder } from "../trash/heads.ts";
import { indexRecord, markUnread } from "../platform/search/documents.ts";
import type { Viewer } from "../platform/http/route.ts";
import { countListed, setVisibility } from "../trash/store.ts";
import { isListed, isLive, type Trash } from "../trash/trash.ts";
import { isWanted, type OwnerQuery } from "../users/owner.ts";
import { flagFor, seesEverything, toVisibility } from "../visibility.ts";
import { type NewPhoto, type Photo, type PhotoChanges, photoTexts } from "./photo.ts";
import {
  type FoundPhotoRow,
  photoColumns,
  type PhotoRow,
  selectPhotos,
  selectSubject,
  type StoredPhoto,
  type Subject,
  type SubjectRow,
  toStoredPhoto,
  toSubject,
} from "./rows.ts";

const photoList = "photos";
/** Descriptions can be long. */
export const photosAtOnce = 50;

export async function getPhoto(db: Reader, viewer: Viewer, id: number): Promise<Photo> {
  return presentPhoto(await getStoredPhoto(db, viewer, id), viewer);
}

export async function getStoredPhoto(db: Reader, viewer: Viewer, id: number): Promise<StoredPhoto> {
  const row = await db.get<FoundPhotoRow>(selectPhotos(viewer, sql`SELECT id FROM photos WHERE id = ${id}`));
  if (!row) throw missing(`photo ${id}`);
  return toStoredPhoto(row);
}

export const getPhotoHead = headFinder("photos", "title", "photo");

export async function findPhotos(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Photo>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundPhotoRow>(selectPhotos(viewer, sql`SELECT id FROM photos WHERE id IN (${list(some)})`)),
  );
  return new Map(presentPhotos(rows, viewer).map((photo) => [photo.id, photo]));
}

type ListedRow = FoundPhotoRow & { id: number; total: number };

export async function listPhotos(db: Reader, viewer: Viewer, page: Page) {
  const read = (ids: Sql) =>
    db.all<ListedRow>(sql`${selectPhotos(viewer, ids, sql`, chosen.id, chosen.total`)} ORDER BY photo_id DESC`);
  const { items, total } = await listPage(db, photoList, page, { live: isListed, atOnce: photosAtOnce, read });
  return { items: mapSlices(items, (rows) => presentPhotos(rows, viewer)), total };
}

export function listPhotosByKey(db: Reader, viewer: Viewer, query: OwnerQuery, request: KeysetRequest) {
  return listByKey(db, request, {
    table: photoList,
    where: [isLive, ...isWanted(viewer, query)],
    atOnce: photosAtOnce,
    find: (ids) => findPhotos(db, viewer, ids),
  });
}

export async function findSubject(db: Reader, viewer: Viewer, fileID: number): Promise<Subject> {
  const row = await db.get<SubjectRow>(selectSubject(viewer, fileID));
  return row ? toSubject(row) : { file: null, image: null };
}

/** Those of the files of which the owner already has a photo. */
export async function findFilesWithPhoto(db: Reader, ownerID: number, fileIDs: number[]): Promise<Set<number>> {
  const rows = await inChunks(fileIDs, (some) =>
    db.all<{ file_id: number }>(sql`
      SELECT DISTINCT file_id FROM photos
      WHERE file_id IN (${list(some)}) AND owner_id = ${ownerID} AND trash_id IS NULL`),
  );
  return new Set(rows.map((row) => row.file_id));
}

export async function insertPhoto(
  tx: Queries,
  owner: NonNullable<Viewer>,
  photo: Omit<NewPhoto, "width" | "height"> & { width: number; height: number },
): Promise<Photo> {
  const time = Date.now();
  const [row, subject] = await Promise.all([
    tx.get<PhotoRow>(sql`
      INSERT INTO photos (owner_id, title, description, file_id, width, height, sized_sha256, location_shown_at,
        is_private, created_at, updated_at)
      VALUES (${owner.id}, ${photo.title}, ${photo.description}, ${photo.fileID}, ${photo.width}, ${photo.height},
        ${selectImageOfSize(sql`${photo.fileID}`, photo)}, ${photo.showLocation ? time : null},
        ${flagFor(photo.visibility)}, ${time}, ${time})
      RETURNING ${photoColumns}`),
    findSubject(tx, owner, photo.fileID),
  ]);
  const stored = { row: row as PhotoRow, ...subject, shown: subject.file, isFileHidden: false, poster: null };
  const { photo_id: id, photo_is_private: is_private } = stored.row;
  countListed(tx, photoList, { id, is_private }, 1);
  await indexPhoto(tx, stored);
  return presentPhoto(stored, owner);
}

/** Locks the photo until the transaction ends, and returns its current state. */
export async function lockPhoto(tx: Queries, viewer: Viewer, id: number): Promise<Photo> {
  await getPhotoHead(tx, viewer, id, tx.forUpdate);
  return getPhoto(tx, viewer, id);
}

export async function updatePhoto(tx: Queries, viewer: Viewer, id: number, changed: PhotoChanges): Promise<Photo> {
  const photo = await lockPhoto(tx, viewer, id);
  const time = Date.now();
  const { title = photo.title, description = photo.description, visibility, fileID } = changed;
  if (visibility) await setVisibility(tx, photoList, id, visibility);
  const newFileID = sql`coalesce(${fileID ?? null}, file_id)`;
  await tx.run(sql`
    UPDATE photos SET title = ${title}, description = ${description}, file_id = ${newFileID},
      poster_sha256 = CASE file_id WHEN ${newFileID} THEN poster_sha256 END,
      poster_size = CASE file_id WHEN ${newFileID} THEN poster_size END, updated_at = ${time}
    WHERE id = ${id}`);
  if (changed.width !== undefined || changed.height !== undefined) {
    const shown = await getPhoto(tx, viewer, id);
    const size = { width: changed.width ?? shown.width, height: changed.height ?? shown.height };
    await tx.run(sql`
      UPDATE photos SET width = ${size.width}, height = ${size.height}, sized_sha256 = ${selectImageOfSize(sql`photos.file_id`, size)}
      WHERE id = ${id}`);
  }
  const { showLocation = photo.showLocation } = changed;
  if (showLocation !== photo.showLocation) {
    await tx.run(sql`UPDATE photos SET location_shown_at = ${showLocation ? time : null} WHERE id = ${id}`);
  }
  const stored = await getStoredPhoto(tx, viewer, id);
  await indexPhoto(tx, stored);
  const updated = presentPhoto(stored, viewer);
  recordActivity(tx, viewer?.id ?? null, "changed", { ...updated, kind: "photo", name: updated.title });
  return updated;
}

/** Has photos of these bytes indexed again; to be called after their metadata was read. */
export async function indexPhotosShowing(tx: Queries, sha256: string): Promise<void> {
  await markUnread(
    tx,
    "photo",
    sql`SELECT photos.id FROM photos JOIN files ON files.id = photos.file_id WHERE files.sha256 = ${sha256}`,
  );
}

/** The place is indexed for the owner only, unless it is public. */
async function indexPhoto(tx: Queries, photo: StoredPhoto): Promise<void> {
  const shown = presentPhoto(photo, null);
  const toOwner = presentPhoto(photo, { id: shown.ownerID, role: "reader" });
  await indexRecord(tx, "photo", shown, { ...photoTexts(shown), ownText: photoTexts(toOwner).text });
}

export async function trashPhoto(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const photo = await getPhotoHead(tx, seesEverything, id, tx.forUpdate);
  await trash.put(tx, "photo", photo, { name: photo.name, deletedByID });
}

export const presentPhotos = (rows: FoundPhotoRow[], viewer: Viewer) =>
  rows.map((row) => presentPhoto(toStoredPhoto(row), viewer));

/** The photo as JSON for the viewer. */
function presentPhoto({ row, file, shown, isFileHidden, image, poster }: StoredPhoto, viewer: Viewer): Photo {
  const url = `/api/v1/photos/${row.photo_id}`;
  const kind = isVideo(shown?.contentType ?? null) ? "video" : "image";
  const picture = poster ?? image;
  return {
    id: row.photo_id,
    title: row.photo_title,
    description: row.photo_description,
    fileID: isFileHidden ? null : row.photo_file_id,
    ...sizeOf(row, shown, image),
    takenAt: image?.takenAt ? new Date(image.takenAt).toISOString() : null,
    exif: image && toExif(image, isPlaceShown(row, shown, viewer)),
    showLocation: row.location_shown_at !== null,
    thumbhash: picture?.thumbhash ?? null,
    variants: picture ? listVariants(picture, `${url}/image`) : [],
    kind,
    duration: image?.duration ? image.duration / 1000 : null,
    poster: kind === "video" && picture?.thumbhash ? (poster ? "sent" : "frame") : null,
    // The film is a part of the file: who may not see the file may not see the film.
    motion: file && image?.motion ? { url: `${url}/motion`, duration: image.motion.duration / 1000 } : null,
    visibility: toVisibility(row.photo_is_private),
    ownerID: row.photo_owner_id,
    file: file && presentFile(file, viewer),
    createdAt: new Date(row.photo_created_at).toISOString(),
    updatedAt: new Date(row.photo_updated_at).toISOString(),
  };
}

/**
 * The place is shown to the owner of the photo, and to everyone if the owner allows it. It is never shown if the file
 * belongs to another user.
 */
function isPlaceShown(row: PhotoRow, file: StoredFile | null, viewer: Viewer): boolean {
  return file?.ownerID === row.photo_owner_id && (row.location_shown_at !== null || viewer?.id === row.photo_owner_id);
}

/** The hash of the image in the file if it has this size, otherwise null. */
const selectImageOfSize = (fileID: Sql, { width, height }: { width: number; height: number }): Sql => sql`(
  SELECT images.sha256 FROM files JOIN images ON images.sha256 = files.sha256
  WHERE files.id = ${fileID} AND images.width = ${width} AND images.height = ${height})`;

/** A size that was read from the image changes when the content of the file is replaced; a size that was sent does not. */
function sizeOf(row: PhotoRow, file: StoredFile | null, image: Image | null): { width: number; height: number } {
  const isSame = row.sized_sha256 === null || row.sized_sha256 === file?.sha256;
  if (!isSame && image?.width && image.height) return { width: image.width, height: image.height };
  return { width: row.photo_width, height: row.photo_height };
}

function toExif({ camera, place }: Image, isPlaceShown: boolean): Photo["exif"] {
  const shown: Place | null = isPlaceShown ? place : null;
  const isEmpty = shown === null && Object.values(camera).every((value) => value === null);
  return isEmpty ? null : { ...camera, place: shown };
}
