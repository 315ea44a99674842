import { missing } from "../../platform/errors.ts";
import { presentFile, type StoredFile } from "../files/file.ts";
import { sizeAfter } from "../../platform/images/edits.ts";
import { type Image, isWaiting, type Picture, type Place, listVariants } from "../../core/images/image.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { listPage, type Page } from "../../platform/database/lists.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { inChunks, list, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import { headFinder } from "../../core/trash/heads.ts";
import { indexRecord } from "../../platform/search/documents.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { originalIsPrivate } from "../../core/settings/store.ts";
import { isListed } from "../../core/trash/trash.ts";
import { uniqueTags } from "../../core/records/tags.ts";
import { flagFor, isVisibleOrGrantedTo, toVisibility } from "../../core/records/visibility.ts";
import { parseEdits, type StoredEdits, thumbhashOf } from "./edits.ts";
import { factsOf, toContent } from "./lists/facts.ts";
import { type NewPhoto, type Photo, photoTexts, type SentPlace, withoutMetadata } from "./photo.ts";
import {
  type FoundPhotoRow,
  photoColumns,
  type PhotoRow,
  selectPhotos,
  selectSubject,
  type StoredPhoto,
  type Subject,
  type SubjectRow,
  toListedRow,
  toPlacedRow,
  toStoredPhoto,
  toSubject,
  versionOf,
} from "./rows.ts";
import { type PhotoFile, toPhotoFile } from "./zip-entries.ts";
import { zoneOf } from "./zones.ts";

const photoList = "photos";
/** Descriptions can be long. */
export const photosAtOnce = 50;

export async function getPhoto(db: Reader, viewer: Viewer, id: number): Promise<Photo> {
  return presentPhoto(await getStoredPhoto(db, viewer, id), viewer);
}

export async function getStoredPhoto(db: Reader, viewer: Viewer, id: number): Promise<StoredPhoto> {
  const row = await db.get<FoundPhotoRow>(selectPhotos(viewer, sql`SELECT id FROM photos WHERE id = ${id}`));
  if (!row) throw missing(`photo ${id}`);
  return toStoredPhoto(row, viewer);
}

export const getPhotoHead = headFinder("photos", "title", "photo");

export async function findPhotos(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Photo>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundPhotoRow>(selectPhotos(viewer, sql`SELECT id FROM photos WHERE id IN (${list(some)})`)),
  );
  return new Map(presentPhotos(rows, viewer).map((photo) => [photo.id, photo]));
}

/** The files of these photos, in this order, without those that the viewer may not see. */
export async function findPhotoFiles(db: Reader, viewer: Viewer, ids: number[]): Promise<PhotoFile[]> {
  const rows = await db.all<FoundPhotoRow>(selectPhotos(viewer, sql`SELECT id FROM photos WHERE id IN (${list(ids)})`));
  const files = new Map(rows.map((row) => [row.photo_id, toPhotoFile(row, viewer)]));
  return ids.flatMap((id) => files.get(id) ?? []);
}

type ListedRow = FoundPhotoRow & { id: number; total: number };

export async function listPhotos(db: Reader, viewer: Viewer, page: Page) {
  const read = (ids: Sql) => db.all<ListedRow>(selectPhotos(viewer, ids, sql`, chosen.id, chosen.total`));
  const { items, total } = await listPage(db, photoList, page, { live: isListed, atOnce: photosAtOnce, read });
  return { items: mapSlices(items, (rows) => presentPhotos(rows, viewer)), total };
}

export async function findSubject(db: Reader, viewer: Viewer, fileID: number): Promise<Subject> {
  const row = await db.get<SubjectRow>(selectSubject(viewer, fileID));
  return row ? toSubject(row) : { file: null, image: null };
}

/** The newest photo of the owner's for each of the files of which there is one. */
export async function findPhotoIDs(db: Reader, ownerID: number, fileIDs: number[]): Promise<Map<number, number>> {
  const rows = await inChunks(fileIDs, (some) =>
    db.all<{ id: number; file_id: number }>(sql`
      SELECT max(id) AS id, file_id FROM photos
      WHERE file_id IN (${list(some)}) AND ${unindexed("owner_id")} = ${ownerID} AND trash_id IS NULL GROUP BY file_id`),
  );
  return new Map(rows.map(({ id, file_id }) => [file_id, id]));
}

/** A photo of the owner's that shows a file with these bytes. */
export async function findPhotoOfBytes(db: Reader, ownerID: number, sha256: string): Promise<number | null> {
  const row = await db.get<{ id: number | null }>(sql`
    SELECT min(photos.id) AS id FROM files JOIN photos ON photos.file_id = files.id AND photos.trash_id IS NULL
    WHERE files.sha256 = ${sha256} AND ${unindexed("photos.owner_id")} = ${ownerID}`);
  return row?.id ?? null;
}

