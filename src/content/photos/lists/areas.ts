import type { Queries } from "../../../platform/database/database.ts";
import type { Maintained } from "../../../platform/database/maintained.ts";
import { joined, sql } from "../../../platform/database/sql.ts";
import { cellOf } from "../../../platform/mercator.ts";
import { everyOwner } from "./months.ts";

/** The level of the grid whose cells are the codes of places. A cell is at most 60 cm wide. */
export const finest = 26;
/** The grids of the map: each has four columns and rows in a cell of the one before. */
export const levels = [2, 4, 6, 8, 10, 12, 14, 16] as const;
export type Level = (typeof levels)[number];

/** So many codes are in a cell of a grid. */
export const codesPerCell = (level: number): number => 4 ** (finest - level);

export type AreaChange = { owner_id: number; is_shown: number; code: number; change: 1 | -1 };

/** Counts photos that appear at a place (1) or disappear from it (-1). */
export function countAreas(tx: Queries, changes: AreaChange[]): void {
  const counts = new Map<string, Count>();
  for (const { owner_id: ownerID, is_shown, code, change } of changes)
    for (const owner_id of is_shown === 1 ? [everyOwner, ownerID] : [ownerID])
      for (const level of levels)
        add(counts, { owner_id, level, cell: Math.floor(code / codesPerCell(level)), photos: change });
  addCounts(tx, [...counts.values()]);
}

type Count = { owner_id: number; level: number; cell: number; photos: number };

function add(counts: Map<string, Count>, count: Count): void {
  const key = `${count.owner_id} ${count.level} ${count.cell}`;
  counts.set(key, { ...count, photos: count.photos + (counts.get(key)?.photos ?? 0) });
}

const rowsAtOnce = 500;

function addCounts(tx: Queries, counts: Count[]): void {
  // Always in the same order: transactions that change the same counts must not wait for each other in a circle.
  const sorted = counts.toSorted(
    (one, other) => one.owner_id - other.owner_id || one.level - other.level || one.cell - other.cell,
  );
  const rows = sorted.flatMap(({ owner_id, level, cell, photos }) => {
    const { x, y } = cellOf(cell);
    return photos === 0 ? [] : [sql`(${owner_id}, ${level}, ${x}, ${y}, ${tx.shard}, ${cell}, ${photos})`];
  });
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    tx.later(sql`
      INSERT INTO photo_areas (owner_id, level, x, y, lane, cell, photos)
      VALUES ${joined(rows.slice(start, start + rowsAtOnce))}
      ON CONFLICT (owner_id, level, x, y, lane) DO UPDATE SET photos = photo_areas.photos + excluded.photos`);
  }
}

/**
 * Compares the counts with the places, as those of months with the lists: what is missing is added, so servers may be running.
 */
export const areaCounts: Maintained = {
  name: "photos in areas",
  async rebuild(db) {
    let wrong = 0;
    for (const level of levels) {
      const cell = sql`code / ${codesPerCell(level)}`;
      const rows = await db.all<Omit<Count, "level">>(sql`
        SELECT owner_id, cell, CAST(sum(photos) AS BIGINT) AS photos FROM (
          SELECT owner_id, ${cell} AS cell, count(*) AS photos FROM photo_places GROUP BY 1, 2
          UNION ALL
          SELECT ${everyOwner}, ${cell} AS cell, count(*) FROM photo_places WHERE is_shown = 1 GROUP BY 1, 2
          UNION ALL
          SELECT owner_id, cell, CAST(-sum(photos) AS BIGINT) FROM photo_areas WHERE level = ${level} GROUP BY 1, 2
        ) AS differences GROUP BY owner_id, cell HAVING sum(photos) <> 0`);
      wrong += rows.length;
      if (rows.length > 0)
        await db.transaction(async (tx) =>
          addCounts(
            tx,
            rows.map((row) => ({ ...row, level })),
          ),
        );
    }
    return wrong;
  },
};
