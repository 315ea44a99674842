import { missing } from "../errors.ts";
import { type FoundPhotoRow, selectPhotos } from "../photos/rows.ts";
import { photosAtOnce, presentPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../platform/database/keyset.ts";
import { countRecord, listPage, type Page } from "../platform/database/lists.ts";
import { mapSlices } from "../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import type { Viewer } from "../platform/http/route.ts";
import { headFinder } from "../trash/heads.ts";
import { indexRecord } from "../platform/search/documents.ts";
import { isLive, type Trash } from "../trash/trash.ts";
import { isOwnedBy, type OwnerQuery } from "../users/owner.ts";
import { type Album, type AlbumChanges, albumTexts } from "./album.ts";

const albumList = "albums";
/** How many positions are searched for the first photo that is not in the trash. */
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

type FoundAlbumRow = AlbumRow & Partial<FoundPhotoRow>;

const columns = sql`albums.owner_id, albums.name, albums.photo_count, albums.cover_photo_id,
  albums.created_at, albums.updated_at`;

/**
 * The albums with the ids that the SELECT `ids` returns, with its other columns and the cover of each album: the chosen
 * photo, or else the first.
 */
const selectAlbums = (ids: Sql): Sql => sql`
  WITH page AS (
    SELECT chosen.*, ${columns}, coalesce(
      (SELECT photos.id FROM photos WHERE photos.id = albums.cover_photo_id AND photos.trash_id IS NULL), (
        SELECT photos.id FROM (
          SELECT photo_id, position FROM album_photos WHERE album_id = albums.id
          ORDER BY position LIMIT ${coverCandidates} + 0) AS candidates
        JOIN photos ON photos.id = candidates.photo_id AND photos.trash_id IS NULL
        ORDER BY candidates.position, photos.id LIMIT 1)) AS shown_photo_id
    FROM (${ids}) AS chosen JOIN albums ON albums.id = chosen.id)
  SELECT page.*, covers.* FROM page
  LEFT JOIN (${selectPhotos(sql`SELECT photos.id FROM photos WHERE photos.id IN (SELECT shown_photo_id FROM page)`)})
  AS covers ON covers.photo_id = page.shown_photo_id`;

export async function getAlbum(db: Reader, viewer: Viewer, id: number): Promise<Album> {
  const row = await db.get<FoundAlbumRow>(
    selectAlbums(sql`SELECT id FROM albums WHERE id = ${id} AND trash_id IS NULL`),
  );
  if (!row) throw missing(`album ${id}`);
  return presentAlbum(row, viewer);
}

export const getAlbumHead = headFinder("albums", "name", "album");

export async function findAlbums(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Album>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundAlbumRow>(selectAlbums(sql`SELECT id FROM albums WHERE id IN (${list(some)}) AND trash_id IS NULL`)),
  );
  return new Map(rows.map((row) => [row.id, presentAlbum(row, viewer)]));
}

export async function listAlbums(db: Reader, viewer: Viewer, page: Page) {
  const read = (ids: Sql) => db.all<FoundAlbumRow & { total: number }>(sql`${selectAlbums(ids)} ORDER BY page.id DESC`);
  const { items, total } = await listPage(db, albumList, page, { live: isLive, atOnce: photosAtOnce, read });
  return { items: mapSlices(items, (rows) => rows.map((row) => presentAlbum(row, viewer))), total };
}

export function listAlbumsByKey(db: Reader, viewer: Viewer, { owner }: OwnerQuery, request: KeysetRequest) {
  return listByKey(db, request, {
    table: albumList,
    where: [isLive, ...isOwnedBy(owner)],
    atOnce: photosAtOnce,
    find: (ids) => findAlbums(db, viewer, ids),
  });
}

export async function insertAlbum(tx: Queries, owner: NonNullable<Viewer>, name: string): Promise<Album> {
  const time = Date.now();
  const row = await tx.get<AlbumRow>(sql`
    INSERT INTO albums (owner_id, name, created_at, updated_at) VALUES (${owner.id}, ${name}, ${time}, ${time})
    RETURNING id, ${columns}`);
  const album = presentAlbum(row as AlbumRow, owner);
  countRecord(tx, albumList, album.id, 1);
  await indexRecord(tx, "album", album, albumTexts(album));
  return album;
}

export async function updateAlbum(tx: Queries, viewer: Viewer, id: number, changed: AlbumChanges): Promise<Album> {
  const { name, coverPhotoID } = changed;
  const [, album] = await Promise.all([
    tx.run(sql`
      UPDATE albums SET updated_at = ${Date.now()}
        ${name === undefined ? sql`` : sql`, name = ${name}`}
        ${coverPhotoID === undefined ? sql`` : sql`, cover_photo_id = ${coverPhotoID}`}
      WHERE id = ${id} AND trash_id IS NULL`),
    getAlbum(tx, viewer, id),
  ]);
  await indexRecord(tx, "album", album, albumTexts(album));
  return album;
}

export async function trashAlbum(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const album = await getAlbumHead(tx, id, tx.forUpdate);
  await trash.put(tx, "album", album, { name: album.name, deletedByID });
}

/** A photo in the trash keeps its position in each album, in case it is restored; only the counts change. */
export const leaveAlbums = (tx: Queries, photoID: number) => changeCounts(tx, photoID, -1);
export const returnToAlbums = (tx: Queries, photoID: number) => changeCounts(tx, photoID, 1);

/** The albums are locked first: the photo may be taken out of one while this waits, and then its count stays. */
async function changeCounts(tx: Queries, photoID: number, change: 1 | -1): Promise<void> {
  const withPhoto = sql`id IN (SELECT album_id FROM album_photos WHERE photo_id = ${photoID})`;
  await Promise.all([
    tx.all(sql`SELECT id FROM albums WHERE ${withPhoto} ORDER BY id ${tx.forUpdate}`),
    tx.run(sql`UPDATE albums SET photo_count = photo_count + ${change} WHERE ${withPhoto}`),
  ]);
}

function presentAlbum(row: FoundAlbumRow, viewer: Viewer): Album {
  const [cover = null] = row.photo_id ? presentPhotos([row as FoundPhotoRow], viewer) : [];
  return {
    id: row.id,
    name: row.name,
    ownerID: row.owner_id,
    photoCount: row.photo_count,
    coverPhotoID: cover?.id === row.cover_photo_id ? row.cover_photo_id : null,
    cover,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
