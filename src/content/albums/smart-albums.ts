import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { joinedBy, list, sql } from "../../platform/database/sql.ts";
import type { Derived } from "../../platform/database/tables.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { insertEntries, removePhotos } from "./album-photos.ts";
import { placed } from "../photos/lists/places.ts";
import { type AlbumFilter, isMember } from "./filter.ts";

/**
 * The photos of a smart album are stored as those of other albums are, so that pages, counts, covers, share links and zips work
 * in the same way and at the same cost. They follow from its filter when photos change, and when the filter does.
 */
type SmartAlbum = { id: number; owner_id: number; filter: string };

export const smartPhotos: Derived = {
  kind: "photo",
  from: ["trash_id", "tags", "is_favourite", "taken_at", "camera_key", "kind", placed],
  derive: (tx, changes) =>
    refile(
      tx,
      changes.map(({ id }) => id),
    ),
};

/** Puts photos, which are locked, into the smart albums of their owners, and takes them out of others. */
async function refile(tx: Queries, ids: number[]): Promise<void> {
  // The filters are read when the albums are locked: one may be changed at the same time.
  const albums = await tx.all<SmartAlbum>(sql`
    SELECT id, owner_id, filter FROM albums
    WHERE filter IS NOT NULL AND owner_id IN (SELECT owner_id FROM photos WHERE id IN (${list(ids)}))
    ORDER BY id ${tx.forUpdate}`);
  for (let start = 0; start < albums.length; start += albumsAtOnce) {
    await refileIn(tx, albums.slice(start, start + albumsAtOnce), ids);
  }
}

const albumsAtOnce = 20;
type Entry = { album_id: number; photo_id: number };

async function refileIn(tx: Queries, albums: SmartAlbum[], ids: number[]): Promise<void> {
  const selects = albums.map(
    (album) => sql`
      SELECT CAST(${album.id} AS BIGINT) AS album_id, photos.id AS photo_id FROM photos
      WHERE photos.id IN (${list(ids)}) AND ${isMember(album)}`,
  );
  const [wanted, found] = await Promise.all([
    tx.all<Entry>(joinedBy(" UNION ALL ", selects)),
    tx.all<Entry>(sql`
      SELECT album_id, photo_id FROM album_photos
      WHERE photo_id IN (${list(ids)}) AND album_id IN (${list(albums.map(({ id }) => id))})`),
  ]);
  for (const { id } of albums) {
    const idsIn = (entries: Entry[]) => new Set(entries.flatMap((one) => (one.album_id === id ? [one.photo_id] : [])));
    const [before, after] = [idsIn(found), idsIn(wanted)];
    removePhotos(tx, id, [...before.difference(after)]);
    addEntries(tx, id, [...after.difference(before)]);
  }
}

function addEntries(tx: Queries, albumID: number, photoIDs: number[]): void {
  if (photoIDs.length === 0) return;
  const entries = photoIDs.map((photo_id) => ({ photo_id, position: 0 }));
  insertEntries(tx, albumID, entries);
}

/** A new smart album, or another filter. */
export const smartAlbums: Derived = {
  kind: "album",
  from: ["filter"],
  async derive(tx, changes) {
    for (const { id } of changes) await refill(tx, id);
  },
};

const photosAtOnce = 500;

/** Compares the photos of a smart album with its filter. Returns how many were wrong. Other requests run in between. */
async function refill(tx: Queries, albumID: number): Promise<number> {
  const album = await tx.get<SmartAlbum>(sql`
    SELECT id, owner_id, filter FROM albums WHERE id = ${albumID} AND filter IS NOT NULL ${tx.forUpdate}`);
  if (!album) return 0;
  let wrong = 0;
  for (let last = 0; ;) {
    const rows = await tx.all<{ id: number; is_wanted: number; is_found: number }>(sql`
      SELECT id, CASE WHEN ${isMember(album)} THEN 1 ELSE 0 END AS is_wanted,
        (SELECT count(*) FROM album_photos WHERE album_id = ${albumID} AND photo_id = photos.id) AS is_found
      FROM photos WHERE id IN (
        SELECT id FROM photos WHERE owner_id = ${album.owner_id} AND trash_id IS NULL AND id > ${last}
        ORDER BY id LIMIT ${photosAtOnce})
      ORDER BY id`);
    const added = rows.filter((row) => row.is_wanted > row.is_found).map(({ id }) => id);
    const removed = rows.filter((row) => row.is_wanted < row.is_found).map(({ id }) => id);
    addEntries(tx, albumID, added);
    removePhotos(tx, albumID, removed);
    wrong += added.length + removed.length;
    if (rows.length < photosAtOnce) break;
    last = rows.at(-1)?.id ?? last;
    await nextTurn();
  }
  return wrong + (await removeOthers(tx, album));
}

const comparedAtOnce = 2000;

/** How many photos a smart album with this filter would have. Other requests run in between. */
export async function countMatches(db: Reader, ownerID: number, filter: AlbumFilter): Promise<number> {
  const isWanted = isMember({ owner_id: ownerID, filter: JSON.stringify(filter) });
  let count = 0;
  for (let last = 0; ;) {
    const row = await db.get<{ matching: number; examined: number; last: number | null }>(sql`
      SELECT CAST(coalesce(sum(CASE WHEN ${isWanted} THEN 1 ELSE 0 END), 0) AS BIGINT) AS matching,
        count(*) AS examined, max(id) AS last
      FROM photos WHERE id IN (
        SELECT id FROM photos WHERE owner_id = ${ownerID} AND trash_id IS NULL AND id > ${last}
        ORDER BY id LIMIT ${comparedAtOnce})`);
    count += row?.matching ?? 0;
    if (!row || row.examined < comparedAtOnce || row.last === null) return count;
    last = row.last;
    await nextTurn();
  }
}

/** Photos in the trash, and those that belong to another user now. */
async function removeOthers(tx: Queries, { id, owner_id }: SmartAlbum): Promise<number> {
  const rows = await tx.all<{ id: number }>(sql`
    SELECT photos.id FROM album_photos JOIN photos ON photos.id = photo_id
    WHERE album_id = ${id} AND (photos.trash_id IS NOT NULL OR photos.owner_id <> ${owner_id})`);
  for (let start = 0; start < rows.length; start += photosAtOnce) {
    removePhotos(
      tx,
      id,
      rows.slice(start, start + photosAtOnce).map((row) => row.id),
    );
  }
  return rows.length;
}

/** Comes after the lists of photos, and before the counts of photos in albums. Servers may be running. */
export const filledSmartAlbums: Maintained = {
  name: "photos in smart albums",
  async rebuild(db: Database) {
    const albums = await db.all<{ id: number }>(sql`SELECT id FROM albums WHERE filter IS NOT NULL ORDER BY id`);
    let wrong = 0;
    for (const { id } of albums) wrong += (await db.transaction((tx) => refill(tx, id))) > 0 ? 1 : 0;
    return wrong;
  },
};
