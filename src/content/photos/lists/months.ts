import { z } from "zod";
import type { Database, Queries, Reader } from "../../../platform/database/database.ts";
import type { Maintained } from "../../../platform/database/maintained.ts";
import { joined, sql, type Sql } from "../../../platform/database/sql.ts";

/** The owner of the counts of all owners together. */
export const everyOwner = 0;

export type MonthChange = { ownerID: number; isPrivate: boolean; takenAt: number; change: number };

/** In UTC, such as `2026-06`. */
export const monthOf = (takenAt: number): string => new Date(takenAt).toISOString().slice(0, 7);

/** Counts photos that appear in a month (1) or disappear from it (-1). */
export function countMonths(tx: Queries, changes: MonthChange[]): void {
  const counts = new Map<string, Count>();
  for (const { ownerID, isPrivate, takenAt, change } of changes) {
    for (const owner_id of [everyOwner, ownerID]) {
      add(counts, { owner_id, is_private: isPrivate ? 1 : 0, month: monthOf(takenAt), photos: change });
    }
  }
  addCounts(tx, counts);
}

type Count = { owner_id: number; is_private: number; month: string; photos: number };

function add(counts: Map<string, Count>, count: Count): void {
  const key = `${count.owner_id} ${count.is_private} ${count.month}`;
  counts.set(key, { ...count, photos: count.photos + (counts.get(key)?.photos ?? 0) });
}

const rowsAtOnce = 500;

function addCounts(tx: Queries, counts: Map<string, Count>): void {
  // Always in the same order: transactions that change the same counts must not wait for each other in a circle.
  const keys = [...counts.keys()].toSorted();
  const rows = keys.flatMap((key) => {
    const { owner_id, is_private, month, photos } = counts.get(key) as Count;
    return photos === 0 ? [] : [sql`(${owner_id}, ${is_private}, ${month}, ${tx.shard}, ${photos})`];
  });
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    tx.later(sql`
      INSERT INTO photo_months (owner_id, is_private, month, lane, photos)
      VALUES ${joined(rows.slice(start, start + rowsAtOnce))}
      ON CONFLICT (owner_id, is_private, month, lane) DO UPDATE SET photos = photo_months.photos + excluded.photos`);
  }
}

export const monthSchema = z
  .object({ month: z.string().meta({ example: "2026-06" }), count: z.int().meta({ example: 12 }) })
  .meta({ id: "PhotoMonth" });

export type Month = z.output<typeof monthSchema>;

/** The counts of the rows that meet the condition, newest month first. */
export function readMonths(db: Reader, where: Sql): Promise<Month[]> {
  return db.all<Month>(sql`
    SELECT month, CAST(sum(photos) AS BIGINT) AS count FROM photo_months
    WHERE ${where} GROUP BY month HAVING sum(photos) <> 0 ORDER BY month DESC`);
}

const day = 86_400_000;
/** No photo was taken before: the numbers of all days are positive, because integer division rounds towards zero. */
const firstDay = Date.UTC(1000, 0);

/**
 * Compares the counts with the lists. Both are read by one statement, which sees a photo together with its count, or neither.
 * The differences are added to the counts, as writers add theirs, so servers may be running.
 */
export const monthCounts: Maintained = {
  name: "photos in months",
  async rebuild(db: Database) {
    const rows = await db.all<{
      owner_id: number;
      is_private: number;
      month: string | null;
      day: number;
      photos: number;
    }>(sql`
      SELECT photos.owner_id, CASE WHEN seen_by = 0 THEN 0 ELSE 1 END AS is_private, NULL AS month,
        (photo_lists.taken_at + ${-firstDay}) / ${day} AS day, count(*) AS photos
      FROM photo_lists JOIN photos ON photos.id = photo_lists.photo_id
      WHERE list IN ('kind:image', 'kind:video') AND photo_lists.taken_at IS NOT NULL
      GROUP BY 1, 2, 4
      UNION ALL
      SELECT owner_id, is_private, month, 0, CAST(-sum(photos) AS BIGINT) FROM photo_months GROUP BY 1, 2, 3`);
    const counts = new Map<string, Count>();
    for (const row of rows) {
      if (row.month !== null) add(counts, { ...row, month: row.month });
      else
        for (const owner_id of [everyOwner, row.owner_id])
          add(counts, { ...row, owner_id, month: monthOf(row.day * day + firstDay) });
    }
    const wrong = [...counts.values()].filter(({ photos }) => photos !== 0).length;
    if (wrong > 0) await db.transaction(async (tx) => addCounts(tx, counts));
    return wrong;
  },
};
