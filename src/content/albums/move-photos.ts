import { missing } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { inChunks, joined, list, sql, type Sql } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { Viewer } from "../../platform/http/route.ts";
import type { AlbumMove } from "./album.ts";
import { positionStep } from "./blocks.ts";
import { areEntries, isSeenBy } from "./seen-by.ts";
import { getAlbumHead } from "./store.ts";

type Entry = { photo_id: number; position: number };

/** So many photos are moved closer together or further apart to make space for others; then more of them. */
const fewestSpread = 64;
/** Left free between two of them, so that the next moves to there write few rows. */
const leastSpace = 2 ** 10;

/** Moves photos of an album, in this order, to the place before or after another one. The rest of the album is not read. */
export async function movePhotos(
  tx: Queries,
  viewer: Viewer,
  albumID: number,
  { photoIDs, before, after }: AlbumMove,
): Promise<void> {
  await getAlbumHead(tx, viewer, albumID, tx.forUpdate);
  const besideID = (before ?? after) as number;
  const entries = await tx.all<Entry>(sql`
    SELECT photo_id, position FROM album_photos
    WHERE ${areEntries(albumID, [...photoIDs, besideID])} AND ${isSeenBy(viewer)}`);
  const byID = new Map(entries.map((entry) => [entry.photo_id, entry]));
  const unknown = [...photoIDs, besideID].find((id) => !byID.has(id));
  if (unknown !== undefined) throw missing(`photo ${unknown} in album ${albumID}`);

  const beside = byID.get(besideID) as Entry;
  const findNext = (where: Sql, order: Sql) =>
    tx.get<Entry>(sql`
      SELECT photo_id, position FROM album_photos
      WHERE album_id = ${albumID} AND ${where} AND photo_id NOT IN (${list(photoIDs)})
      ORDER BY position ${order}, photo_id ${order} LIMIT 1`);
  const place = sql`(${beside.position}, ${beside.photo_id})`;
  const low = before ? await findNext(sql`(position, photo_id) < ${place}`, sql`DESC`) : beside;
  const high = before ? beside : await findNext(sql`(position, photo_id) > ${place}`, sql`ASC`);
  const positions = await choosePositions(tx, albumID, photoIDs.length, { low, high });
  await setPositions(
    tx,
    albumID,
    photoIDs.map((photo_id, index) => ({ photo_id, position: positions[index] as number })),
  );
  await tx.run(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID}`);
}

async function setPositions(tx: Queries, albumID: number, entries: Entry[]): Promise<void> {
  await inChunks(entries, async (some) => {
    await nextTurn();
    const rows = some.map(({ photo_id, position }) => sql`(CAST(${photo_id} AS BIGINT), CAST(${position} AS BIGINT))`);
    await tx.run(sql`
      UPDATE album_photos SET position = moved.column2 FROM (VALUES ${joined(rows)}) AS moved
      WHERE album_id = ${albumID} AND photo_id = moved.column1`);
    return [];
  });
}

/** Free positions between two photos of an album. If there are too few, the photos that follow are spread again. */
async function choosePositions(
  tx: Queries,
  albumID: number,
  count: number,
  { low, high }: { low: Entry | null; high: Entry | null },
): Promise<number[]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (!high) return numbers.map((number) => (low?.position ?? 0) + number * positionStep);
  if (!low) return numbers.map((number) => high.position - (count + 1 - number) * positionStep);
  const isFree = high.position - low.position > count;
  const step = isFree
    ? Math.floor((high.position - low.position) / (count + 1))
    : await spreadFollowing(tx, albumID, count, { low, high });
  return numbers.map((number) => low.position + step * number);
}

/**
 * Spreads the photos from `high` on, until there is space for `count` others after `low`. Returns the distance between two
 * of them.
 */
async function spreadFollowing(
  tx: Queries,
  albumID: number,
  count: number,
  { low, high }: { low: Entry; high: Entry },
): Promise<number> {
  for (let spread = fewestSpread; ; spread *= 4) {
    const found = await tx.all<Entry>(sql`
      SELECT photo_id, position FROM album_photos
      WHERE album_id = ${albumID} AND (position, photo_id) >= (${high.position}, ${high.photo_id})
      ORDER BY position, photo_id LIMIT ${spread + 1}`);
    const end = found[spread];
    const step = end ? Math.floor((end.position - low.position) / (spread + count + 1)) : positionStep;
    if (step < leastSpace) continue;
    const entries = found
      .slice(0, spread)
      .map(({ photo_id }, index) => ({ photo_id, position: low.position + step * (count + 1 + index) }));
    await setPositions(tx, albumID, entries);
    return step;
  }
}
