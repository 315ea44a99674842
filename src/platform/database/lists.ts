import { nextTurn } from "../event-loop.ts";
import type { Database, Queries, Reader } from "./database.ts";
import { ordinaryPage, type Slices } from "./slices.ts";
import { firstOf, raw, sql, type Sql } from "./sql.ts";
import { partOf } from "./touched-tables.ts";

/**
 * A list of records, named after its table, sorted by id, newest first. The database also stores the number of live
 * records in the whole list, in each large block of ids and in each small one; these are updated in the transaction
 * that adds or removes a record. So the total needs no count, and a deep page is found by way of a few large blocks, a
 * few small blocks and a few records.
 */
export type List = string;
export type Page = { offset: number; size: number };
/** A page starts `skip` records after the newest record whose id is at most `id`. */
type Start = { id: number; skip: number };

/** Ids per block, large blocks first. */
const blockSizes = [65_536, 1024] as const;
const wholeList = 0;

/** The table of counts, in a statement that touches those of this list only. */
const countsOf = (list: List) => raw(partOf("list_counts", list));

/** Adds to the counts of a list in the transaction in which the record `id` appears (1) or disappears (-1). */
export function countRecord(tx: Queries, list: List, id: number, change: number): void {
  const [large, small] = blockSizes;
  tx.later(sql`
    INSERT INTO ${countsOf(list)} (list, size, block, lane, live)
    VALUES (${list}, ${wholeList}, 0, ${tx.shard}, ${change}),
      (${list}, ${large}, ${Math.floor(id / large)}, ${tx.shard}, ${change}),
      (${list}, ${small}, ${Math.floor(id / small)}, ${tx.shard}, ${change})
    ON CONFLICT (list, size, block, lane) DO UPDATE SET live = list_counts.live + excluded.live`);
}

/**
 * Compares the counts of a list with its records and corrects them; `live` is the condition of the counted rows. Returns
 * how many were wrong. Each statement sees a record together with its counts, or neither. It adds the differences to the
 * counts, as writers do, so servers may be running.
 */
