import type { Change, Queries } from "../../../platform/database/database.ts";
import { inChunks, joined, list, sql, type Sql, unindexed } from "../../../platform/database/sql.ts";
import type { Derived } from "../../../platform/database/tables.ts";
import { nextTurn } from "../../../platform/event-loop.ts";
import { tagKey } from "../../../core/records/tags.ts";
import { countMonths, type MonthChange } from "./months.ts";

export type PhotoKind = "image" | "video";

/** The names of the lists: each filter of photos reads one of them. */
export const listNames = {
  tag: (tag: string) => `tag:${tagKey(tag)}`,
  camera: (key: string) => `camera:${key}`,
  kind: (kind: PhotoKind) => `kind:${kind}`,
  favourites: (ownerID: number) => `favourite:${ownerID}`,
  album: (id: number) => `album:${id}`,
  /** Photos of this owner that are in none of the owner's albums. Albums in the trash do not count. */
  noAlbum: (ownerID: number) => `no-album:${ownerID}`,
  /** Photos of this owner whose titles are names of files. */
  untitled: (ownerID: number) => `untitled:${ownerID}`,
};

/** The same name in SQL, from a column with the id of the owner. */
export const noAlbumOf = (ownerID: Sql): Sql => sql`'no-album:' || ${ownerID}`;

/** Every photo that is not in the trash is in the list of its kind. */
const isKind = (name: string) => name.startsWith("kind:");

export type ListedRow = {
  id: number;
  owner_id: number;
  trash_id: number | null;
  is_private: number;
  taken_at: number | null;
  kind: PhotoKind;
  camera_key: string | null;
  is_favourite: number;
  tags: string;
  is_untitled: number;
};

type Entry = { photo_id: number; list: string; seen_by: number; taken_at: number | null };

/** Adds a new photo to its lists. */
export function listNewPhoto(tx: Queries, row: ListedRow): void {
  const entries = entriesOf(row, noAlbums);
  insertEntries(tx, entries);
  countMonths(tx, monthsOf(row, entries, 1));
}

/** Corrects the lists of these photos, which are locked. Returns how many of them were listed otherwise before. */
export async function relist(tx: Queries, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const some = list(ids);
  const [rows, stored, albums] = await Promise.all([
    tx.all<ListedRow>(sql`
      SELECT id, owner_id, trash_id, is_private, taken_at, kind, camera_key, is_favourite, tags, is_untitled FROM photos
      WHERE id IN (${some}) ORDER BY id`),
    tx.all<Entry>(sql`SELECT photo_id, list, seen_by, taken_at FROM photo_lists WHERE photo_id IN (${some})`),
    tx.all<{ photo_id: number; album_id: number; is_own: number }>(sql`
      SELECT photo_id, album_id, CASE WHEN ${isOwnAlbum} THEN 1 ELSE 0 END AS is_own
      FROM album_photos JOIN albums ON albums.id = album_id JOIN photos ON photos.id = photo_id
      WHERE photo_id IN (${some})`),
  ]);
  const storedOf = Map.groupBy(stored, (entry) => entry.photo_id);
  const albumsOf = Map.groupBy(albums, (entry) => entry.photo_id);
  const changed = rows
    .map((row) => {
      const found = albumsOf.get(row.id) ?? [];
      const albums = { ids: found.map(({ album_id }) => album_id), hasOwn: found.some(({ is_own }) => is_own === 1) };
      return { row, before: storedOf.get(row.id) ?? [], after: entriesOf(row, albums) };
    })
    .filter(({ before, after }) => print(before) !== print(after));
  if (changed.length === 0) return 0;
  tx.later(sql`DELETE FROM photo_lists WHERE photo_id IN (${list(changed.map(({ row }) => row.id))})`);
  insertEntries(
    tx,
    changed.flatMap(({ after }) => after),
  );
  const months = changed.flatMap(({ row, before, after }) => [
    ...monthsOf(row, before, -1),
    ...monthsOf(row, after, 1),
  ]);
  countMonths(tx, months);
  return changed.length;
}

const entriesAtOnce = 500;

function insertEntries(tx: Queries, entries: Entry[]): void {
  for (let start = 0; start < entries.length; start += entriesAtOnce) {
    const rows = entries
      .slice(start, start + entriesAtOnce)
      .map((entry) => sql`(${entry.photo_id}, ${entry.list}, ${entry.seen_by}, ${entry.taken_at})`);
    tx.later(sql`INSERT INTO photo_lists (photo_id, list, seen_by, taken_at) VALUES ${joined(rows)}`);
  }
}

/** The albums of a photo, and whether one of them counts for `noAlbum`. */
type Albums = { ids: number[]; hasOwn: boolean };
const noAlbums: Albums = { ids: [], hasOwn: false };

/**
 * A condition on `albums` and `photos`. Those of others may be private: nothing tells that a photo is in one. Nobody has put
 * photos into smart albums.
 */
const isOwnAlbum = sql`
  ${unindexed("albums.owner_id")} = photos.owner_id AND albums.trash_id IS NULL AND albums.filter IS NULL`;

