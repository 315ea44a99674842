import { invalid, missing } from "../../platform/errors.ts";
import { type FoundPhotoRow, type OptionalPhotoRow, selectKnownPhotos } from "../photos/rows.ts";
import { photosAtOnce, presentPhotos } from "../photos/store.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { listPage, type Page } from "../../platform/database/lists.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { recordChange } from "../../core/activity/record-change.ts";
import { headFinder } from "../../core/trash/heads.ts";
import { isListed, isLive, type Trash } from "../../core/trash/trash.ts";
import { isWanted } from "../../core/users/owner.ts";
import {
  flagFor,
  isVisibleOrGrantedTo,
  seesEverything,
  thisTable,
  toFlag,
  toVisibility,
} from "../../core/records/visibility.ts";
import { checkFilterChange, checkSmartAlbumCount } from "./filter.ts";
import { type Album, type AlbumChanges, type AlbumQuery, albumTexts, type NewAlbum } from "./album.ts";
import { lockNesting } from "./nesting.ts";
import { countSeenBy, isSeenBy, selectInOrder } from "./seen-by.ts";

const albumList = "albums";

type AlbumRow = {
  id: number;
  owner_id: number;
  name: string;
  photo_count: number;
  is_private: number;
  description: string;
  /** Null if the viewer may not see it. */
  parent_id: number | null;
  cover_photo_id: number | null;
  photo_order: Album["photoOrder"];
  filter: string | null;
  created_at: number;
  updated_at: number;
};

type FoundAlbumRow = AlbumRow & OptionalPhotoRow;

/** The parent of a row of `albums`; null if it is in the trash, or if the viewer may not see it. */
const selectParent = (viewer: Viewer) => sql`(
  SELECT parents.id FROM ${known("albums")} AS parents
  WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "parents.", "album")})`;

const columns = (viewer: Viewer) => sql`albums.owner_id, albums.name, albums.description, albums.is_private,
  ${selectParent(viewer)} AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, ${countSeenBy(viewer)} AS photo_count`;

/**
 * Those albums with the ids that the SELECT `ids` returns that the viewer may see, with its other columns and the cover of
 * each album: the chosen photo, or else the first that the viewer sees.
 */
const selectAlbums = (viewer: Viewer, ids: Sql): Sql => sql`
  WITH page AS (
    SELECT chosen.*, ${columns(viewer)}, coalesce((
        SELECT photo_id FROM album_photos
        WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND ${isSeenBy(viewer)}), (
        ${selectInOrder(viewer)} LIMIT 1)) AS shown_photo_id
    FROM (${ids}) AS chosen
    JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "albums.", "album")})
  SELECT page.*, covers.* FROM page
  LEFT JOIN (${selectKnownPhotos(viewer, sql`SELECT photos.id FROM ${known("photos")} WHERE photos.id IN (SELECT shown_photo_id FROM page)`)})
  AS covers ON covers.photo_id = page.shown_photo_id`;

export async function getAlbum(db: Reader, viewer: Viewer, id: number): Promise<Album> {
  const row = await db.get<FoundAlbumRow>(selectAlbums(viewer, sql`SELECT id FROM albums WHERE id = ${id}`));
  if (!row) throw missing(`album ${id}`);
  return presentAlbum(row, viewer);
}

type MoreOfHead = { photoOrder: Album["photoOrder"]; isSmart: number };

export const getAlbumHead = headFinder<MoreOfHead>("albums", "name", "album", {
  more: sql`, photo_order AS "photoOrder", CASE WHEN filter IS NULL THEN 0 ELSE 1 END AS "isSmart"`,
});

