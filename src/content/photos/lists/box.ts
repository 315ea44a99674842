import { z } from "zod";
import type { Reader } from "../../../platform/database/database.ts";
import { sql, type Sql } from "../../../platform/database/sql.ts";
import { type Box, type Cells, cellNumber, cellsIn, countCells } from "../../../platform/mercator.ts";
import { codesPerCell, finest } from "./areas.ts";
import { perDegree } from "./places.ts";

const degrees = /^-?\d{1,3}(\.\d{1,15})?$/;
const format = "must be west,south,east,north in degrees, such as -9.5,38.6,-9,38.9";

/** An area of the world in a query string, for `toBox`. */
export const queryBox = z
  .string()
  .max(80)
  .refine((text) => text.split(",").length === 4 && text.split(",").every((one) => degrees.test(one)), {
    error: format,
  })
  .refine((text) => isPossible(toBox(text)), {
    error:
      "must have latitudes from -90 to 90, of which the first is not greater than the second, and longitudes from -180 to 180",
  });

export function toBox(text: string): Box {
  const [west = 0, south = 0, east = 0, north = 0] = text.split(",").map(Number);
  return { west, south, east, north };
}

const isPossible = ({ west, south, east, north }: Box): boolean =>
  south >= -90 && north <= 90 && south <= north && [west, east].every((one) => Math.abs(one) <= 180);

/** Whose places: those of one owner, or those that everyone may see. */
export type Scope = { ownerID: number } | "everyone";

export const isInScope = (scope: Scope): Sql =>
  scope === "everyone" ? sql`is_shown = 1` : sql`owner_id = ${scope.ownerID}`;

/** A condition on photos: those whose place is known to those who ask, and within the box. */
export const isPlacedIn = (box: Box, scope: Scope): Sql => sql`EXISTS (
  SELECT 1 FROM photo_places WHERE photo_places.photo_id = photos.id AND ${isWithin(box)} AND ${isInScope(scope)})`;

function isWithin({ west, south, east, north }: Box): Sql {
  const [first, last] = [toStored(west), toStored(east)];
  const isBetween =
    first <= last ? sql`longitude BETWEEN ${first} AND ${last}` : sql`(longitude >= ${first} OR longitude <= ${last})`;
  return sql`latitude BETWEEN ${toStored(south)} AND ${toStored(north)} AND ${isBetween}`;
}

const toStored = (value: number) => Math.round(value * perDegree);

/** A box is read as so many ranges of codes, each with so many photos. */
const [mostRanges, mostInRange] = [4, 1000];

type Row = { photo_id: number; latitude: number; longitude: number };

/** The photos within the box if they are few, otherwise null: then other lists lead to them sooner. */
export async function findInBox(db: Reader, box: Box, scope: Scope): Promise<number[] | null> {
  const found = await Promise.all(
    rangesOf(box).map(([first, last]) =>
      db.all<Row>(sql`
        SELECT photo_id, latitude, longitude FROM photo_places
        WHERE ${isInScope(scope)} AND code >= ${first} AND code < ${last} ORDER BY code LIMIT ${mostInRange}`),
    ),
  );
  if (found.some((rows) => rows.length === mostInRange)) return null;
  const [west, east] = [toStored(box.west), toStored(box.east)];
  const isBetween = (one: number) => (west <= east ? one >= west && one <= east : one >= west || one <= east);
  return found
    .flat()
    .filter(({ latitude }) => latitude >= toStored(box.south) && latitude <= toStored(box.north))
    .filter(({ longitude }) => isBetween(longitude))
    .map(({ photo_id }) => photo_id);
}

/** The cells of the finest grid of which the box touches few, as ranges of codes. */
function rangesOf(box: Box): [first: number, last: number][] {
  let level = finest;
  while (level > 0 && countCells(cellsIn(box, level)) > mostRanges) level--;
  return listCells(cellsIn(box, level)).map((cell) => {
    const first = cellNumber(cell) * codesPerCell(level);
    return [first, first + codesPerCell(level)];
  });
}

function listCells({ columns, rows: [top, bottom] }: Cells): { x: number; y: number }[] {
  const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return columns.flatMap(([first, last]) => span(first, last).flatMap((x) => span(top, bottom).map((y) => ({ x, y }))));
}