function entriesOf(row: ListedRow, albums: Albums): Entry[] {
  if (row.trash_id !== null) return [];
  const names = [
    listNames.kind(row.kind),
    ...(row.camera_key === null ? [] : [listNames.camera(row.camera_key)]),
    ...(row.is_favourite === 1 ? [listNames.favourites(row.owner_id)] : []),
    ...(JSON.parse(row.tags) as string[]).map(listNames.tag),
    ...albums.ids.map(listNames.album),
    ...(albums.hasOwn ? [] : [listNames.noAlbum(row.owner_id)]),
    ...(row.is_untitled === 1 ? [listNames.untitled(row.owner_id)] : []),
  ];
  const seen_by = row.is_private === 0 ? 0 : row.owner_id;
  return names.map((name) => ({ photo_id: row.id, list: name, seen_by, taken_at: row.taken_at }));
}

function monthsOf(row: ListedRow, entries: Entry[], change: 1 | -1): MonthChange[] {
  const entry = entries.find((one) => isKind(one.list));
  if (!entry || entry.taken_at === null) return [];
  return [{ ownerID: row.owner_id, isPrivate: entry.seen_by !== 0, takenAt: entry.taken_at, change }];
}

const print = (entries: Entry[]) =>
  JSON.stringify(entries.map((entry) => [entry.list, entry.seen_by, entry.taken_at].join(" ")).toSorted());

/** Adds photos of an album to its list; `which` is a condition on `album_photos`. The album and the photos are locked. */
export function listInAlbum(tx: Queries, albumID: number, which: Sql): void {
  tx.later(sql`
    INSERT INTO photo_lists (photo_id, list, seen_by, taken_at)
    SELECT photos.id, CAST(${listNames.album(albumID)} AS TEXT),
      CASE WHEN photos.is_private = 0 THEN 0 ELSE photos.owner_id END, photos.taken_at
    FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
    WHERE album_photos.album_id = ${albumID} AND photos.trash_id IS NULL AND photos.kind IS NOT NULL AND ${which}
    ON CONFLICT (photo_id, list) DO NOTHING`);
  unlistWithoutAlbum(tx, albumID, which);
}

/** Removes photos from the list of an album, in which they are no longer. The photos are locked. */
export function unlistInAlbum(tx: Queries, albumID: number, which: Sql): void {
  listWithoutAlbum(tx, albumID, which);
  tx.later(sql`DELETE FROM photo_lists WHERE list = ${listNames.album(albumID)} AND ${which}`);
}

/** For photos of a list of an album, which may have been their last one. */
function listWithoutAlbum(tx: Queries, albumID: number, which: Sql): void {
  tx.later(sql`
    INSERT INTO photo_lists (photo_id, list, seen_by, taken_at)
    SELECT photos.id, ${noAlbumOf(sql`photos.owner_id`)}, photo_lists.seen_by, photo_lists.taken_at
    FROM photo_lists JOIN photos ON photos.id = photo_lists.photo_id
    WHERE photo_lists.list = ${listNames.album(albumID)} AND ${which} AND NOT EXISTS (
      SELECT 1 FROM album_photos JOIN albums ON albums.id = album_photos.album_id
      WHERE album_photos.photo_id = photos.id AND ${isOwnAlbum})
    ON CONFLICT (photo_id, list) DO NOTHING`);
}

/** For photos of a list of an album of the same owner. */
function unlistWithoutAlbum(tx: Queries, albumID: number, which: Sql): void {
  tx.later(sql`
    DELETE FROM photo_lists
    WHERE list = (SELECT ${noAlbumOf(sql`owner_id`)} FROM albums WHERE id = ${albumID} AND filter IS NULL)
      AND photo_id IN (SELECT photo_id FROM album_photos WHERE album_id = ${albumID} AND ${which})`);
}

const albumPhotosAtOnce = 500;

/** Photos are in no album while their only one is in the trash. */
export const photosWithoutAlbum: Derived = {
  kind: "album",
  from: ["trash_id"],
  async derive(tx, changes) {
    for (const { id, before, after } of changes)
      if (before !== null) await relistAlbum(tx, id, after.trash_id !== null);
  },
};

async function relistAlbum(tx: Queries, albumID: number, isTrashed: boolean): Promise<void> {
  for (let last = 0; ;) {
    const rows = await tx.all<{ id: number }>(sql`
      SELECT photo_id AS id FROM album_photos WHERE album_id = ${albumID} AND photo_id > ${last}
      ORDER BY photo_id LIMIT ${albumPhotosAtOnce}`);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await lockPhotos(tx, ids);
    const which = sql`photo_id IN (${list(ids)})`;
    if (isTrashed) listWithoutAlbum(tx, albumID, which);
    else unlistWithoutAlbum(tx, albumID, which);
    if (rows.length < albumPhotosAtOnce) return;
    last = ids.at(-1) as number;
    await nextTurn();
  }
}

/** The ids of the photos that show files which existed before and were changed. */
export async function findPhotosOf(tx: Queries, files: Change[]): Promise<number[]> {
  const ids = files.flatMap(({ id, before }) => (before === null ? [] : [id]));
  if (ids.length === 0) return [];
  const rows = await tx.all<{ id: number }>(sql`SELECT id FROM photos WHERE file_id IN (${list(ids)})`);
  return rows.map(({ id }) => id);
}

/** Locks photos in the order of their ids, so that writers of several photos do not wait for each other in a circle. */
export async function lockPhotos(tx: Queries, ids: number[]): Promise<void> {
  await inChunks(
    ids.toSorted((one, other) => one - other),
    (some) => tx.all(sql`SELECT id FROM photos WHERE id IN (${list(some)}) ORDER BY id ${tx.forUpdate}`),
  );
}
