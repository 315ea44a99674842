import { missing } from "../errors.ts";
import { findFiles } from "../files/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { countRecord, findPage, type Page } from "../platform/database/lists.ts";
import { inChunks, list, sql } from "../platform/database/sql.ts";
import { addToTrash, trashedList } from "../trash/store.ts";
import type { Trashable } from "../trash/trash.ts";
import type { Photo, PhotoChanges } from "./photo.ts";

const photoList = "photos";

export type PhotoRow = {
  id: number;
  owner_id: number;
  title: string;
  description: string;
  file_id: number;
  width: number;
  height: number;
  created_at: number;
  updated_at: number;
};

export const photoColumns = sql`photos.id, photos.owner_id, photos.title, photos.description, photos.file_id,
  photos.width, photos.height, photos.created_at, photos.updated_at`;

export async function findPhoto(db: Reader, id: number): Promise<Photo | null> {
  return (await findPhotos(db, [id])).get(id) ?? null;
}

export async function getPhoto(db: Reader, id: number): Promise<Photo> {
  const photo = await findPhoto(db, id);
  if (!photo) throw missing(`photo ${id}`);
  return photo;
}

export async function findPhotos(db: Reader, ids: number[]): Promise<Map<number, Photo>> {
  const rows = await inChunks(ids, (some) =>
    db.all<PhotoRow>(sql`SELECT ${photoColumns} FROM photos WHERE id IN (${list(some)}) AND trash_id IS NULL`),
  );
  return new Map((await withFiles(db, rows)).map((photo) => [photo.id, photo]));
}

export async function listPhotos(db: Reader, page: Page): Promise<{ items: Photo[]; total: number }> {
  const { rows: wanted, total } = await findPage(db, photoList, page);
  const rows = await db.all<PhotoRow>(sql`SELECT ${photoColumns} FROM photos ${wanted}`);
  return { items: await withFiles(db, rows), total };
}

export async function insertPhoto(
  tx: Queries,
  ownerID: number,
  photo: { title: string; description: string; fileID: number; width: number; height: number },
): Promise<Photo> {
  const time = Date.now();
  const row = await tx.get<PhotoRow>(sql`
    INSERT INTO photos (owner_id, title, description, file_id, width, height, created_at, updated_at)
    VALUES (${ownerID}, ${photo.title}, ${photo.description}, ${photo.fileID}, ${photo.width}, ${photo.height}, ${time}, ${time})
    RETURNING ${photoColumns}`);
  await countRecord(tx, photoList, (row as PhotoRow).id, 1);
  return (await withFiles(tx, [row as PhotoRow]))[0] as Photo;
}

export async function updatePhoto(tx: Queries, id: number, changed: PhotoChanges): Promise<Photo> {
  const photo = await getPhoto(tx, id);
  await tx.run(sql`
    UPDATE photos SET title = ${changed.title ?? photo.title}, description = ${changed.description ?? photo.description},
      file_id = ${changed.fileID ?? photo.fileID}, width = ${changed.width ?? photo.width},
      height = ${changed.height ?? photo.height}, updated_at = ${Date.now()}
    WHERE id = ${id}`);
  return getPhoto(tx, id);
}

export async function trashPhoto(tx: Queries, id: number): Promise<void> {
  const photo = await getPhoto(tx, id);
  const trashID = await addToTrash(tx, "photo", photo, photo.title);
  await tx.run(sql`UPDATE photos SET trash_id = ${trashID} WHERE id = ${id}`);
  await countRecord(tx, photoList, id, -1);
}

/** `returnToAlbums` runs in the transaction that brings a photo back. */
export function trashedPhotos(returnToAlbums: (tx: Queries, photoID: number) => Promise<void>): Trashable {
  const statements = {
    restore: (trashID: number) => sql`UPDATE photos SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`,
    purge: (trashID: number) => sql`DELETE FROM photos WHERE trash_id = ${trashID}`,
  };
  return trashedList(photoList, statements, returnToAlbums);
}

/** The photos of these rows, each with its file: one query more, however many they are. */
export async function withFiles(db: Reader, rows: PhotoRow[]): Promise<Photo[]> {
  const files = await findFiles(db, [...new Set(rows.map((row) => row.file_id))]);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    description: row.description,
    fileID: row.file_id,
    width: row.width,
    height: row.height,
    ownerID: row.owner_id,
    file: files.get(row.file_id) ?? null,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }));
}
