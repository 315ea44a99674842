import type { Change, Queries } from "../../../platform/database/database.ts";
import { joined, list, sql } from "../../../platform/database/sql.ts";
import type { Derived } from "../../../platform/database/tables.ts";
import { cellAt, cellNumber } from "../../../platform/mercator.ts";
import type { Place } from "../../../core/images/image.ts";
import { type AreaChange, countAreas, finest } from "./areas.ts";
import { findPhotosOf, lockPhotos } from "./entries.ts";

/** Latitudes and longitudes are stored as whole numbers of this part of a degree. */
export const perDegree = 10_000_000;

/** What decides where a photo was taken, and who may know: see `presentPhoto`. */
type Row = {
  id: number;
  owner_id: number;
  trash_id: number | null;
  is_private: number;
  location_shown_at: number | null;
  place: string | null;
  /** The place in the file, if that is not in the trash and belongs to the owner of the photo. */
  image_place: string | null;
};

type Placed = Omit<AreaChange, "change"> & { photo_id: number; latitude: number; longitude: number };
type Stored = { [Column in keyof Placed as `placed_${Column}`]: Placed[Column] | null };

export const photoPlaces: Derived = {
  kind: "photo",
  from: ["trash_id", "is_private", "place", "location_shown_at"],
  async derive(tx, changes) {
    const isNew = ({ before, after }: Change) => before === null && "image_place" in after;
    const added = changes.filter(isNew).flatMap(({ after }) => placeOf(after as Row) ?? []);
    write(tx, [], added);
    await placePhotos(
      tx,
      changes.filter((change) => !isNew(change)).map(({ id }) => id),
    );
  },
};

/** The place in a file is not shown while the file is in the trash. */
export const placesOfFiles: Derived = {
  kind: "file",
  from: ["trash_id"],
  async derive(tx, changes) {
    const ids = await findPhotosOf(tx, changes);
    for (let start = 0; start < ids.length; start += photosAtOnce) {
      const some = ids.slice(start, start + photosAtOnce);
      await lockPhotos(tx, some);
      await placePhotos(tx, some);
    }
  },
};

const photosAtOnce = 200;

/** What others derive from the places of photos names this, as if it were a column of them. */
export const placed = "photo_places";

/** Corrects the places of these photos, which are locked. Returns how many were others before. */
export async function placePhotos(tx: Queries, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await tx.all<Row & Stored>(sql`
    SELECT photos.id, photos.owner_id, photos.trash_id, photos.is_private, photos.location_shown_at, photos.place,
      images.place AS image_place, stored.photo_id AS placed_photo_id, stored.owner_id AS placed_owner_id,
      stored.is_shown AS placed_is_shown, stored.latitude AS placed_latitude, stored.longitude AS placed_longitude,
      stored.code AS placed_code
    FROM photos
    LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL AND files.owner_id = photos.owner_id
    LEFT JOIN images ON images.sha256 = files.sha256
    LEFT JOIN photo_places AS stored ON stored.photo_id = photos.id
    WHERE photos.id IN (${list(ids)}) ORDER BY photos.id`);
  const changed = rows
    .map((row) => ({ before: toStored(row), after: placeOf(row) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
  if (changed.length === 0) return 0;
  write(
    tx,
    changed.flatMap(({ before }) => before ?? []),
    changed.flatMap(({ after }) => after ?? []),
  );
  await tx.changed(
    "photo",
    changed.flatMap(({ before, after }) => {
      const id = (before ?? after)?.photo_id;
      return id === undefined ? [] : [{ id, before: { [placed]: 0 }, after: { [placed]: 1 } }];
    }),
  );
  return changed.length;
}

function write(tx: Queries, removed: Placed[], added: Placed[]): void {
  if (removed.length > 0)
    tx.later(sql`DELETE FROM photo_places WHERE photo_id IN (${list(removed.map(({ photo_id }) => photo_id))})`);
  if (added.length > 0) {
    const values = added.map(
      (one) => sql`(${one.photo_id}, ${one.owner_id}, ${one.is_shown}, ${one.latitude}, ${one.longitude}, ${one.code})`,
    );
    tx.later(sql`
      INSERT INTO photo_places (photo_id, owner_id, is_shown, latitude, longitude, code) VALUES ${joined(values)}`);
  }
  countAreas(tx, [
    ...removed.map((one) => ({ ...one, change: -1 as const })),
    ...added.map((one) => ({ ...one, change: 1 as const })),
  ]);
}

/** Null if the place is not known, or the photo is in the trash. */
function placeOf(row: Row): Placed | null {
  const text = row.place ?? row.image_place;
  if (row.trash_id !== null || text === null) return null;
  const { latitude, longitude } = JSON.parse(text) as Place;
  if (latitude === null || longitude === null) return null;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  return {
    photo_id: row.id,
    owner_id: row.owner_id,
    is_shown: row.is_private === 0 && row.location_shown_at !== null ? 1 : 0,
    latitude: Math.round(latitude * perDegree),
    longitude: Math.round(longitude * perDegree),
    code: cellNumber(cellAt({ latitude, longitude }, finest)),
  };
}

function toStored(row: Stored): Placed | null {
  if (row.placed_photo_id === null) return null;
  return {
    photo_id: row.placed_photo_id,
    owner_id: row.placed_owner_id,
    is_shown: row.placed_is_shown,
    latitude: row.placed_latitude,
    longitude: row.placed_longitude,
    code: row.placed_code,
  } as Placed;
}
