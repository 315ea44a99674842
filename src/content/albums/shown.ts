import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql, type Sql } from "../../platform/database/sql.ts";
import { isGuest, type Viewer } from "../../platform/http/route.ts";
import { isVisibleOrGrantedTo, thisTable } from "../../core/records/visibility.ts";
import { isLive } from "../../core/trash/trash.ts";
import { type Album, deepestAlbum } from "./album.ts";
import { isSeenBy } from "./seen-by.ts";

/**
 * The condition of rows of `albums` that the site lists: those in which the viewer sees photos, or in albums below them. People
 * also see their own empty albums, and admins all.
 */
export function isShownTo(viewer: Viewer): Sql {
  if (viewer?.role === "admin") return sql`1 = 1`;
  const isOwn = viewer && !isGuest(viewer) ? sql`albums.owner_id = ${viewer.id} OR` : sql``;
  const isVisible = sql`children.trash_id IS NULL AND ${isVisibleOrGrantedTo(viewer, "children.", "album")}`;
  return sql`(${isOwn} EXISTS (
      SELECT 1 FROM album_counts WHERE album_id = albums.id AND photos > 0 AND ${isSeenBy(viewer)})
    OR EXISTS (
      WITH RECURSIVE below (id, depth) AS (
        SELECT children.id, 2 FROM albums AS children WHERE children.parent_id = albums.id AND ${isVisible} UNION ALL
        SELECT children.id, below.depth + 1 FROM below JOIN albums AS children ON children.parent_id = below.id AND ${isVisible}
        WHERE below.depth < ${deepestAlbum})
      SELECT 1 FROM below JOIN album_counts ON album_id = below.id AND photos > 0 AND ${isSeenBy(viewer)}))`;
}

/** An album with the number of albums in it that the site shows. */
export type CountedAlbum = Album & { albumCount: number };

/** The albums in each of these. Few of them have no photos: only for these is it decided by the albums below them. */
export async function countAlbumsIn(db: Reader, viewer: Viewer, albums: Album[]): Promise<CountedAlbum[]> {
  const isVisible = sql`${isLive} AND ${isVisibleOrGrantedTo(viewer, thisTable, "album")}`;
  const ids = albums.map(({ id }) => id);
  const rows = await inChunks(ids, (some) =>
    db.all<ChildCount & { empty_id: number | null }>(sql`
      SELECT parent_id, empty_id, count(*) AS albums FROM (
        SELECT parent_id, CASE WHEN (
            SELECT album_id FROM album_counts WHERE album_id = albums.id AND photos > 0 AND ${isSeenBy(viewer)} LIMIT 1
          ) IS NULL THEN id END AS empty_id
        FROM albums WHERE parent_id IN (${list(some)}) AND ${isVisible}) AS children
      GROUP BY parent_id, empty_id`),
  );
  const empty = rows.flatMap(({ empty_id }) => empty_id ?? []);
  const shown = await inChunks(empty, (some) =>
    db.all<ChildCount>(sql`
      SELECT parent_id, count(*) AS albums FROM albums WHERE id IN (${list(some)}) AND ${isShownTo(viewer)}
      GROUP BY parent_id`),
  );
  const counts = new Map<number, number>();
  for (const { parent_id, albums } of [...rows.filter(({ empty_id }) => empty_id === null), ...shown])
    counts.set(parent_id, albums + (counts.get(parent_id) ?? 0));
  return albums.map((album) => ({ ...album, albumCount: counts.get(album.id) ?? 0 }));
}

type ChildCount = { parent_id: number; albums: number };
