import { missing } from "../errors.ts";
import { findPhotos, photosAtOnce } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { countRecord, findPage, type Page, readPage } from "../platform/database/lists.ts";
import { mapSlices, type Slices } from "../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import { indexRecord } from "../platform/search/documents.ts";
import { addToTrash, trashedList } from "../trash/store.ts";
import { type Album, type AlbumChanges, albumTexts } from "./album.ts";

const albumList = "albums";
/** How many places are looked at for the first photo that is not in the trash. */
const coverCandidates = 100;

type AlbumRow = {
  id: number;
  owner_id: number;
  name: string;
  photo_count: number;
  cover_photo_id: number | null;
  created_at: number;
  updated_at: number;
};

const columns = sql`id, owner_id, name, photo_count, cover_photo_id, created_at, updated_at`;

export async function getAlbum(db: Reader, viewer: Viewer, id: number): Promise<Album> {
  const album = (await findAlbums(db, viewer, [id])).get(id);
  if (!album) throw missing(`album ${id}`);
  return album;
}

export type AlbumHead = { id: number; ownerID: number; name: string };

/** As much of an album as it takes to decide who may change it. */
export async function getAlbumHead(db: Reader, id: number, lock: Sql = sql``): Promise<AlbumHead> {
  const album = await db.get<AlbumHead>(sql`
    SELECT id, owner_id AS "ownerID", name FROM albums WHERE id = ${id} AND trash_id IS NULL ${lock}`);
  if (!album) throw missing(`album ${id}`);
  return album;
}

export async function findAlbums(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Album>> {
  const rows = await inChunks(ids, (some) =>
    db.all<AlbumRow>(sql`SELECT ${columns} FROM albums WHERE id IN (${list(some)}) AND trash_id IS NULL`),
  );
  return new Map((await withCovers(db, viewer, rows)).map((album) => [album.id, album]));
}

type Listed = { items: Slices<Album>; total: number };

export async function listAlbums(db: Reader, viewer: Viewer, page: Page): Promise<Listed> {
  const { start, total } = await findPage(db, albumList, page);
  const read = (wanted: Sql) => db.all<AlbumRow>(sql`SELECT ${columns} FROM albums ${wanted}`);
  const rows = readPage(start, read, { size: photosAtOnce, most: page.size });
  return { items: mapSlices(rows, (some) => withCovers(db, viewer, some)), total };
}

export async function insertAlbum(tx: Queries, owner: NonNullable<Viewer>, name: string): Promise<Album> {
  const time = Date.now();
  const row = await tx.get<AlbumRow>(sql`
    INSERT INTO albums (owner_id, name, created_at, updated_at) VALUES (${owner.id}, ${name}, ${time}, ${time})
    RETURNING ${columns}`);
  const [album] = (await withCovers(tx, owner, [row as AlbumRow])) as [Album];
  countRecord(tx, albumList, album.id, 1);
  await indexRecord(tx, "album", album, albumTexts(album));
  return album;
}

export async function updateAlbum(tx: Queries, viewer: Viewer, id: number, changed: AlbumChanges): Promise<Album> {
  const { name, coverPhotoID } = changed;
  const row = await tx.get<AlbumRow>(sql`
    UPDATE albums SET updated_at = ${Date.now()}
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${coverPhotoID === undefined ? sql`` : sql`, cover_photo_id = ${coverPhotoID}`}
    WHERE id = ${id} AND trash_id IS NULL RETURNING ${columns}`);
  if (!row) throw missing(`album ${id}`);
  const [album] = (await withCovers(tx, viewer, [row])) as [Album];
  await indexRecord(tx, "album", album, albumTexts(album));
  return album;
}

export async function trashAlbum(tx: Queries, id: number, deletedByID: number): Promise<void> {
  const album = await getAlbumHead(tx, id, tx.forUpdate);
  const trashID = await addToTrash(tx, "album", album, { name: album.name, deletedByID });
  await tx.run(sql`UPDATE albums SET trash_id = ${trashID} WHERE id = ${id}`);
  countRecord(tx, albumList, id, -1);
}

export const trashedAlbums = trashedList(albumList, {
  restore: (trashID) => sql`UPDATE albums SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id`,
  purge: (trashID) => sql`DELETE FROM albums WHERE trash_id = ${trashID}`,
});

/** The photo's places stay, for the day it comes back; only the counts change. */
export const leaveAlbums = (tx: Queries, photoID: number) => changeCountsOf(tx, photoID, -1);
export const returnToAlbums = (tx: Queries, photoID: number) => changeCountsOf(tx, photoID, 1);

async function changeCountsOf(tx: Queries, photoID: number, change: 1 | -1): Promise<void> {
  await tx.run(sql`
    UPDATE albums SET photo_count = photo_count + ${change}
    WHERE id IN (SELECT album_id FROM album_photos WHERE photo_id = ${photoID})`);
}

/** The cover is the chosen photo, else the first: two queries more, however many albums. */
async function withCovers(db: Reader, viewer: Viewer, rows: AlbumRow[]): Promise<Album[]> {
  const firsts = await inChunks(
    rows.map((row) => row.id),
    (some) =>
      db.all<{ album_id: number; photo_id: number | null }>(sql`
        SELECT albums.id AS album_id, (
          SELECT photos.id FROM (
            SELECT photo_id, position FROM album_photos WHERE album_id = albums.id
            ORDER BY position LIMIT ${coverCandidates}) AS places
          JOIN photos ON photos.id = places.photo_id AND photos.trash_id IS NULL
          ORDER BY places.position, photos.id LIMIT 1) AS photo_id
        FROM albums WHERE albums.id IN (${list(some)})`),
  );
  const firstOf = new Map(firsts.map((row) => [row.album_id, row.photo_id]));
  const ids = rows.flatMap((row) => [row.cover_photo_id ?? [], firstOf.get(row.id) ?? []].flat());
  const photos = await findPhotos(db, viewer, [...new Set(ids)]);
  return rows.map((row) => {
    const chosen = (row.cover_photo_id !== null && photos.get(row.cover_photo_id)) || null;
    return {
      id: row.id,
      name: row.name,
      ownerID: row.owner_id,
      photoCount: row.photo_count,
      coverPhotoID: chosen?.id ?? null,
      cover: chosen ?? photos.get(firstOf.get(row.id) ?? 0) ?? null,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    };
  });
}
