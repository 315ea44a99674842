import { type Neighbours, presentNeighbours } from "../photos/neighbours.ts";
import type { Reader } from "../../platform/database/database.ts";
import { list, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleOrGrantedTo, toVisibility, type Visibility } from "../../core/records/visibility.ts";
import { isSeenBy } from "./seen-by.ts";

type AlbumName = { id: number; name: string; visibility: Visibility };
type Row = { id: number; name: string; is_private: number };

/** A photo can be in very many albums, of many users: not all of them are examined. */
const maxExamined = 1000;

/** Albums with a photo that the viewer may see: the photo there, and the album. */
export async function listAlbumsOfPhoto(
  db: Reader,
  viewer: Viewer,
  photoID: number,
  limit: number,
): Promise<AlbumName[]> {
  const rows = await db.all<Row>(sql`
    SELECT albums.id, albums.name, albums.is_private FROM (
      SELECT album_id FROM album_photos WHERE photo_id = ${photoID} AND ${isSeenBy(viewer)} LIMIT ${maxExamined}) AS entries
    JOIN albums ON ${isShownTo(viewer)} AND albums.id = entries.album_id
    ORDER BY albums.id DESC LIMIT ${limit}`);
  return rows.map(toName);
}

/**
 * For each of the photos that is in an album of its owner, the name of the newest that the viewer may see. Not all albums of very
 * many are examined.
 */
export async function findNamesOfAlbums(db: Reader, viewer: Viewer, photoIDs: number[]): Promise<Map<number, string>> {
  if (photoIDs.length === 0) return new Map();
  const rows = await db.all<{ photo_id: number; name: string }>(sql`
    SELECT entries.photo_id, albums.name FROM (
      SELECT photo_id, album_id FROM album_photos WHERE photo_id IN (${list(photoIDs)}) AND ${isSeenBy(viewer)}
      LIMIT ${maxExamined}) AS entries
    JOIN photos ON photos.id = entries.photo_id
    JOIN albums ON ${isShownTo(viewer)} AND albums.id = entries.album_id AND ${unindexed("albums.owner_id")} = photos.owner_id
    ORDER BY albums.id`);
  return new Map(rows.map(({ photo_id, name }) => [photo_id, name]));
}

/** The album and the neighbours of a photo in it; null if the viewer may not see the photo in this album. */
export async function findPhotoInAlbum(
  db: Reader,
  viewer: Viewer,
  albumID: number,
  photoID: number,
): Promise<(Neighbours & { album: AlbumName }) | null> {
  const row = await db.get<Row & { position: number }>(sql`
    SELECT albums.id, albums.name, albums.is_private, album_photos.position FROM album_photos
    JOIN albums ON ${isShownTo(viewer)} AND albums.id = album_id
    WHERE album_id = ${albumID} AND photo_id = ${photoID} AND ${isSeenBy(viewer)}`);
  if (!row) return null;
  const [previous, next] = await Promise.all([
    findBeside(db, viewer, albumID, {
      start: sql`(position, photo_id) < (${row.position}, ${photoID})`,
      order: "DESC",
    }),
    findBeside(db, viewer, albumID, { start: sql`(position, photo_id) > (${row.position}, ${photoID})`, order: "ASC" }),
  ]);
  return { album: toName(row), ...(await presentNeighbours(db, viewer, previous, next)) };
}

async function findBeside(
  db: Reader,
  viewer: Viewer,
  albumID: number,
  { start, order }: { start: Sql; order: "ASC" | "DESC" },
): Promise<number | null> {
  const direction = order === "ASC" ? sql`ASC` : sql`DESC`;
  const [row] = await db.all<{ photo_id: number }>(sql`
    SELECT photo_id FROM album_photos WHERE album_id = ${albumID} AND ${isSeenBy(viewer)} AND ${start}
    ORDER BY position ${direction}, photo_id ${direction} LIMIT 1`);
  return row?.photo_id ?? null;
}

const isShownTo = (viewer: Viewer): Sql =>
  sql`albums.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "albums.", "album")}`;

const toName = ({ id, name, is_private }: Row): AlbumName => ({ id, name, visibility: toVisibility(is_private) });
