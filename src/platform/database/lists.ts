import type { Queries, Reader } from "./database.ts";
import { readSlices } from "./slices.ts";
import { joined, sql, type Sql } from "./sql.ts";

/**
 * A list, by its name, of records that run newest first, by id. Beside it stands how many live records it has in all, and
 * in each large and each small block of ids, kept in the transaction that adds or removes one. So the total needs no
 * count, and the way to a deep page goes over a few large blocks, a few small ones, and a few records.
 */
export type List = string;
export type Page = { offset: number; size: number };
/** A page begins `skip` records after the newest one whose id is at most `id`. */
export type Start = { id: number; skip: number };

/** How many ids a block has, the large ones first. */
const blockSizes = [65_536, 1024];
const wholeList = 0;

/** To be called in the transaction in which the record `id` appears (1) or disappears (-1). */
export function countRecord(tx: Queries, list: List, id: number, change: 1 | -1): void {
  const counts = blockSizes.map((size) => sql`(${list}, ${size}, ${Math.floor(id / size)}, ${tx.lane}, ${change})`);
  tx.later(sql`
    INSERT INTO list_counts (list, size, block, lane, live)
    VALUES (${list}, ${wholeList}, 0, ${tx.lane}, ${change}), ${joined(counts)}
    ON CONFLICT (list, size, block, lane) DO UPDATE SET live = list_counts.live + excluded.live`);
}

/** Where a page begins, and how many records the whole list has. */
export async function findPage(db: Reader, list: List, page: Page): Promise<{ start: Start; total: number }> {
  const row = await db.get<{ live: number | null }>(sql`
    SELECT CAST(sum(live) AS BIGINT) AS live FROM list_counts WHERE list = ${list} AND size = ${wholeList}`);
  const total = row?.live ?? 0;
  const start = page.offset < total ? await findStart(db, list, page.offset) : { id: 0, skip: 0 };
  return { start, total };
}

/** The rows of a page in slices of at most `size`. `read` gets what selects and orders the rows of one slice. */
export function readPage<Row extends { id: number }>(
  { id, skip }: Start,
  read: (rows: Sql) => Promise<Row[]>,
  slices: { size: number; most: number },
): AsyncGenerator<Row[]> {
  return readSlices<Row>((last, size) => {
    const [highest, skipped] = last ? [last.id - 1, 0] : [id, skip];
    return read(sql`
      WHERE trash_id IS NULL AND id <= ${highest} ORDER BY id DESC LIMIT ${size} OFFSET ${skipped}`);
  }, slices);
}

/** The highest id of the small block in which the record number `offset` lies, and how many to skip from there. */
async function findStart(db: Reader, list: List, offset: number): Promise<Start> {
  if (offset < 1024) return { id: Number.MAX_SAFE_INTEGER, skip: offset };
  let skip = offset;
  let [lowest, highest] = [0, Number.MAX_SAFE_INTEGER];
  for (const size of blockSizes) {
    const blocks = await db.all<{ block: number; live: number }>(sql`
      SELECT block, CAST(sum(live) AS BIGINT) AS live FROM list_counts
      WHERE list = ${list} AND size = ${size} AND block BETWEEN ${Math.floor(lowest / size)} AND ${Math.floor(highest / size)}
      GROUP BY block ORDER BY block DESC`);
    for (const { block, live } of blocks) {
      [lowest, highest] = [block * size, (block + 1) * size - 1];
      if (skip < live) break;
      skip -= live;
    }
  }
  return { id: highest, skip };
}
