import { z } from "zod";
import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, raw, sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isPrivate, isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isSeenBy } from "./seen-by.ts";

const maxListed = 1000;
const maxCounted = 20_000;

const idsOf = (what: string) =>
  z.array(z.int()).meta({ description: `The ${what} of them that are private: the first ${maxListed}.` });

export const hiddenSchema = z
  .object({
    count: z.int().meta({ description: "How many they are.", example: 25 }),
    photoIDs: idsOf("photos"),
    albumIDs: idsOf("albums"),
    fileIDs: idsOf("files"),
  })
  .meta({ id: "HiddenRecords", description: "What guests do not see, of what you see." });

export type Hidden = z.output<typeof hiddenSchema>;

type Listed = { photos?: number[]; albums?: number[]; files?: number[] };

export function toHidden(
  { photos = [], albums = [], files = [] }: Listed,
  count = photos.length + albums.length + files.length,
): Hidden {
  const [photoIDs, albumIDs, fileIDs] = [photos, albums, files].map((ids) => ids.slice(0, maxListed));
  return { count, photoIDs, albumIDs, fileIDs } as Hidden;
}

/** Those of the records that are private, and that the viewer sees. */
export async function findPrivate(
  db: Reader,
  viewer: Viewer,
  table: "photos" | "albums",
  ids: number[],
): Promise<number[]> {
  const rows = await inChunks(ids, (some) =>
    db.all<{ id: number }>(sql`
      SELECT id FROM ${raw(table)}
      WHERE id IN (${list(some)}) AND ${isLive} AND ${isPrivate} AND ${isVisibleTo(viewer, thisTable)} ORDER BY id`),
  );
  return rows.map(({ id }) => id);
}

/** The private photos in each of the albums, of those that the viewer sees. Of very many, only the first are counted. */
export async function findPrivateIn(db: Reader, viewer: Viewer, albumIDs: number[]): Promise<Map<number, number[]>> {
  if (albumIDs.length === 0) return new Map();
  const rows = await db.all<{ id: number; photo_id: number }>(sql`
    SELECT albums.id, photo_id FROM albums JOIN album_photos ON album_id = albums.id
    WHERE albums.id IN (${list(albumIDs.slice(0, maxListed))}) AND ${isLive} AND ${isVisibleTo(viewer, "albums.")}
      AND seen_by > 0 AND ${isSeenBy(viewer)}
    ORDER BY albums.id, photo_id LIMIT ${maxCounted}`);
  const byAlbum = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byAlbum].map(([id, some]) => [id, some.map((row) => row.photo_id)]));
}
