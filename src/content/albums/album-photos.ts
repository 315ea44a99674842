import { setImmediate } from "node:timers/promises";
import { missing } from "../../platform/errors.ts";
import { listInAlbum, unlistInAlbum } from "../photos/lists/entries.ts";
import type { Photo } from "../photos/photo.ts";
import { type FoundPhotoRow, selectKnownPhotos } from "../photos/rows.ts";
import { findPhotos, photosAtOnce, presentPhotos } from "../photos/store.ts";
import { type PhotoFile, toPhotoFile } from "../photos/zip-entries.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey, type Sort } from "../../platform/database/keyset.ts";
import type { Page } from "../../platform/database/lists.ts";
import { mapSlices, readSlices, type Slices } from "../../platform/database/slices.ts";
import { firstOf, inChunks, joined, joinedBy, list, sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { findStart, positionStep } from "./blocks.ts";
import { areEntries, isSeenBy, rangesSeenBy, reviseAlbum, seenBy, selectInOrder } from "./seen-by.ts";
import { orderByDate, positionOr } from "./date-order.ts";
import { getAlbumHead } from "./store.ts";

type Place = { photo_id: number; position: number };
type PositionedPhoto = FoundPhotoRow & Place;

/** The photos of an album, in album order: all of them, or one page. */
export function listAlbumPhotos(db: Reader, viewer: Viewer, albumID: number, page: Page | null): Slices<Photo> {
  return mapSlices(readAlbumPhotos(db, viewer, albumID, page), (photos) => presentPhotos(photos, viewer));
}

/** Album order. */
export const byPosition: Sort = { column: "position", type: "integer" };

export function listAlbumPhotosByKey(db: Reader, viewer: Viewer, albumID: number, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "album_photos",
    idColumn: "photo_id",
    where: [sql`album_id = ${albumID}`],
    anyOf: rangesSeenBy(viewer),
    atOnce: photosAtOnce,
    bytes: sql`(SELECT octet_length(description) FROM ${known("photos")} WHERE photos.id = photo_id)`,
    find: (ids) => findPhotos(db, viewer, ids),
  });
}

/** The first photos of each of these albums that the viewer sees, in album order, by the id of the album. */
export async function findFirstPhotos(
  db: Reader,
  viewer: Viewer,
  albumIDs: number[],
  count: number,
): Promise<Map<number, Photo[]>> {
  const places = Array.from({ length: count }, (_, place) => place);
  const rows = await inChunks(albumIDs, (some) => {
    const selects = places.map(
      (place) => sql`SELECT albums.id AS album_id, CAST(${place} AS BIGINT) AS place, (
          ${selectInOrder(viewer)} LIMIT 1 OFFSET ${place}) AS photo_id
        FROM albums WHERE albums.id IN (${list(some)})`,
    );
    return db.all<{ album_id: number; photo_id: number | null }>(
      sql`${joinedBy(" UNION ALL ", selects)} ORDER BY place`,
    );
  });
  const entries = rows.flatMap(({ album_id, photo_id }) => (photo_id === null ? [] : [{ album_id, photo_id }]));
  const photos = await findPhotos(db, viewer, [...new Set(entries.map(({ photo_id }) => photo_id))]);
  return new Map(
    [...Map.groupBy(entries, ({ album_id }) => album_id)].map(([albumID, some]) => [
      albumID,
      some.flatMap(({ photo_id }) => photos.get(photo_id) ?? []),
    ]),
  );
}

/** The files of the photos in an album, in album order, without those that the viewer may not see. */
export function listAlbumFiles(db: Reader, viewer: Viewer, albumID: number): Slices<PhotoFile> {
  return mapSlices(readAlbumPhotos(db, viewer, albumID, null), (photos) =>
    photos.flatMap((row) => toPhotoFile(row, viewer) ?? []),
  );
}

async function* readAlbumPhotos(
  db: Reader,
  viewer: Viewer,
  albumID: number,
  page: Page | null,
): AsyncGenerator<PositionedPhoto[]> {
  const start = await findStart(db, viewer, albumID, page?.offset ?? 0);
  if (!start) return;
  const read = (last: PositionedPhoto | null, size: number) => {
    const place = last
      ? sql`(position, photo_id) > (${last.position}, ${last.photo_id})`
      : sql`position >= ${start.position}`;
    const ids = sql`
      SELECT photo_id AS id, position FROM album_photos
      WHERE album_id = ${albumID} AND ${isSeenBy(viewer)} AND ${place}
      ORDER BY position, photo_id`;
    const some = firstOf(ids, size, last ? 0 : start.skip);
    return db.all<PositionedPhoto>(
      sql`${selectKnownPhotos(viewer, some, sql`, chosen.position`)} ORDER BY position, photo_id`,
    );
  };
  yield* readSlices(read, { size: photosAtOnce, ...(page && { most: page.size }) });
}