/** By their checksums, the files with these bytes of which the owner had a photo before a time. */
export async function findPhotographed(
  db: Reader,
  ownerID: number,
  { sha256s, before }: { sha256s: string[]; before: number },
): Promise<Map<string, number>> {
  const rows = await inChunks([...new Set(sha256s)], (some) =>
    db.all<{ sha256: string; file_id: number }>(sql`
      SELECT files.sha256, min(files.id) AS file_id
      FROM files JOIN photos ON photos.file_id = files.id AND photos.trash_id IS NULL
      WHERE files.sha256 IN (${list(some)}) AND files.trash_id IS NULL AND photos.created_at < ${before}
        AND ${unindexed("photos.owner_id")} = ${ownerID}
      GROUP BY files.sha256`),
  );
  return new Map(rows.map(({ sha256, file_id }) => [sha256, file_id]));
}

/** For each of the files, the newest photo of it that the viewer may see. */
export async function findPhotosOfFiles(db: Reader, viewer: Viewer, fileIDs: number[]): Promise<Map<number, Photo>> {
  const newest = await inChunks(fileIDs, (some) =>
    db.all<{ id: number; file_id: number }>(sql`
      SELECT max(id) AS id, file_id FROM photos
      WHERE file_id IN (${list(some)}) AND trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "photos.", "photo")}
      GROUP BY file_id`),
  );
  const photos = await findPhotos(
    db,
    viewer,
    newest.map(({ id }) => id),
  );
  return new Map(
    newest.flatMap(({ id, file_id }) => {
      const photo = photos.get(id);
      return photo ? [[file_id, photo] as const] : [];
    }),
  );
}

type InsertedPhoto = Pick<NewPhoto, "title" | "fileID"> &
  Partial<Omit<NewPhoto, "width" | "height">> & {
    width: number;
    height: number;
    takenAtZone?: string | null;
    /** Whether nobody has written its title. */
    isUntitled?: boolean;
  };

export async function insertPhoto(tx: Queries, owner: NonNullable<Viewer>, photo: InsertedPhoto): Promise<Photo> {
  return (await addPhoto(tx, owner, photo)).photo;
}

export type AddedPhoto = {
  photo: Photo;
  /** Whether its file must be private: see `Originals`. */
  isOriginalPrivate: boolean;
};

export async function addPhoto(tx: Queries, owner: NonNullable<Viewer>, photo: InsertedPhoto): Promise<AddedPhoto> {
  const time = Date.now();
  const { title, description = "", altText = "", fileID, takenAt = null, takenAtZone = null, place = null } = photo;
  const [locked, found] = await Promise.all([
    // Its content stays until the photo exists.
    tx.get<{ kept: number }>(sql`
      SELECT ${originalIsPrivate} AS kept FROM files WHERE id = ${fileID} ${tx.forShare}`),
    tx.get<SubjectRow>(selectSubject(owner, fileID)),
  ]);
  const subject = found ? toSubject(found) : { file: null, image: null };
  const correction = takenAt === null ? null : Date.parse(takenAt);
  const facts = factsOf(toContent(found), found?.file_owner_id === owner.id, correction);
  const row = (await tx.get<PhotoRow>(sql`
    INSERT INTO photos (owner_id, title, description, alt_text, tags, is_favourite, file_id, width, height, sized_sha256,
      location_shown_at, place, taken_at, taken_at_set, taken_at_zone, kind, camera_key, is_untitled, is_private, created_at, updated_at)
    VALUES (${owner.id}, ${title}, ${description}, ${altText}, ${printTags(photo.tags ?? [])}, ${photo.isFavourite ? 1 : 0},
      ${fileID}, ${photo.width}, ${photo.height}, ${selectImageOfSize(sql`${fileID}`, photo)},
      ${photo.showLocation ? time : null}, ${printPlace(place)}, ${facts.takenAt}, ${correction}, ${takenAtZone}, ${facts.kind},
      ${facts.cameraKey}, ${photo.isUntitled ? 1 : 0}, ${flagFor(photo.visibility)}, ${time}, ${time})
    RETURNING ${photoColumns}`)) as PhotoRow;
  const stored = { row, ...subject, shown: subject.file, isFileHidden: false, poster: null, edited: null };
  const imagePlace = subject.file?.ownerID === owner.id ? (subject.image?.place ?? null) : null;
  const after = { ...toListedRow(row), ...toPlacedRow(row, imagePlace) };
  await tx.changed("photo", [{ id: row.photo_id, before: null, after }]);
  await indexPhoto(tx, stored);
  return { photo: presentPhoto(stored, owner), isOriginalPrivate: locked?.kept === 1 };
}

/** Locks the photo until the transaction ends, and returns its current state. */
export async function lockPhoto(tx: Queries, viewer: Viewer, id: number): Promise<Photo> {
  await getPhotoHead(tx, viewer, id, tx.forUpdate);
  return getPhoto(tx, viewer, id);
}

export const printTags = (tags: string[]) => JSON.stringify(uniqueTags(tags));

export const printPlace = (place: SentPlace | null): string | null =>
  place &&
  JSON.stringify({ latitude: place.latitude, longitude: place.longitude, altitude: null, name: place.name ?? null });

/** The place is indexed for the owner only, unless it is public. */
export async function indexPhoto(tx: Queries, photo: StoredPhoto): Promise<void> {
  const shown = presentPhoto(photo, null);
  const toOwner = presentPhoto(photo, { id: shown.ownerID, role: "reader" });
  await indexRecord(tx, "photo", shown, { ...photoTexts(shown), ownText: photoTexts(toOwner).text });
}

