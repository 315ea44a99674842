import type { Queries } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { list, raw, sql } from "../../platform/database/sql.ts";
import type { Derived } from "../../platform/database/tables.ts";
import { Problem } from "../../platform/errors.ts";
import type { Album } from "./album.ts";
import { positionStep } from "./blocks.ts";

/**
 * In an album that is ordered by date, the positions of the photos are their dates, so it is read as every other album is.
 * Photos without a date come last.
 */
const undated = raw(String(2 ** 50));

/** The position of a row of `photos` in a row of `albums` that is ordered by date. */
const datePosition = sql`coalesce(
  CASE albums.photo_order WHEN 'oldestFirst' THEN photos.taken_at ELSE -photos.taken_at END, ${undated})`;

/** The same, or the position that a photo gets in an album that is ordered by hand. */
export const positionOr = (manual: ReturnType<typeof sql>) =>
  sql`CASE albums.photo_order WHEN 'manual' THEN ${manual} ELSE ${datePosition} END`;

/** Throws if the photos of an album have no order of their own. */
export function checkManual({ name, photoOrder }: { name: string; photoOrder: Album["photoOrder"] }): void {
  if (photoOrder === "manual") return;
  throw new Problem(
    "readOnly",
    `The photos of "${name}" are in the order of their dates. Set "photoOrder" to "manual" to move them.`,
  );
}

const entryPosition = sql`(
  SELECT ${datePosition} FROM albums JOIN photos ON photos.id = album_photos.photo_id WHERE albums.id = album_photos.album_id)`;

/** Photos with other dates than before. */
export const datedPhotos: Derived = {
  kind: "photo",
  from: ["taken_at"],
  async derive(tx, changes) {
    const ids = changes.flatMap(({ id, before }) => (before === null ? [] : [id]));
    if (ids.length === 0) return;
    const albums = await tx.all<{ id: number }>(sql`
      SELECT id FROM albums
      WHERE photo_order <> 'manual' AND id IN (SELECT album_id FROM album_photos WHERE photo_id IN (${list(ids)}))
      ORDER BY id ${tx.forUpdate}`);
    if (albums.length === 0) return;
    await tx.run(sql`
      UPDATE album_photos SET position = ${entryPosition}
      WHERE photo_id IN (${list(ids)}) AND album_id IN (${list(albums.map(({ id }) => id))})`);
  },
};

/** An album gets another order. Ordered by hand, its photos first stay as they are. */
export const orderedAlbums: Derived = {
  kind: "album",
  from: ["photo_order"],
  async derive(tx, changes) {
    for (const { id, before, after } of changes) {
      if (before === null) continue;
      if (after.photo_order === "manual") await numberPhotos(tx, id);
      else await orderByDate(tx, id);
    }
  },
};

/** The album is locked. */
export async function orderByDate(tx: Queries, albumID: number): Promise<void> {
  await tx.run(sql`UPDATE album_photos SET position = ${entryPosition} WHERE album_id = ${albumID}`);
}

/** With space between them, so that they can be moved. */
async function numberPhotos(tx: Queries, albumID: number): Promise<void> {
  await tx.run(sql`
    UPDATE album_photos SET position = numbered.number * ${raw(String(positionStep))} FROM (
      SELECT photo_id, row_number() OVER (ORDER BY position, photo_id) AS number FROM album_photos
      WHERE album_id = ${albumID}) AS numbered
    WHERE album_photos.album_id = ${albumID} AND album_photos.photo_id = numbered.photo_id`);
}

/** Comes before the blocks of albums, which follow from the positions. Servers may be running. */
export const datePositions: Maintained = {
  name: "photos in the order of their dates",
  async rebuild(db) {
    const isWrong = sql`position <> ${entryPosition}`;
    const wrong = await db.all<{ album_id: number }>(sql`
      SELECT DISTINCT album_id FROM album_photos
      WHERE album_id IN (SELECT id FROM albums WHERE photo_order <> 'manual') AND ${isWrong} ORDER BY album_id`);
    for (const { album_id: id } of wrong) {
      await db.transaction(async (tx) => {
        await tx.get(sql`SELECT id FROM albums WHERE id = ${id} ${tx.forUpdate}`);
        await tx.run(sql`UPDATE album_photos SET position = ${entryPosition} WHERE album_id = ${id} AND ${isWrong}`);
      });
    }
    return wrong.length;
  },
};
