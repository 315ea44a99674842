import type { Reader } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isSeenBy } from "./seen-by.ts";

/** The distance between the positions of two photos that are added one after the other. Moved photos go in between. */
export const positionStep = 2 ** 20;

/**
 * `album_blocks` has the number of photos in each block of an album's order, by who sees them. A block holds the photos
 * with the same position shifted by this many bits: large blocks first, of about 16,384 photos, then those of about 256 in
 * one of them. Triggers of the database count them, in the transaction that adds, moves, hides or removes photos.
 */
const blockBits = [34, 28] as const;

/** Fewer photos than these are skipped without looking for blocks. */
const fewestSkipped = 256;

/** A page starts `skip` photos after the first one whose position is at least `position`. */
type Start = { position: number; skip: number };

/** Where the photo number `offset` is, among those that the viewer sees. Null if the album has no such photo. */
export async function findStart(db: Reader, viewer: Viewer, albumID: number, offset: number): Promise<Start | null> {
  let skip = offset;
  let [lowest, highest] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  if (offset < fewestSkipped) return { position: lowest, skip };
  for (const bits of blockBits) {
    const size = 2 ** bits;
    const blocks = await db.all<{ block: number; photos: number }>(sql`
      SELECT block, CAST(sum(photos) AS BIGINT) AS photos FROM album_blocks
      WHERE album_id = ${albumID} AND size = ${bits}
        AND block BETWEEN ${Math.floor(lowest / size)} AND ${Math.floor(highest / size)} AND ${isSeenBy(viewer)}
      GROUP BY block ORDER BY block`);
    const found = blocks.find(({ photos }) => {
      if (skip < photos) return true;
      skip -= photos;
      return false;
    });
    if (!found) return null;
    [lowest, highest] = [found.block * size, (found.block + 1) * size - 1];
  }
  return { position: lowest, skip };
}

const sizes = raw(blockBits.map((bits) => `SELECT ${bits} AS bits`).join(" UNION ALL "));

/** The blocks of the rows of `album_photos` that `where` selects, as they should be. */
const selectBlocks = (where: Sql): Sql => sql`
  SELECT album_id, bits AS size, position >> bits AS block, seen_by, count(*) AS photos
  FROM album_photos CROSS JOIN (${sizes}) AS sizes
  WHERE seen_by >= 0 AND ${where} GROUP BY album_id, bits, position >> bits, seen_by`;

/** Comes after the count of the photos in albums, which corrects who sees them. Servers may be running. */
export const photoBlocks: Maintained = {
  name: "photos in blocks of albums",
  async rebuild(db) {
    const wrong = await db.all<{ album_id: number }>(sql`
      SELECT DISTINCT album_id FROM (
        SELECT album_id, size, block, seen_by FROM (
          ${selectBlocks(sql`1 = 1`)}
          UNION ALL SELECT album_id, size, block, seen_by, -photos FROM album_blocks) AS blocks
        GROUP BY album_id, size, block, seen_by HAVING sum(photos) <> 0) AS wrong
      ORDER BY album_id`);
    for (const { album_id: id } of wrong) {
      await db.transaction(async (tx) => {
        await tx.get(sql`SELECT id FROM albums WHERE id = ${id} ${tx.forUpdate}`);
        await tx.run(sql`DELETE FROM album_blocks WHERE album_id = ${id}`);
        await tx.run(sql`
          INSERT INTO album_blocks (album_id, size, block, seen_by, photos) ${selectBlocks(sql`album_id = ${id}`)}`);
      });
    }
    return wrong.length;
  },
};
