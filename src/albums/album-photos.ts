import { setImmediate } from "node:timers/promises";
import { missing } from "../errors.ts";
import type { StoredFile } from "../files/file.ts";
import type { Photo } from "../photos/photo.ts";
import { type FoundPhotoRow, selectPhotos, toSubject } from "../photos/rows.ts";
import { photosAtOnce, presentPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { getAlbumHead } from "./store.ts";
import type { Page } from "../platform/database/lists.ts";
import { maintainedColumns } from "../platform/database/maintained.ts";
import { mapSlices, readSlices, type Slices } from "../platform/database/slices.ts";
import type { Viewer } from "../platform/http/route.ts";
import { inChunks, joined, list, sql } from "../platform/database/sql.ts";

type PositionedPhoto = FoundPhotoRow & { position: number };

/** The photos of an album, in album order: all of them, or one page. */
export function listAlbumPhotos(db: Reader, viewer: Viewer, albumID: number, page: Page | null): Slices<Photo> {
  return mapSlices(readAlbumPhotos(db, albumID, page), (photos) => presentPhotos(photos, viewer));
}

/** The files of the photos in an album, in album order. */
export function listAlbumFiles(db: Reader, albumID: number): Slices<StoredFile> {
  return mapSlices(readAlbumPhotos(db, albumID, null), (photos) => photos.flatMap((row) => toSubject(row).file ?? []));
}

function readAlbumPhotos(db: Reader, albumID: number, page: Page | null): Slices<PositionedPhoto> {
  const read = (last: PositionedPhoto | null, size: number) => {
    const after = last ? sql`AND (album_photos.position, photos.id) > (${last.position}, ${last.photo_id})` : sql``;
    const ids = sql`
      SELECT photos.id, album_photos.position
      FROM album_photos JOIN photos ON photos.id = album_photos.photo_id AND photos.trash_id IS NULL
      WHERE album_photos.album_id = ${albumID} ${after}
      ORDER BY album_photos.position, photos.id LIMIT ${size} + 0 OFFSET ${last ? 0 : (page?.offset ?? 0)} + 0`;
    return db.all<PositionedPhoto>(sql`${selectPhotos(ids, sql`, chosen.position`)} ORDER BY position, photo_id`);
  };
  return readSlices(read, { size: photosAtOnce, ...(page && { most: page.size }) });
}

export async function hasPhoto(db: Reader, albumID: number, photoID: number): Promise<boolean> {
  const row = sql`SELECT position FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID}`;
  return (await db.get(row)) !== null;
}

/**
 * Appends a photo to an album. Does nothing if the photo is already in it, or if the photo or the album does not exist.
 * The statements are sent together with the commit; call the returned function after it, which throws if one is missing.
 */
export async function attachPhoto(tx: Queries, albumID: number, photoID: number): Promise<() => Promise<void>> {
  const found = Promise.all([
    tx.get(sql`SELECT id FROM photos WHERE id = ${photoID} AND trash_id IS NULL ${tx.forShare}`),
    tx.get(sql`SELECT id FROM albums WHERE id = ${albumID} AND trash_id IS NULL ${tx.forUpdate}`),
  ]);
  found.catch(() => {});
  const isNew = sql`
    EXISTS (SELECT 1 FROM photos WHERE id = ${photoID} AND trash_id IS NULL)
    AND NOT EXISTS (SELECT 1 FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID})`;
  tx.later(sql`
    UPDATE albums SET photo_count = photo_count + 1, updated_at = ${Date.now()}
    WHERE id = ${albumID} AND trash_id IS NULL AND ${isNew}`);
  tx.later(sql`
    INSERT INTO album_photos (album_id, photo_id, position)
    SELECT id, CAST(${photoID} AS BIGINT), (
      SELECT coalesce(max(position), 0) + 1 FROM album_photos WHERE album_id = ${albumID})
    FROM albums WHERE id = ${albumID} AND trash_id IS NULL AND ${isNew}`);
  return async () => {
    const [photo, album] = await found;
    if (!photo) throw missing(`photo ${photoID}`);
    if (!album) throw missing(`album ${albumID}`);
  };
}

export async function detachPhoto(tx: Queries, albumID: number, photoID: number): Promise<void> {
  const [photo, removed] = await Promise.all([
    tx.get(sql`SELECT id FROM photos WHERE id = ${photoID} AND trash_id IS NULL ${tx.forShare}`),
    tx.run(sql`DELETE FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID}`),
  ]);
  if (!photo) throw missing(`photo ${photoID}`);
  if (removed === 0) throw missing(`photo ${photoID} in album ${albumID}`);
  changeCount(tx, albumID, -1);
  clearRemovedCover(tx, albumID);
}

/** Replaces the photos of an album, in this order. Photos in the trash stay in the album, after the others. */
export async function setPhotos(tx: Queries, albumID: number, photoIDs: number[]): Promise<void> {
  await getAlbumHead(tx, albumID, tx.forUpdate);
  const rows = await inChunks(photoIDs, (some) =>
    tx.all<{ id: number }>(sql`SELECT id FROM photos WHERE id IN (${list(some)}) AND trash_id IS NULL ${tx.forShare}`),
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = photoIDs.find((id) => !known.has(id));
  if (unknown !== undefined) throw missing(`photo ${unknown}`);
  await tx.run(sql`
    DELETE FROM album_photos WHERE album_id = ${albumID}
    AND photo_id IN (SELECT id FROM photos WHERE trash_id IS NULL)`);
  await tx.run(sql`UPDATE album_photos SET position = position + ${photoIDs.length} WHERE album_id = ${albumID}`);
  await inChunks([...photoIDs.entries()], async (some) => {
    const rows = some.map(([index, id]) => sql`(${albumID}, ${id}, ${index + 1})`);
    await tx.run(sql`INSERT INTO album_photos (album_id, photo_id, position) VALUES ${joined(rows)}`);
    // Lets other requests run.
    await setImmediate();
    return [];
  });
  await tx.run(sql`
    UPDATE albums SET photo_count = ${photoIDs.length}, updated_at = ${Date.now()} WHERE id = ${albumID}`);
  clearRemovedCover(tx, albumID);
}

const trueCount = sql`(
  SELECT count(*) FROM album_photos JOIN photos ON photos.id = album_photos.photo_id AND photos.trash_id IS NULL
  WHERE album_photos.album_id = albums.id)`;

export const photoCounts = maintainedColumns("photos in albums", "albums", {
  isWrong: sql`photo_count <> ${trueCount}`,
  correction: sql`photo_count = ${trueCount}`,
});

/** Clears the cover if that photo is no longer in the album. */
function clearRemovedCover(tx: Queries, albumID: number): void {
  tx.later(sql`
    UPDATE albums SET cover_photo_id = NULL
    WHERE id = ${albumID} AND cover_photo_id NOT IN (SELECT photo_id FROM album_photos WHERE album_id = ${albumID})`);
}

function changeCount(tx: Queries, albumID: number, change: number): void {
  tx.later(sql`
    UPDATE albums SET photo_count = photo_count + ${change}, updated_at = ${Date.now()} WHERE id = ${albumID}`);
}
