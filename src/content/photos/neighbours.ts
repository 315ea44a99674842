import type { Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isListed } from "../../core/trash/trash.ts";
import type { Photo } from "./photo.ts";
import { findPhotos } from "./store.ts";

/** The photos before and after another in a list; null at its ends. */
export type Neighbours = { previous: Photo | null; next: Photo | null };

/**
 * The neighbours of a photo in the list of public photos by date, newest first, in which photos without a date come last.
 * The photo itself need not be public.
 */
export async function findNeighbours(
  db: Reader,
  viewer: Viewer,
  { id, takenAt }: Pick<Photo, "id" | "takenAt">,
): Promise<Neighbours> {
  const time = takenAt === null ? null : Date.parse(takenAt);
  const isUndated = sql`taken_at IS NULL`;
  const [newer, older] = await Promise.all([
    time === null
      ? findFirst(db, "ASC", [sql`${isUndated} AND id > ${id}`, sql`taken_at IS NOT NULL`])
      : findFirst(db, "ASC", [sql`(taken_at, id) > (${time}, ${id})`]),
    time === null
      ? findFirst(db, "DESC", [sql`${isUndated} AND id < ${id}`])
      : findFirst(db, "DESC", [sql`(taken_at, id) < (${time}, ${id})`, isUndated]),
  ]);
  return presentNeighbours(db, viewer, newer, older);
}

/** The first photo that meets the first of the conditions that any photo meets. */
async function findFirst(db: Reader, order: "ASC" | "DESC", conditions: Sql[]): Promise<number | null> {
  const direction = order === "ASC" ? sql`ASC` : sql`DESC`;
  for (const condition of conditions) {
    const [row] = await db.all<{ id: number }>(sql`
      SELECT id FROM photos WHERE ${isListed} AND ${condition}
      ORDER BY taken_at ${direction}, id ${direction} LIMIT 1`);
    if (row) return row.id;
  }
  return null;
}

/** The photos with these ids. */
export async function presentNeighbours(
  db: Reader,
  viewer: Viewer,
  previous: number | null,
  next: number | null,
): Promise<Neighbours> {
  const found = await findPhotos(
    db,
    viewer,
    [previous, next].filter((id) => id !== null),
  );
  return { previous: found.get(previous ?? 0) ?? null, next: found.get(next ?? 0) ?? null };
}
