import { missing } from "../errors.ts";
import type { Photo } from "../photos/photo.ts";
import { type PhotoRow, photoColumns, withFiles } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { countRecord, findPage, type Page } from "../platform/database/lists.ts";
import { sql } from "../platform/database/sql.ts";
import { addToTrash } from "../trash/store.ts";
import type { Trashable } from "../trash/trash.ts";
import type { Album } from "./album.ts";

const albumList = "albums";

type AlbumRow = {
  id: number;
  owner_id: number;
  name: string;
  photo_count: number;
  created_at: number;
  updated_at: number;
};

const columns = sql`id, owner_id, name, photo_count, created_at, updated_at`;

export async function getAlbum(db: Reader, id: number): Promise<Album> {
  const row = await db.get<AlbumRow>(sql`SELECT ${columns} FROM albums WHERE id = ${id} AND trash_id IS NULL`);
  if (!row) throw missing(`album ${id}`);
  return toAlbum(row);
}

export async function listAlbums(db: Reader, page: Page): Promise<{ items: Album[]; total: number }> {
  const { rows: wanted, total } = await findPage(db, albumList, page);
  const rows = await db.all<AlbumRow>(sql`SELECT ${columns} FROM albums ${wanted}`);
  return { items: rows.map(toAlbum), total };
}

export async function listAlbumPhotos(db: Reader, id: number): Promise<Photo[]> {
  const rows = await db.all<PhotoRow>(sql`
    SELECT ${photoColumns} FROM album_photos JOIN photos ON photos.id = album_photos.photo_id AND photos.trash_id IS NULL
    WHERE album_photos.album_id = ${id} ORDER BY album_photos.position`);
  return withFiles(db, rows);
}

export async function insertAlbum(tx: Queries, ownerID: number, name: string): Promise<Album> {
  const time = Date.now();
  const row = await tx.get<AlbumRow>(sql`
    INSERT INTO albums (owner_id, name, created_at, updated_at) VALUES (${ownerID}, ${name}, ${time}, ${time})
    RETURNING ${columns}`);
  const album = toAlbum(row as AlbumRow);
  await countRecord(tx, albumList, album.id, 1);
  return album;
}

export async function renameAlbum(tx: Queries, id: number, name: string): Promise<Album> {
  await tx.run(sql`UPDATE albums SET name = ${name}, updated_at = ${Date.now()} WHERE id = ${id} AND trash_id IS NULL`);
  return getAlbum(tx, id);
}

export async function trashAlbum(tx: Queries, id: number): Promise<void> {
  const album = await getAlbum(tx, id);
  const trashID = await addToTrash(tx, "album", album, album.name);
  await tx.run(sql`UPDATE albums SET trash_id = ${trashID} WHERE id = ${id}`);
  await countRecord(tx, albumList, id, -1);
}

export const trashedAlbums: Trashable = {
  async restore(tx, trashID) {
    const rows = await tx.all<{ id: number }>(
      sql`UPDATE albums SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`,
    );
    for (const { id } of rows) await countRecord(tx, albumList, id, 1);
  },
  async purge(tx, trashID) {
    await tx.run(sql`DELETE FROM albums WHERE trash_id = ${trashID}`);
    return true;
  },
};

/** At the end of the album. Does nothing when it is there already. */
export async function attachPhoto(tx: Queries, albumID: number, photoID: number): Promise<void> {
  const added = await tx.run(sql`
    INSERT INTO album_photos (album_id, photo_id, position)
    SELECT ${albumID}, ${photoID}, coalesce(max(position), 0) + 1 FROM album_photos WHERE album_id = ${albumID}
    ON CONFLICT (album_id, photo_id) DO NOTHING`);
  if (added > 0) await changeCount(tx, albumID, 1);
}

export async function detachPhoto(tx: Queries, albumID: number, photoID: number): Promise<void> {
  const removed = await tx.run(sql`DELETE FROM album_photos WHERE album_id = ${albumID} AND photo_id = ${photoID}`);
  if (removed === 0) throw missing(`photo ${photoID} in album ${albumID}`);
  await changeCount(tx, albumID, -1);
}

/** The photo's places stay, for the day it comes back; only the counts change. */
export const leaveAlbums = (tx: Queries, photoID: number) => changeCountsOf(tx, photoID, -1);
export const returnToAlbums = (tx: Queries, photoID: number) => changeCountsOf(tx, photoID, 1);

async function changeCountsOf(tx: Queries, photoID: number, change: 1 | -1): Promise<void> {
  await tx.run(sql`
    UPDATE albums SET photo_count = photo_count + ${change}
    WHERE id IN (SELECT album_id FROM album_photos WHERE photo_id = ${photoID})`);
}

async function changeCount(tx: Queries, albumID: number, change: number): Promise<void> {
  await tx.run(sql`
    UPDATE albums SET photo_count = photo_count + ${change}, updated_at = ${Date.now()} WHERE id = ${albumID}`);
}

function toAlbum(row: AlbumRow): Album {
  return {
    id: row.id,
    name: row.name,
    ownerID: row.owner_id,
    photoCount: row.photo_count,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
