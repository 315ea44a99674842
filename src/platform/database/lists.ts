import type { Queries, Reader } from "./database.ts";
import { sql, type Sql } from "./sql.ts";

/**
 * Lists that run newest first, by id. Beside each list stands how many live records every block of 4,096 ids holds, kept
 * in the transaction that adds or removes one. So the total needs no count, and a deep page no walk from the start.
 */
export type List = { name: string; table: Sql };
export type Page = { offset: number; size: number };

const blockSize = 4096;

/** To be called in the transaction in which the record `id` appears (1) or disappears (-1). */
export async function countRecord(tx: Queries, list: List, id: number, change: 1 | -1): Promise<void> {
  const block = Math.floor(id / blockSize);
  await tx.run(sql`
    INSERT INTO list_blocks (list, block, live) VALUES (${list.name}, ${block}, ${change})
    ON CONFLICT (list, block) DO UPDATE SET live = list_blocks.live + excluded.live`);
  await tx.run(sql`
    INSERT INTO list_totals (list, live) VALUES (${list.name}, ${change})
    ON CONFLICT (list) DO UPDATE SET live = list_totals.live + excluded.live`);
}

/** The ids of one page as a subquery, and how many records the whole list has. */
export async function findPage(db: Reader, list: List, page: Page): Promise<{ ids: Sql; total: number }> {
  const row = await db.get<{ live: number }>(sql`SELECT live FROM list_totals WHERE list = ${list.name}`);
  const total = row?.live ?? 0;
  const start = page.offset < total ? await findStart(db, list, page.offset) : { id: 0, skip: 0 };
  const ids = sql`
    SELECT id FROM ${list.table} WHERE trash_id IS NULL AND id <= ${start.id}
    ORDER BY id DESC LIMIT ${page.size} OFFSET ${start.skip}`;
  return { ids, total };
}

/** The highest id of the block in which the record number `offset` lies, and how many to skip from there. */
async function findStart(db: Reader, list: List, offset: number): Promise<{ id: number; skip: number }> {
  let skip = offset;
  if (skip < blockSize) return { id: Number.MAX_SAFE_INTEGER, skip };
  const blocks = await db.all<{ block: number; live: number }>(
    sql`SELECT block, live FROM list_blocks WHERE list = ${list.name} AND live > 0 ORDER BY block DESC`,
  );
  for (const { block, live } of blocks) {
    if (skip < live) return { id: (block + 1) * blockSize - 1, skip };
    skip -= live;
  }
  return { id: 0, skip: 0 };
}
