import { z } from "zod";
import type { Reader } from "../../../platform/database/database.ts";
import { joinedBy, sql, type Sql } from "../../../platform/database/sql.ts";
import { queryInteger } from "../../../platform/http/validate.ts";
import { type Box, boundsOf, type Cells, cellsIn, countCells } from "../../../platform/mercator.ts";
import { codesPerCell, type Level, levels } from "./areas.ts";
import { isInScope, queryBox, type Scope } from "./box.ts";
import { everyOwner } from "./months.ts";

const mostZoom = 20;

export const mapQuery = z.object({
  bbox: queryBox.optional().meta({
    description:
      "The part of the world that is shown: west, south, east and north in degrees. Where west is greater than east, it crosses the date line. Without it, the whole world.",
    example: "-30,30,30,60",
  }),
  zoom: queryInteger(mostZoom, 0).default(2).meta({
    description: "How near the map is: the world is 256 pixels wide at 0, and twice as wide with each further step.",
    example: 4,
  }),
  owner: z
    .enum(["me"])
    .optional()
    .meta({ description: "`me` shows your own photos, also those whose place or picture nobody else may see." }),
});

/** More cells than anyone could tell apart on a screen. */
const mostCells = 512;
export const wholeWorld: Box = { west: -180, south: -90, east: 180, north: 90 };

type FoundArea = { bounds: Box; count: number; photoID: number };

/** The cells with photos that the box touches, the fullest first, each with one of its photos. */
export async function findAreas(
  db: Reader,
  { box, zoom, scope }: { box: Box; zoom: number; scope: Scope },
): Promise<FoundArea[]> {
  const { level, cells } = gridFor(box, zoom);
  const span = codesPerCell(level);
  const rows = await db.all<{ x: number; y: number; count: number; photo_id: number | null }>(sql`
    SELECT x, y, count, (
      SELECT photo_id FROM photo_places
      WHERE ${isInScope(scope)} AND code >= areas.cell * ${span} AND code < (areas.cell + 1) * ${span}
      ORDER BY code LIMIT 1) AS photo_id
    FROM (
      SELECT x, y, cell, CAST(sum(photos) AS BIGINT) AS count FROM photo_areas
      WHERE owner_id = ${scope === "everyone" ? everyOwner : scope.ownerID} AND level = ${level} AND ${isAmong(cells)}
      GROUP BY x, y, cell HAVING sum(photos) > 0) AS areas
    ORDER BY count DESC, x, y LIMIT ${mostCells}`);
  return rows.flatMap(({ x, y, count, photo_id: photoID }) =>
    photoID === null ? [] : [{ bounds: boundsOf({ x, y }, level), count, photoID }],
  );
}

/** Whether there is a place that everyone may see. */
export async function hasShownPlaces(db: Reader): Promise<boolean> {
  return (await db.get(sql`SELECT photo_id FROM photo_places WHERE is_shown = 1 ORDER BY code LIMIT 1`)) !== null;
}

function gridFor(box: Box, zoom: number): { level: Level; cells: Cells } {
  const fitting = levels.filter((level) => level <= Math.max(levels[0], zoom + 2));
  const grids = fitting.map((level) => ({ level, cells: cellsIn(box, level) }));
  return grids.findLast(({ cells }) => countCells(cells) <= mostCells) ?? (grids[0] as (typeof grids)[number]);
}

function isAmong({ columns, rows: [top, bottom] }: Cells): Sql {
  const some = columns.map(([first, last]) => sql`x BETWEEN ${first} AND ${last}`);
  return sql`(${joinedBy(" OR ", some)}) AND y BETWEEN ${top} AND ${bottom}`;
}
