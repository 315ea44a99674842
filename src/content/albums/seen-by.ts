import type { Queries } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { joinedBy, list, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import type { Derived } from "../../platform/database/tables.ts";
import type { Viewer } from "../../platform/http/route.ts";

/**
 * Each photo in an album says who sees it there, in `album_photos.seen_by`: everyone (0), only its owner (the owner's id),
 * or nobody (-1), because it is in the trash. `album_counts` has the number of photos in each album by this value. So pages,
 * counts and covers cost the same, however many photos of the album a viewer does not see.
 */
/** The value of `seen_by` for a row of `photos`. */
export const seenBy = sql`
  CASE WHEN photos.trash_id IS NOT NULL THEN -1 WHEN photos.is_private = 0 THEN 0 ELSE photos.owner_id END`;

export const isSeenBy = (viewer: Viewer): Sql => sql`(${joinedBy(" OR ", rangesSeenBy(viewer))})`;

/** The same as conditions of which one must be met. In an album, each has an index in the order of the positions. */
export function rangesSeenBy(viewer: Viewer): Sql[] {
  if (!viewer) return [sql`seen_by = 0`];
  // In the index on `seen_by`, these rows are not in the order of their positions.
  if (viewer.role === "admin") return [sql`${unindexed("seen_by")} >= 0`];
  const { id, grant, limit } = viewer;
  if (limit) {
    const isReached = limit.reach.album?.includes(sql`album_id`) ?? sql`1 = 0`;
    return [sql`seen_by = 0 AND ${isReached}`, sql`seen_by = ${id} AND ${isReached}`];
  }
  const granted =
    grant?.reach.album && sql`seen_by = ${grant.ownerID} AND ${grant.reach.album.includes(sql`album_id`)}`;
  return [sql`seen_by = 0`, sql`seen_by = ${id}`, ...(granted ? [granted] : [])];
}

/** Selects the photos of a row of `albums` that the viewer sees, in album order, to read the first of them. */
export function selectInOrder(viewer: Viewer): Sql {
  // For these viewers, SQLite would read a whole album by `seen_by` and sort it, if it could not find rows by the position.
  const isSorted =
    viewer?.role === "admin" || viewer?.grant || viewer?.limit ? sql`AND position > ${Number.MIN_SAFE_INTEGER}` : sql``;
  return sql`
    SELECT photo_id FROM album_photos WHERE album_id = albums.id AND ${isSeenBy(viewer)} ${isSorted}
    ORDER BY position, photo_id`;
}

/** The number of photos in an album that the viewer sees. */
export const countSeenBy = (viewer: Viewer): Sql => sql`(
  SELECT CAST(coalesce(sum(photos), 0) AS BIGINT) FROM album_counts
  WHERE album_id = albums.id AND ${isSeenBy(viewer)})`;

/** The condition of some photos in an album. They are found by their ids: SQLite would rather read the whole album. */
export const areEntries = (albumID: number, photoIDs: number[]): Sql =>
  sql`${unindexed("album_id")} = ${albumID} AND photo_id IN (${list(photoIDs)})`;

/** A photo that is trashed, restored or made public or private keeps its position in each album. */
export const seenPhotos: Derived = {
  kind: "photo",
  from: ["trash_id", "is_private"],
  async derive(tx, changes) {
    const ids = changes.flatMap(({ id, before }) => (before === null ? [] : [id]));
    if (ids.length > 0) await reviseEntries(tx, sql`photo_id IN (${list(ids)})`);
  },
};

/** The albums are locked first: a photo may be taken out of one while this waits. */
async function reviseEntries(tx: Queries, which: Sql): Promise<void> {
  await Promise.all([
    tx.all(sql`
      SELECT id FROM albums WHERE id IN (SELECT album_id FROM album_photos WHERE ${which}) ORDER BY id ${tx.forUpdate}`),
    tx.run(sql`
      UPDATE album_photos SET seen_by = ${seenByPhoto} WHERE ${which}`),
  ]);
}

/** Corrects who sees the photos of one album. The album is locked. */
export async function reviseAlbum(tx: Queries, albumID: number): Promise<void> {
  await tx.run(
    sql`UPDATE album_photos SET seen_by = ${seenByPhoto} WHERE album_id = ${albumID} AND seen_by <> ${seenByPhoto}`,
  );
}

const seenByPhoto = sql`(SELECT ${seenBy} FROM photos WHERE photos.id = photo_id)`;

/** Comes before the counts of the photos in albums, which follow from that. */
export const whoSeesPhotos: Maintained = {
  name: "photos that are hidden in albums",
  async rebuild(db) {
    const wrong = await db.all<{ album_id: number }>(sql`
      SELECT DISTINCT album_id FROM album_photos WHERE seen_by <> ${seenByPhoto} ORDER BY album_id`);
    for (const { album_id: id } of wrong) {
      await db.transaction(async (tx) => {
        await tx.get(sql`SELECT id FROM albums WHERE id = ${id} ${tx.forUpdate}`);
        await reviseAlbum(tx, id);
      });
    }
    return wrong.length;
  },
};