export async function hasPhoto(db: Reader, viewer: Viewer, albumID: number, photoID: number): Promise<boolean> {
  const row = sql`
    SELECT position FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID} AND ${isSeenBy(viewer)}`;
  return (await db.get(row)) !== null;
}

export const isAttached = (albumID: number, photoID: number): Sql =>
  sql`EXISTS (SELECT 1 FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID})`;

/**
 * Appends a photo to an album. Does nothing if the photo is already in it, or if the photo or the album does not exist.
 * The statements are sent together with the commit; call the returned function after it, which throws if one is missing.
 */
export async function attachPhoto(
  tx: Queries,
  viewer: Viewer,
  albumID: number,
  photoID: number,
): Promise<() => Promise<void>> {
  const isFound = sql`id = ${photoID} AND ${isLive} AND ${isVisibleTo(viewer, thisTable)}`;
  const found = Promise.all([
    tx.get(sql`SELECT id FROM photos WHERE ${isFound} ${tx.forShare}`),
    tx.get(sql`SELECT id FROM albums WHERE id = ${albumID} AND trash_id IS NULL ${tx.forUpdate}`),
  ]);
  found.catch(() => {});
  const isNew = sql`
    EXISTS (SELECT 1 FROM photos WHERE ${isFound})
    AND NOT EXISTS (SELECT 1 FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID})`;
  const added = sql`albums JOIN photos ON photos.id = ${photoID} WHERE albums.id = ${albumID} AND albums.trash_id IS NULL`;
  tx.later(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID} AND trash_id IS NULL AND ${isNew}`);
  tx.later(sql`
    INSERT INTO album_photos (album_id, photo_id, position, seen_by)
    SELECT albums.id, photos.id, ${positionOr(sql`(
      SELECT coalesce(max(position), 0) + ${positionStep} FROM album_photos WHERE album_id = ${albumID})`)}, ${seenBy}
    FROM ${added} AND ${isNew}`);
  listInAlbum(tx, albumID, sql`photo_id = ${photoID}`);
  return async () => {
    const [photo, album] = await found;
    if (!photo) throw missing(`photo ${photoID}`);
    if (!album) throw missing(`album ${albumID}`);
  };
}

/**
 * Appends photos that the caller may see, and returns the ids of those that were not in the album: the others stay where
 * they are. The album is locked.
 */
export async function addPhotos(tx: Queries, albumID: number, photoIDs: number[]): Promise<number[]> {
  if (photoIDs.length === 0) return [];
  const [known, last] = await Promise.all([
    findEntries(tx, albumID, photoIDs),
    tx.get<{ position: number }>(sql`
      SELECT coalesce(max(position), 0) AS position FROM album_photos WHERE album_id = ${albumID}`),
  ]);
  const added = photoIDs.filter((id) => !known.has(id));
  if (added.length === 0) return [];
  const positionOf = (index: number) => (last?.position ?? 0) + (index + 1) * positionStep;
  insertEntries(
    tx,
    albumID,
    added.map((photo_id, index) => ({ photo_id, position: positionOf(index) })),
  );
  return added;
}

/** Adds photos that are not in the album at these positions. The album is locked. */
export function insertEntries(tx: Queries, albumID: number, entries: Place[]): void {
  const added = entries.map(({ photo_id }) => photo_id);
  const rows = entries.map(({ photo_id, position }) => sql`(${albumID}, ${photo_id}, ${position})`);
  const isAdded = areEntries(albumID, added);
  tx.later(sql`INSERT INTO album_photos (album_id, photo_id, position) VALUES ${joined(rows)}`);
  tx.later(sql`
    UPDATE album_photos SET (position, seen_by) = (
      SELECT ${positionOr(sql`album_photos.position`)}, ${seenBy} FROM photos JOIN albums ON albums.id = ${albumID}
      WHERE photos.id = photo_id)
    WHERE ${isAdded}`);
  listInAlbum(tx, albumID, sql`photo_id IN (${list(added)})`);
  tx.later(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID}`);
}

