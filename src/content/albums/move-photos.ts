import { missing } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { joined, list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import type { AlbumMove } from "./album.ts";
import { isSeenBy } from "./seen-by.ts";
import { getAlbumHead } from "./store.ts";

type Entry = { photo_id: number; position: number };

/** Left free where photos are moved to, so that the next moves to there write few rows. */
const space = 2 ** 20;

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
    WHERE album_id = ${albumID} AND photo_id IN (${list([...photoIDs, besideID])}) AND ${isSeenBy(viewer)}`);
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
  const rows = photoIDs.map((id, index) => sql`(CAST(${id} AS BIGINT), CAST(${positions[index] as number} AS BIGINT))`);
  await tx.run(sql`
    UPDATE album_photos SET position = moved.column2 FROM (VALUES ${joined(rows)}) AS moved
    WHERE album_id = ${albumID} AND photo_id = moved.column1`);
  await tx.run(sql`UPDATE albums SET updated_at = ${Date.now()} WHERE id = ${albumID}`);
}

/** Free positions between two photos of an album. If there are too few, all that follow are moved away. */
async function choosePositions(
  tx: Queries,
  albumID: number,
  count: number,
  { low, high }: { low: Entry | null; high: Entry | null },
): Promise<number[]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (!high) return numbers.map((number) => (low?.position ?? 0) + number);
  if (!low) return numbers.map((number) => high.position - 1 - count + number);
  let distance = high.position - low.position;
  if (distance <= count) {
    await tx.run(sql`
      UPDATE album_photos SET position = position + ${space}
      WHERE album_id = ${albumID} AND (position, photo_id) >= (${high.position}, ${high.photo_id})`);
    distance += space;
  }
  const step = Math.floor(distance / (count + 1));
  return numbers.map((number) => low.position + step * number);
}
