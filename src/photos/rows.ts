import type { StoredFile } from "../files/file.ts";
import { fileAndImageColumns, type FoundFileRow, toFile, withPaths } from "../files/rows.ts";
import { type Image, isImage } from "../images/image.ts";
import { imageColumns, type ImageRow, joinImages, toImage } from "../images/store.ts";
import { sql, type Sql } from "../platform/database/sql.ts";

export type PhotoRow = {
  photo_id: number;
  photo_owner_id: number;
  photo_title: string;
  photo_description: string;
  photo_file_id: number;
  photo_width: number;
  photo_height: number;
  sized_sha256: string | null;
  location_shown_at: number | null;
  photo_created_at: number;
  photo_updated_at: number;
};

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
/** A file and the image in it; the columns are null if there is none. */
export type SubjectRow = Nullable<FoundFileRow> & Nullable<ImageRow>;
export type FoundPhotoRow = PhotoRow & SubjectRow;

export const photoColumns = sql`photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
  photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
  photos.height AS photo_height, photos.sized_sha256, photos.location_shown_at, photos.created_at AS photo_created_at,
  photos.updated_at AS photo_updated_at`;

/** The photos with the ids that the SELECT `ids` returns. `beside` adds columns of that SELECT, whose alias is `chosen`. */
export const selectPhotos = (ids: Sql, beside: Sql = sql``): Sql =>
  withPaths(sql`
    SELECT ${photoColumns}, ${fileAndImageColumns}, ${imageColumns} ${beside}
    FROM (${ids}) AS chosen JOIN photos ON photos.id = chosen.id
    LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL ${joinImages}`);

/** What a photo shows: a file and the image in it. */
export type Subject = { file: StoredFile | null; image: Image | null };
export type StoredPhoto = Subject & { row: PhotoRow };

export const selectSubject = (fileID: number): Sql =>
  withPaths(sql`
    SELECT ${fileAndImageColumns}, ${imageColumns} FROM files ${joinImages}
    WHERE files.id = ${fileID} AND files.trash_id IS NULL`);

export function toSubject(row: SubjectRow): Subject {
  const file = row.file_id === null ? null : toFile(row as FoundFileRow);
  const hasImage = file !== null && isImage(file.contentType) && row.image_sha256 !== null;
  return { file, image: hasImage ? toImage(row as ImageRow) : null };
}