export async function recountList(db: Database, list: List, live: Sql): Promise<number> {
  const step = Math.max(...blockSizes);
  const newest = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(list)}`);
  let corrected = 0;
  for (let [first, isDone] = [0, false]; !isDone; first += step) {
    isDone = first + step > (newest?.id ?? 0);
    const last = isDone ? Number.MAX_SAFE_INTEGER : first + step - 1;
    corrected += await db.transaction(async (tx) => {
      let wrong = 0;
      for (const size of blockSizes) {
        wrong += await tx.run(addDifferences(tx, list, size, selectDifferences(list, size, live, { first, last })));
      }
      return wrong;
    });
  }
  const total = sql`
    SELECT 0 AS block, CAST(coalesce(sum(CASE size WHEN ${step} THEN live WHEN ${wholeList} THEN -live END), 0) AS BIGINT) AS live
    FROM ${countsOf(list)} WHERE list = ${list}`;
  return corrected + (await db.transaction((tx) => tx.run(addDifferences(tx, list, wholeList, total))));
}

/** How many more live records the blocks in this range of ids have than are counted. */
function selectDifferences(list: List, size: number, live: Sql, { first, last }: { first: number; last: number }): Sql {
  return sql`
    SELECT block, CAST(sum(live) AS BIGINT) AS live FROM (
      SELECT block, count(*) AS live FROM (
        SELECT id / ${size} AS block FROM ${raw(list)} WHERE ${live} AND id BETWEEN ${first} AND ${last}) AS records
      GROUP BY block
      UNION ALL
      SELECT block, -live FROM ${countsOf(list)}
      WHERE list = ${list} AND size = ${size}
        AND block BETWEEN ${Math.floor(first / size)} AND ${Math.floor(last / size)}) AS counts
    GROUP BY block`;
}

function addDifferences(tx: Queries, list: List, size: number, differences: Sql): Sql {
  return sql`
    INSERT INTO ${countsOf(list)} (list, size, block, lane, live)
    SELECT CAST(${list} AS TEXT), CAST(${size} AS BIGINT), block, CAST(${tx.shard} AS BIGINT), live
    FROM (${differences}) AS differences WHERE live <> 0
    ON CONFLICT (list, size, block, lane) DO UPDATE SET live = list_counts.live + excluded.live`;
}

type PageRow = { id: number; total: number };

/**
 * One page of a list, in slices of at most `atOnce` rows, and the total number of records in the list. `live` is the
 * condition of the counted rows. `read` gets a SELECT of the ids of a slice with the `total`, and returns the records in
 * any order. It may return fewer of them, the newest ones, if they are large.
 */
export async function listPage<Row extends PageRow>(
  db: Reader,
  table: List,
  page: Page,
  { live, atOnce, read }: { live: Sql; atOnce: number; read: (ids: Sql) => Promise<Row[]> },
): Promise<{ items: Slices<Row>; total: number }> {
  const total = sql`(
    SELECT CAST(sum(live) AS BIGINT) FROM ${countsOf(table)} WHERE list = ${table} AND size = ${wholeList})`;
  const readSlice = async (highest: number, skipped: number, size: number) => {
    const ids = sql`SELECT id, ${total} AS total FROM ${raw(table)} WHERE ${live} AND id <= ${highest} ORDER BY id DESC`;
    const rows = await read(firstOf(ids, Math.min(size, atOnce), skipped));
    // A database would sort the whole rows, with all their text.
    return rows.toSorted((one, other) => other.id - one.id);
  };
  const start = await findStart(db, table, page.offset);
  // Many requests for a large page wait for their turns, and have read nothing before.
  const isLarge = page.size > ordinaryPage;
  const first = start && !isLarge ? await readSlice(start.id, start.skip, page.size) : [];
  const known =
    first[0]?.total ??
    (page.offset === 0 && !isLarge
      ? 0
      : (await db.get<{ total: number | null }>(sql`SELECT ${total} AS total`))?.total);
  const left = Math.min(page.size, (known ?? 0) - page.offset);
  return { items: start && isLarge ? readRest(start, left) : readOn(first, left), total: known ?? 0 };

  async function* readRest({ id, skip }: Start, left: number): AsyncGenerator<Row[]> {
    if (left > 0) yield* readOn(await readSlice(id, skip, left), left);
  }

  async function* readOn(slice: Row[], most: number): AsyncGenerator<Row[]> {
    for (let left = most; slice.length > 0;) {
      left -= slice.length;
      const next = (slice.at(-1)?.id ?? 0) - 1;
      // While it is sent, nothing else keeps it in memory.
      yield slice.splice(0);
      if (left <= 0) return;
      await nextTurn();
      slice = await readSlice(next, 0, left);
    }
  }
}

/**
 * The highest id of the small block that contains the record number `offset`, and how many records to skip from there.
 * Null if the list has no such record.
 */
async function findStart(db: Reader, list: List, offset: number): Promise<Start | null> {
  if (offset < 1024) return { id: Number.MAX_SAFE_INTEGER, skip: offset };
  let skip = offset;
  let [lowest, highest] = [0, Number.MAX_SAFE_INTEGER];
  for (const size of blockSizes) {
    const blocks = await db.all<{ block: number; live: number }>(sql`
      SELECT block, CAST(sum(live) AS BIGINT) AS live FROM ${countsOf(list)}
      WHERE list = ${list} AND size = ${size} AND block BETWEEN ${Math.floor(lowest / size)} AND ${Math.floor(highest / size)}
      GROUP BY block ORDER BY block DESC`);
    let found: number | null = null;
    for (const { block, live } of blocks) {
      if (skip < live) {
        found = block;
        break;
      }
      skip -= live;
    }
    if (found === null) return null;
    [lowest, highest] = [found * size, (found + 1) * size - 1];
  }
  return { id: highest, skip };
}