export const presentPhotos = (rows: FoundPhotoRow[], viewer: Viewer) =>
  rows.map((row) => presentPhoto(toStoredPhoto(row, viewer), viewer));

/** The photo as JSON for the viewer. */
export function presentPhoto(stored: StoredPhoto, viewer: Viewer): Photo {
  const { row, file, shown, isFileHidden, image, poster, edited } = stored;
  const url = `/api/v1/photos/${row.photo_id}`;
  const kind = row.photo_kind;
  const picture = poster ?? (image && edited ? toEdited(image, edited) : image);
  const edits = edited?.edits ?? null;
  const place = shownPlace(row, shown, image, viewer);
  const photo: Photo = {
    id: row.photo_id,
    title: row.photo_title,
    isUntitled: row.photo_is_untitled === 1,
    description: row.photo_description,
    altText: row.photo_alt_text,
    tags: JSON.parse(row.photo_tags) as string[],
    isFavourite: row.photo_is_favourite === 1 && viewer?.id === row.photo_owner_id,
    fileID: isFileHidden ? null : row.photo_file_id,
    ...sizeOf(stored),
    takenAt: row.photo_taken_at === null ? null : new Date(row.photo_taken_at).toISOString(),
    takenAtZone: isOwnerOrAdmin(viewer, { ownerID: row.photo_owner_id }) ? zoneOf(stored) : null,
    place,
    exif: image && toExif(image, place),
    showLocation: row.location_shown_at !== null,
    thumbhash: edited && image ? thumbhashOf(edited, image) : (picture?.thumbhash ?? null),
    isPreparing: picture !== null && image !== null && !poster && isWaiting(image),
    isCutOff: !poster && (image?.isCutOff ?? false),
    variants: picture ? listVariants(picture, `${url}/image`, versionOf(row, picture, edits)) : [],
    kind,
    duration: image?.duration ? image.duration / 1000 : null,
    poster: kind === "video" && picture?.thumbhash ? (poster ? "sent" : "frame") : null,
    // The video is a part of the file: who may not see the file may not see the video.
    motion: file && image?.motion ? { url: `${url}/motion`, duration: image.motion.duration / 1000 } : null,
    edits: isOwnerOrAdmin(viewer, { ownerID: row.photo_owner_id })
      ? (parseEdits(row.photo_edits)?.edits ?? null)
      : null,
    visibility: toVisibility(row.photo_is_private),
    ownerID: row.photo_owner_id,
    file: file && presentFile(file, viewer),
    createdAt: new Date(row.photo_created_at).toISOString(),
    updatedAt: new Date(row.photo_updated_at).toISOString(),
  };
  return isMetadataHidden(row, viewer) ? withoutMetadata(photo) : photo;
}

/** What only a grant shows, it may show without metadata. */
function isMetadataHidden(row: PhotoRow, viewer: Viewer): boolean {
  if (row.photo_is_private === 0 || viewer?.grant?.showMetadata !== false) return false;
  return !isOwnerOrAdmin(viewer, { ownerID: row.photo_owner_id });
}

/**
 * The place is shown to the owner of the photo, and to everyone if the owner allows it: as the owner has corrected it, or
 * else from the file, unless that belongs to another user.
 */
function shownPlace(row: PhotoRow, file: StoredFile | null, image: Image | null, viewer: Viewer): Place | null {
  if (row.location_shown_at === null && viewer?.id !== row.photo_owner_id) return null;
  if (row.photo_place !== null) return JSON.parse(row.photo_place) as Place;
  return file?.ownerID === row.photo_owner_id ? (image?.place ?? null) : null;
}

/** The hash of the image in the file if it has this size, otherwise null. */
export const selectImageOfSize = (fileID: Sql, { width, height }: { width: number; height: number }): Sql => sql`(
  SELECT images.sha256 FROM files JOIN images ON images.sha256 = files.sha256
  WHERE files.id = ${fileID} AND images.width = ${width} AND images.height = ${height})`;

/** The edited picture. The thumbhash only says that there is one. */
const toEdited = (image: Image, { edits }: StoredEdits): Picture =>
  image.width && image.height ? { ...image, ...sizeAfter(edits, { width: image.width, height: image.height }) } : image;

/**
 * A size that was read from the image changes when the content of the file is replaced; a size that was sent does not. That of
 * an edited picture follows from the image.
 */
function sizeOf({ row, shown: file, image, edited }: StoredPhoto): { width: number; height: number } {
  if (edited && image?.width && image.height)
    return sizeAfter(edited.edits, { width: image.width, height: image.height });
  const isSame = row.sized_sha256 === null || row.sized_sha256 === file?.sha256;
  if (!isSame && image?.width && image.height) return { width: image.width, height: image.height };
  return { width: row.photo_width, height: row.photo_height };
}

function toExif({ camera }: Image, place: Place | null): Photo["exif"] {
  const isEmpty = place === null && Object.values(camera).every((value) => value === null);
  return isEmpty ? null : { ...camera, place };
}
