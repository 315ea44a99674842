import type { StoredFile } from "../files/file.ts";
import { fileAndImageColumns, type FoundFileRow, toFile, withPaths } from "../files/rows.ts";
import { type Image, isImage, isVideo, type Picture, type Place } from "../../core/images/image.ts";
import { publicName, publicNamesKey } from "../../core/images/public-names.ts";
import { imageColumns, type ImageRow, joinImages, toImage } from "../../core/images/store.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleOrGrantedTo } from "../../core/records/visibility.ts";
import { noteMissing } from "../../platform/database/generations.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import type { Edits } from "../../platform/images/edits.ts";
import type { ListedRow, PhotoKind } from "./lists/entries.ts";
import { isCroppedFor, parseEdits, type StoredEdits } from "./edits.ts";

export type PhotoRow = {
  photo_id: number;
  photo_owner_id: number;
  photo_title: string;
  photo_description: string;
  photo_file_id: number;
  photo_width: number;
  photo_height: number;
  photo_is_private: number;
  photo_alt_text: string;
  photo_tags: string;
  photo_is_favourite: number;
  photo_taken_at: number | null;
  photo_taken_at_set: number | null;
  photo_taken_at_zone: string | null;
  photo_place: string | null;
  photo_kind: PhotoKind;
  photo_camera_key: string | null;
  photo_is_untitled: number;
  sized_sha256: string | null;
  location_shown_at: number | null;
  photo_created_at: number;
  photo_updated_at: number;
  photo_edits: string | null;
  photo_is_cropped: number;
  names_key: string | null;
};

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
/** A file and the image in it; the columns are null if there is none. */
export type SubjectRow = Nullable<FoundFileRow> & Nullable<ImageRow>;
export type FoundPhotoRow = PhotoRow & SubjectRow & PosterRow;
/** A photo that another record may have; the columns are null if it has none. */
export type OptionalPhotoRow = Partial<Nullable<FoundPhotoRow>>;

/** The picture that was sent for a video. */
type PosterRow = {
  poster_sha256: string | null;
  poster_width: number | null;
  poster_height: number | null;
  poster_thumbhash: string | null;
};

const posterColumns = sql`photos.poster_sha256, posters.width AS poster_width,
  posters.height AS poster_height, posters.thumbhash AS poster_thumbhash`;

export const photoColumns = sql`photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
  photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
  photos.height AS photo_height, photos.is_private AS photo_is_private,
  photos.alt_text AS photo_alt_text, photos.tags AS photo_tags, photos.is_favourite AS photo_is_favourite,
  photos.taken_at AS photo_taken_at, photos.taken_at_set AS photo_taken_at_set,
  photos.taken_at_zone AS photo_taken_at_zone, photos.place AS photo_place,
  photos.kind AS photo_kind, photos.camera_key AS photo_camera_key, photos.is_untitled AS photo_is_untitled, photos.sized_sha256, photos.location_shown_at, photos.created_at AS photo_created_at,
  photos.updated_at AS photo_updated_at, photos.edits AS photo_edits, photos.is_cropped AS photo_is_cropped,
  ${publicNamesKey} AS names_key`;

/** Those photos with the ids that the SELECT `ids` returns that the viewer may see. `beside` adds columns of that SELECT, whose alias is `chosen`. */
export const selectPhotos = (viewer: Viewer, ids: Sql, beside?: Sql): Sql =>
  selectFrom(sql`photos`, viewer, ids, beside);

/** The same for ids of photos to which other rows refer. */
export const selectKnownPhotos = (viewer: Viewer, ids: Sql, beside?: Sql): Sql =>
  selectFrom(known("photos"), viewer, ids, beside);

const selectFrom = (photos: Sql, viewer: Viewer, ids: Sql, beside: Sql = sql``): Sql =>
  withPaths(
    viewer,
    sql`
    SELECT ${photoColumns}, ${fileAndImageColumns}, ${imageColumns}, ${posterColumns} ${beside}
    FROM (${ids}) AS chosen
    JOIN ${photos} ON photos.id = chosen.id AND photos.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "photos.", "photo")}
    LEFT JOIN ${known("files")} ON files.id = photos.file_id AND files.trash_id IS NULL ${joinImages}
    LEFT JOIN ${known("images")} AS posters ON posters.sha256 = photos.poster_sha256`,
  );