export async function findAlbums(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Album>> {
  const rows = await inChunks(ids, (some) =>
    db.all<FoundAlbumRow>(selectAlbums(viewer, sql`SELECT id FROM albums WHERE id IN (${list(some)})`)),
  );
  return new Map(rows.map((row) => [row.id, presentAlbum(row, viewer)]));
}

export async function listAlbums(db: Reader, viewer: Viewer, page: Page) {
  const read = (ids: Sql) => db.all<FoundAlbumRow & { total: number }>(selectAlbums(viewer, ids));
  const { items, total } = await listPage(db, albumList, page, { live: isListed, atOnce: photosAtOnce, read });
  return { items: mapSlices(items, (rows) => rows.map((row) => presentAlbum(row, viewer))), total };
}

/** `only` is a further condition on `albums`. */
type AlbumRequest = KeysetRequest & { only?: Sql };

export function listAlbumsByKey(db: Reader, viewer: Viewer, query: AlbumQuery, request: AlbumRequest) {
  const only = request.only ? [request.only] : [];
  return listByKey(db, request, {
    table: albumList,
    where: [isLive, ...isWanted(viewer, query), ...isBelow(viewer, query), ...only],
    atOnce: photosAtOnce,
    bytes: sql`octet_length(description)`,
    find: (ids) => findAlbums(db, viewer, ids),
  });
}

/** All that the viewer may see in an album, private ones included. */
export function listChildAlbums(db: Reader, viewer: Viewer, parentID: number, request: AlbumRequest) {
  const only = request.only ? [request.only] : [];
  return listByKey(db, request, {
    table: albumList,
    where: [isLive, sql`parent_id = ${parentID}`, isVisibleOrGrantedTo(viewer, thisTable, "album"), ...only],
    atOnce: photosAtOnce,
    bytes: sql`octet_length(description)`,
    find: (ids) => findAlbums(db, viewer, ids),
  });
}

/** The top level of a viewer has the albums in those that they may not see. */
function isBelow(viewer: Viewer, { parentID }: AlbumQuery): Sql[] {
  if (parentID === undefined) return [];
  const isIn = sql`parent_id = ${Number(parentID)} AND ${selectParent(viewer)} IS NOT NULL`;
  return [parentID === "none" ? sql`${selectParent(viewer)} IS NULL` : isIn];
}

type InsertedAlbum = Pick<NewAlbum, "name"> & Partial<NewAlbum>;

export async function insertAlbum(tx: Queries, owner: NonNullable<Viewer>, draft: InsertedAlbum): Promise<Album> {
  const { name, description = "", parentID = null, visibility, filter = null } = draft;
  const photoOrder = draft.photoOrder ?? (filter ? "newestFirst" : "manual");
  checkOrder(filter !== null, photoOrder);
  if (filter) await checkSmartAlbumCount(tx, owner.id);
  if (parentID !== null) await (await lockNesting(tx)).checkParent(owner, null, parentID);
  const time = Date.now();
  const row = await tx.get<AlbumRow>(sql`
    INSERT INTO albums (owner_id, name, description, parent_id, position, is_private, photo_order, filter, created_at, updated_at)
    VALUES (${owner.id}, ${name}, ${description}, ${parentID}, ${newPosition(parentID)}, ${flagFor(visibility)},
      ${photoOrder}, ${filter && JSON.stringify(filter)}, ${time}, ${time})
    RETURNING id, owner_id, name, description, parent_id, is_private, cover_photo_id, photo_order, filter, created_at,
      updated_at, 0 AS photo_count`);
  const album = presentAlbum(row as AlbumRow, owner);
  const change = { kind: "album", action: "created", actorID: owner.id } as const;
  await recordChange(tx, album, { ...change, before: null, after: row as AlbumRow, texts: albumTexts(album) });
  return filter ? getAlbum(tx, owner, album.id) : album;
}

/** New albums come first at the top level, and last in another album. */
function newPosition(parentID: number | null): number {
  const microseconds = Math.round((performance.timeOrigin + performance.now()) * 1024);
  return parentID === null ? -microseconds : microseconds;
}

function checkOrder(isSmart: boolean, photoOrder: Album["photoOrder"] | undefined): void {
  if (isSmart && photoOrder === "manual")
    throw invalid(`"photoOrder" of a smart album must be "oldestFirst" or "newestFirst".`, "photoOrder");
}

export async function updateAlbum(tx: Queries, viewer: Viewer, id: number, changed: AlbumChanges): Promise<Album> {
  const { name, description, parentID, coverPhotoID, visibility, photoOrder, filter } = changed;
  const nesting = parentID ? await lockNesting(tx) : null;
  const head = await getAlbumHead(tx, viewer, id, tx.forUpdate);
  if (filter !== undefined) checkFilterChange(head, filter);
  checkOrder(head.isSmart === 1, photoOrder);
  if (parentID) await nesting?.checkParent(viewer, id, parentID);
  const [before, , album] = await Promise.all([
    tx.get<Derived>(sql`SELECT is_private, photo_order, filter FROM albums WHERE id = ${id}`),
    tx.run(sql`
      UPDATE albums SET updated_at = ${Date.now()}
        ${name === undefined ? sql`` : sql`, name = ${name}`}
        ${description === undefined ? sql`` : sql`, description = ${description}`}
        ${parentID === undefined ? sql`` : sql`, parent_id = ${parentID}, position = ${placeIn(parentID)}`}
        ${coverPhotoID === undefined ? sql`` : sql`, cover_photo_id = ${coverPhotoID}`}
        ${visibility === undefined ? sql`` : sql`, is_private = ${toFlag(visibility)}`}
        ${photoOrder === undefined ? sql`` : sql`, photo_order = ${photoOrder}`}
        ${filter ? sql`, filter = ${JSON.stringify(filter)}` : sql``}
      WHERE id = ${id} AND trash_id IS NULL`),
    getAlbum(tx, viewer, id),
  ]);
  const change = { kind: "album", action: "changed", actorID: viewer?.id ?? null } as const;
  const after = {
    is_private: toFlag(album.visibility),
    photo_order: album.photoOrder,
    filter: filter ? JSON.stringify(filter) : (before?.filter ?? null),
  };
  await recordChange(tx, album, { ...change, before, after, texts: albumTexts(album) });
  return filter || photoOrder ? getAlbum(tx, viewer, id) : album;
}

/** The columns from which something follows. */
type Derived = Pick<AlbumRow, "is_private" | "photo_order" | "filter">;

/** An album that stays in the same one keeps its place. */
const placeIn = (parentID: number | null): Sql => {
  const isSame = parentID === null ? sql`parent_id IS NULL` : sql`parent_id = ${parentID}`;
  return sql`CASE WHEN ${isSame} THEN position ELSE ${newPosition(parentID)} END`;
};

export async function trashAlbum(tx: Queries, trash: Trash, id: number, deletedByID: number): Promise<void> {
  const album = await getAlbumHead(tx, seesEverything, id, tx.forUpdate);
  await trash.put(tx, "album", album, { name: album.name, deletedByID });
}

function presentAlbum(row: FoundAlbumRow, viewer: Viewer): Album {
  const [cover = null] = row.photo_id ? presentPhotos([row as FoundPhotoRow], viewer) : [];
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    parentID: row.parent_id,
    visibility: toVisibility(row.is_private),
    ownerID: row.owner_id,
    photoCount: row.photo_count,
    coverPhotoID: cover?.id === row.cover_photo_id ? row.cover_photo_id : null,
    photoOrder: row.photo_order,
    filter: row.filter !== null && isOwnerOrAdmin(viewer, { ownerID: row.owner_id }) ? JSON.parse(row.filter) : null,
    cover,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
