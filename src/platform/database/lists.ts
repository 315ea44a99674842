import type { Queries, Reader } from "./database.ts";
import { sql, type Sql } from "./sql.ts";

/**
 * A list, by its name, of records that run newest first, by id. Beside it stands how many live records every block of 2,048
 * ids holds, kept in the transaction that adds or removes one. So the total needs no count, and a deep page no walk from the start.
 */
export type List = string;
export type Page = { offset: number; size: number };

const blockSize = 2048;
const wholeList = -1;

/** To be called in the transaction in which the record `id` appears (1) or disappears (-1). */
export async function countRecord(tx: Queries, list: List, id: number, change: 1 | -1): Promise<void> {
  const lane = Math.floor(Math.random() * tx.lanes);
  const block = Math.floor(id / blockSize);
  await tx.run(sql`
    INSERT INTO list_counts (list, block, lane, live)
    VALUES (${list}, ${wholeList}, ${lane}, ${change}), (${list}, ${block}, ${lane}, ${change})
    ON CONFLICT (list, block, lane) DO UPDATE SET live = list_counts.live + excluded.live`);
}

/** What selects and orders the rows of one page, and how many records the whole list has. */
export async function findPage(db: Reader, list: List, page: Page): Promise<{ rows: Sql; total: number }> {
  const row = await db.get<{ live: number | null }>(sql`
    SELECT CAST(sum(live) AS BIGINT) AS live FROM list_counts WHERE list = ${list} AND block = ${wholeList}`);
  const total = row?.live ?? 0;
  const start = page.offset < total ? await findStart(db, list, page.offset) : { id: 0, skip: 0 };
  const rows = sql`
    WHERE trash_id IS NULL AND id <= ${start.id} ORDER BY id DESC LIMIT ${page.size} OFFSET ${start.skip}`;
  return { rows, total };
}

/** The highest id of the block in which the record number `offset` lies, and how many to skip from there. */
async function findStart(db: Reader, list: List, offset: number): Promise<{ id: number; skip: number }> {
  if (offset < blockSize) return { id: Number.MAX_SAFE_INTEGER, skip: offset };
  const found = await db.get<{ block: number; before: number }>(sql`
    SELECT block, before FROM (
      SELECT block, live, CAST(sum(live) OVER (ORDER BY block DESC) AS BIGINT) - live AS before FROM (
        SELECT block, CAST(sum(live) AS BIGINT) AS live FROM list_counts
        WHERE list = ${list} AND block > ${wholeList} GROUP BY block
      ) AS blocks
    ) AS sums
    WHERE before <= ${offset} AND before + live > ${offset} LIMIT 1`);
  return found ? { id: (found.block + 1) * blockSize - 1, skip: offset - found.before } : { id: 0, skip: 0 };
}