/** What a photo shows: a file, and the image or video in it. */
export type Subject = { file: StoredFile | null; image: Image | null };
/**
 * `file` is null for a viewer who may not see it. `shown` is the file whose image the photo shows nevertheless. Only a video
 * has a poster.
 */
export type StoredPhoto = Subject & {
  shown: StoredFile | null;
  isFileHidden: boolean;
  poster: Picture | null;
  edited: StoredEdits | null;
  row: PhotoRow;
};

export const selectSubject = (viewer: Viewer, fileID: number): Sql =>
  withPaths(
    viewer,
    sql`
    SELECT ${fileAndImageColumns}, ${imageColumns} FROM files ${joinImages}
    WHERE files.id = ${fileID} AND files.trash_id IS NULL`,
  );

export function toSubject(row: SubjectRow): Subject {
  const file = row.file_id === null ? null : toFile(row as FoundFileRow);
  return { file, image: toImageOf(row, file) };
}

/**
 * Owners show the images in their private files, as long as the photo is public; nobody shows those of others. The file of a
 * cropped photo shows more than the photo does.
 */
export function toStoredPhoto(row: FoundPhotoRow, viewer: Viewer): StoredPhoto {
  const found = row.file_id === null ? null : toFile(row as FoundFileRow);
  const isOwn = row.file_id !== null && row.file_owner_id === row.photo_owner_id;
  const shown = found ?? (isOwn ? toFile({ ...(row as FoundFileRow), is_file_visible: 1 }) : null);
  const isCropped = isCroppedFor(viewer, row);
  const isFileHidden = isCropped || (row.file_path !== null && row.is_file_visible === 0);
  const image = toImageOf(row, shown);
  const stored = parseEdits(row.photo_edits);
  return {
    row,
    file: isCropped ? null : found,
    shown,
    isFileHidden,
    image,
    poster: toPoster(row, shown),
    // Videos are shown as they are.
    edited: image?.duration === null ? stored : null,
  };
}

/** The version of the picture that a photo shows, as it is edited: other photos of the same picture have another one. */
export const versionOf = (
  { names_key: key, photo_id: id }: PhotoRow,
  { sha256 }: Pick<Picture, "sha256">,
  edits: Edits | null,
): string => publicName(key, `photo ${id}`, edits ? `${sha256} ${JSON.stringify(edits)}` : sha256);

function toPoster(row: FoundPhotoRow, file: StoredFile | null): Picture | null {
  const { poster_sha256: sha256, poster_width: width, poster_height: height, poster_thumbhash: thumbhash } = row;
  if (sha256 === null || !isVideo(file?.contentType ?? null)) return null;
  if (width === null) noteMissing("images");
  return width === null ? null : { sha256, width, height, thumbhash };
}

function toImageOf(row: SubjectRow, file: StoredFile | null): Image | null {
  const hasImage =
    file !== null && (isImage(file.contentType) || isVideo(file.contentType)) && row.image_sha256 !== null;
  return hasImage ? toImage(row as ImageRow) : null;
}

/** The columns on which the lists of a new photo depend. */
export const toListedRow = (row: PhotoRow): ListedRow => ({
  id: row.photo_id,
  owner_id: row.photo_owner_id,
  trash_id: null,
  is_private: row.photo_is_private,
  taken_at: row.photo_taken_at,
  kind: row.photo_kind,
  camera_key: row.photo_camera_key,
  is_favourite: row.photo_is_favourite,
  tags: row.photo_tags,
  is_untitled: row.photo_is_untitled,
});

/** Those on which its place depends. */
export const toPlacedRow = (row: PhotoRow, imagePlace: Place | null) => ({
  place: row.photo_place,
  location_shown_at: row.location_shown_at,
  image_place: imagePlace && JSON.stringify(imagePlace),
});
