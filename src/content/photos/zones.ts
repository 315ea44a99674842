import { invalid } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { clockIn, momentIn } from "../../platform/zone-clock.ts";
import type { StoredFile } from "../files/file.ts";
import { isPossibleDate, type Photo } from "./photo.ts";
import type { PhotoRow, StoredPhoto } from "./rows.ts";

/** The zone of the camera's clock: as the owner has set it, or else as the file says, if its time is that of the file. */
export function zoneOf({ row, shown, image }: StoredPhoto): string | null {
  if (row.photo_taken_at === null) return null;
  return row.photo_taken_at_zone ?? (isFromFile(row, shown) ? (image?.takenAtZone ?? null) : null);
}

const isFromFile = (row: PhotoRow, file: StoredFile | null) =>
  row.photo_taken_at_set === null && file?.ownerID === row.photo_owner_id;

/** Those of the photos whose files say the zone, and whose time was not corrected. */
export async function findExact(tx: Queries, ids: number[]): Promise<Set<number>> {
  const rows = await tx.all<{ id: number }>(sql`
    SELECT photos.id FROM photos JOIN files ON files.id = photos.file_id AND files.owner_id = photos.owner_id
      JOIN images ON images.sha256 = files.sha256
    WHERE photos.id IN (${list(ids)}) AND photos.taken_at_set IS NULL AND images.taken_at_zone IS NOT NULL`);
  return new Set(rows.map(({ id }) => id));
}

/** The time at which a clock in this zone showed what the clock of the camera did. Null is a zone that nobody knows. */
export function readClockIn(zone: string | null, { id, takenAt, takenAtZone }: Photo): string | null {
  if (zone === takenAtZone) return takenAt;
  if (takenAt === null) throw invalid(`Photo ${id} has no "takenAt" whose zone could be set.`, "takenAtZone");
  const moment = Date.parse(takenAt);
  const clock = takenAtZone === null ? moment : clockIn(takenAtZone, moment);
  const time = zone === null ? clock : momentIn(zone, clock);
  if (!isPossibleDate(time)) throw invalid(`"takenAt" must be between the years 1000 and 9999.`, "takenAtZone");
  return new Date(time).toISOString();
}
