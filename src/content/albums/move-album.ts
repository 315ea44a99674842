import { z } from "zod";
import { invalid, missing } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Sort } from "../../platform/database/keyset.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { id } from "../../platform/http/validate.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { lockNesting } from "./nesting.ts";
import { getAlbumHead } from "./store.ts";

export const albumPlaceSchema = z
  .object({
    before: id().optional().meta({ description: "An album beside it, before which it is moved.", example: 2 }),
    after: id().optional().meta({ description: "Or the album after which it is moved." }),
  })
  .refine(({ before, after }) => (before === undefined) !== (after === undefined), {
    error: 'Send "before" or "after", and not both.',
  })
  .meta({ id: "AlbumPlace" });

type AlbumPlace = z.output<typeof albumPlaceSchema>;

/** The order of albums that are in the same album, or at the top level. */
export const byAlbumOrder: Sort = { column: "position", type: "integer" };

/** The space between two albums, one of which is moved to the end. */
const step = 1024;
/** By this much the following albums are moved if there is no space between two. */
const wideStep = 2 ** 20;

type Placed = { id: number; position: number; parent_id: number | null };

/** Moves an album to the place before or after another one in the same album. */
export async function moveAlbum(tx: Queries, viewer: Viewer, albumID: number, place: AlbumPlace): Promise<void> {
  await lockNesting(tx);
  await getAlbumHead(tx, viewer, albumID, tx.forUpdate);
  const besideID = (place.before ?? place.after) as number;
  if (besideID === albumID) throw invalid("An album cannot be moved beside itself.");
  const album = await find(tx, sql`id = ${albumID}`);
  const beside = await find(tx, sql`id = ${besideID} AND ${isLive} AND ${isVisibleTo(viewer, thisTable)}`);
  if (!album || !beside) throw missing(`album ${besideID}`);
  if (album.parent_id !== beside.parent_id) {
    throw invalid(`Album ${besideID} is in another album: change "parentID" first.`, place.before ? "before" : "after");
  }
  const position = await choosePosition(tx, album, beside, place.before !== undefined);
  await tx.run(sql`UPDATE albums SET position = ${position}, updated_at = ${Date.now()} WHERE id = ${albumID}`);
}

const find = (tx: Queries, where: Sql) =>
  tx.get<Placed>(sql`SELECT id, position, parent_id FROM albums WHERE ${where}`);

async function choosePosition(tx: Queries, { id }: Placed, beside: Placed, isBefore: boolean): Promise<number> {
  const { parent_id: parentID } = beside;
  // Also those in the trash, which may come back.
  const isBeside = sql`${parentID === null ? sql`parent_id IS NULL` : sql`parent_id = ${parentID}`} AND id <> ${id}`;
  const place = sql`(${beside.position}, ${beside.id})`;
  const next = await find(
    tx,
    isBefore
      ? sql`${isBeside} AND (position, id) < ${place} ORDER BY position DESC, id DESC LIMIT 1`
      : sql`${isBeside} AND (position, id) > ${place} ORDER BY position, id LIMIT 1`,
  );
  if (!next) return beside.position + (isBefore ? -step : step);
  const [low, high] = isBefore ? [next, beside] : [beside, next];
  if (high.position - low.position > 1) return Math.floor((low.position + high.position) / 2);
  await tx.run(sql`
    UPDATE albums SET position = position + ${wideStep}
    WHERE ${isBeside} AND (position, id) >= (${high.position}, ${high.id})`);
  return low.position + wideStep / 2;
}
