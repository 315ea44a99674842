import type { Queries } from "../platform/database/database.ts";
import { inChunks, joined, list, sql, type Sql } from "../platform/database/sql.ts";
import { tagKey } from "../tags.ts";
import { countMonths, type MonthChange } from "./months.ts";

export type PhotoKind = "image" | "video";

/** The names of the lists: each filter of photos reads one of them. */
export const listNames = {
  tag: (tag: string) => `tag:${tagKey(tag)}`,
  camera: (key: string) => `camera:${key}`,
  kind: (kind: PhotoKind) => `kind:${kind}`,
  favourites: (ownerID: number) => `favourite:${ownerID}`,
  album: (id: number) => `album:${id}`,
};

/** Every photo that is not in the trash is in the list of its kind. */
const isKind = (name: string) => name.startsWith("kind:");

export type ListedRow = {
  id: number;
  owner_id: number;
  trash_id: number | null;
  is_private: number;
  taken_at: number | null;
  kind: PhotoKind | null;
  camera_key: string | null;
  is_favourite: number;
  tags: string;
};

type Entry = { photo_id: number; list: string; seen_by: number; taken_at: number | null };

/** Adds a new photo to its lists. */
export function listNewPhoto(tx: Queries, row: ListedRow): void {
  const entries = entriesOf(row, []);
  insertEntries(tx, entries);
  countMonths(tx, monthsOf(row, entries, 1));
}

/**
 * Must be called after something has changed on which the lists of these photos depend. The photos are locked. Returns how
 * many of them were listed otherwise before.
 */
export async function relist(tx: Queries, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const some = list(ids);
  const [rows, stored, albums] = await Promise.all([
    tx.all<ListedRow>(sql`
      SELECT id, owner_id, trash_id, is_private, taken_at, kind, camera_key, is_favourite, tags FROM photos
      WHERE id IN (${some}) ORDER BY id`),
    tx.all<Entry>(sql`SELECT photo_id, list, seen_by, taken_at FROM photo_lists WHERE photo_id IN (${some})`),
    tx.all<{ photo_id: number; album_id: number }>(sql`
      SELECT photo_id, album_id FROM album_photos WHERE photo_id IN (${some})`),
  ]);
  const storedOf = Map.groupBy(stored, (entry) => entry.photo_id);
  const albumsOf = Map.groupBy(albums, (entry) => entry.photo_id);
  const changed = rows
    .map((row) => {
      const albumIDs = (albumsOf.get(row.id) ?? []).map(({ album_id }) => album_id);
      return { row, before: storedOf.get(row.id) ?? [], after: entriesOf(row, albumIDs) };
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

function entriesOf(row: ListedRow, albumIDs: number[]): Entry[] {
  if (row.trash_id !== null || row.kind === null) return [];
  const names = [
    listNames.kind(row.kind),
    ...(row.camera_key === null ? [] : [listNames.camera(row.camera_key)]),
    ...(row.is_favourite === 1 ? [listNames.favourites(row.owner_id)] : []),
    ...(JSON.parse(row.tags) as string[]).map(listNames.tag),
    ...albumIDs.map(listNames.album),
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
export const listInAlbum = (albumID: number, which: Sql): Sql => sql`
  INSERT INTO photo_lists (photo_id, list, seen_by, taken_at)
  SELECT photos.id, CAST(${listNames.album(albumID)} AS TEXT),
    CASE WHEN photos.is_private = 0 THEN 0 ELSE photos.owner_id END, photos.taken_at
  FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
  WHERE album_photos.album_id = ${albumID} AND photos.trash_id IS NULL AND photos.kind IS NOT NULL AND ${which}
  ON CONFLICT (photo_id, list) DO NOTHING`;

/** Removes photos from the list of an album. */
export const unlistInAlbum = (albumID: number, which: Sql): Sql =>
  sql`DELETE FROM photo_lists WHERE list = ${listNames.album(albumID)} AND ${which}`;

/** Locks photos in the order of their ids, so that writers of several photos do not wait for each other in a circle. */
export async function lockPhotos(tx: Queries, ids: number[]): Promise<void> {
  await inChunks(
    ids.toSorted((one, other) => one - other),
    (some) => tx.all(sql`SELECT id FROM photos WHERE id IN (${list(some)}) ORDER BY id ${tx.forUpdate}`),
  );
}