/** Those of the photos that are in the album. */
export async function findEntries(db: Reader, albumID: number, photoIDs: number[]): Promise<Set<number>> {
  const rows = await db.all<{ photo_id: number }>(sql`
    SELECT photo_id FROM album_photos WHERE album_id = ${albumID} AND photo_id IN (${list(photoIDs)})`);
  return new Set(rows.map(({ photo_id }) => photo_id));
}

/** Removes photos that are in the album. The album is locked. */
export function removePhotos(tx: Queries, albumID: number, photoIDs: number[]): void {
  if (photoIDs.length === 0) return;
  const isEntry = areEntries(albumID, photoIDs);
  tx.later(sql`DELETE FROM album_photos WHERE ${isEntry}`);
  unlistInAlbum(tx, albumID, sql`photo_id IN (${list(photoIDs)})`);
  tx.later(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID}`);
  clearRemovedCover(tx, albumID);
}

export async function detachPhoto(tx: Queries, viewer: Viewer, albumID: number, photoID: number): Promise<void> {
  const isEntry = sql`album_id = ${albumID} AND photo_id = ${photoID}`;
  const [, photo, removed] = await Promise.all([
    tx.get(sql`SELECT id FROM albums WHERE id = ${albumID} ${tx.forUpdate}`),
    tx.get(sql`
      SELECT id FROM photos WHERE id = ${photoID} AND ${isLive} AND ${isVisibleTo(viewer, thisTable)} ${tx.forUpdate}`),
    tx.run(sql`DELETE FROM album_photos WHERE ${isEntry}`),
  ]);
  unlistInAlbum(tx, albumID, sql`photo_id = ${photoID}`);
  if (!photo) throw missing(`photo ${photoID}`);
  if (removed === 0) throw missing(`photo ${photoID} in album ${albumID}`);
  tx.later(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID}`);
  clearRemovedCover(tx, albumID);
}

/**
 * Prevents the photos in an album from being changed, and from leaving or joining other albums: that would write their lists
 * again from an album that changes.
 */
async function lockPhotosOf(tx: Queries, albumID: number): Promise<void> {
  await tx.all(sql`
    SELECT id FROM photos WHERE id IN (SELECT photo_id FROM album_photos WHERE album_id = ${albumID})
    ORDER BY id ${tx.forUpdate}`);
}

/**
 * Replaces the photos of an album, in this order. Photos that are in the trash, or that the caller may not see, stay in the
 * album, after the others.
 */
export async function setPhotos(tx: Queries, viewer: Viewer, albumID: number, photoIDs: number[]): Promise<void> {
  const { photoOrder } = await getAlbumHead(tx, viewer, albumID, tx.forUpdate);
  await lockPhotosOf(tx, albumID);
  const isSeen = sql`${isLive} AND ${isVisibleTo(viewer, thisTable)}`;
  const rows = await inChunks(photoIDs, (some) =>
    tx.all<{ id: number }>(sql`SELECT id FROM photos WHERE id IN (${list(some)}) AND ${isSeen} ${tx.forShare}`),
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = photoIDs.find((id) => !known.has(id));
  if (unknown !== undefined) throw missing(`photo ${unknown}`);
  await tx.run(sql`
    DELETE FROM album_photos WHERE album_id = ${albumID}
    AND photo_id IN (SELECT id FROM photos WHERE ${isSeen})`);
  await tx.run(
    sql`UPDATE album_photos SET position = position + ${photoIDs.length * positionStep} WHERE album_id = ${albumID}`,
  );
  await inChunks([...photoIDs.entries()], async (some) => {
    const rows = some.map(([index, id]) => sql`(${albumID}, ${id}, ${(index + 1) * positionStep})`);
    await tx.run(sql`INSERT INTO album_photos (album_id, photo_id, position) VALUES ${joined(rows)}`);
    // Lets other requests run.
    await setImmediate();
    return [];
  });
  await reviseAlbum(tx, albumID);
  if (photoOrder !== "manual") await orderByDate(tx, albumID);
  unlistInAlbum(tx, albumID, sql`1 = 1`);
  listInAlbum(tx, albumID, sql`1 = 1`);
  await tx.run(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID}`);
  clearRemovedCover(tx, albumID);
}

/** Clears the cover if that photo is no longer in the album. */
function clearRemovedCover(tx: Queries, albumID: number): void {
  tx.later(sql`
    UPDATE albums SET cover_photo_id = NULL
    WHERE id = ${albumID} AND cover_photo_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM album_photos WHERE album_id = ${albumID} AND photo_id = albums.cover_photo_id)`);
}
