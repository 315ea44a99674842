import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isSeenBy } from "./seen-by.ts";
import { blockBits } from "./tables.ts";

/** The distance between the positions of two photos that are added one after the other. Moved photos go in between. */
export const positionStep = 2 ** 20;

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
