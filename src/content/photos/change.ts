import { setImmediate } from "node:timers/promises";
import { recordActivity } from "../../core/activity/record.ts";
import { forbidden } from "../../platform/errors.ts";
import type { Change, Queries } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { Caller, Viewer } from "../../platform/http/route.ts";
import { toFlag } from "../../core/records/visibility.ts";
import type { Originals } from "./originals.ts";
import type { StoredEdits } from "./edits.ts";
import type { Photo, PhotoChanges, SharedChanges } from "./photo.ts";
import { type FoundPhotoRow, selectPhotos, toStoredPhoto } from "./rows.ts";
import { getPhoto, indexPhoto, photosAtOnce, presentPhoto, printPlace, printTags, selectImageOfSize } from "./store.ts";

/** `photo` is the photo before the change, which is locked. `edits` are those of `changed`, if it has any. */
type PhotoUpdate = {
  photo: Photo;
  changed: PhotoChanges & Pick<SharedChanges, "takenAtZone">;
  edits?: StoredEdits | null | undefined;
};

/**
 * Changes photos, and the visibility of their originals with them. `photos` is how they were before their originals changed,
 * if any has.
 */
export async function updatePhotos(
  tx: Queries,
  originals: Originals,
  caller: Caller,
  updates: PhotoUpdate[],
): Promise<{ photos: Photo[]; hasChangedOriginals: boolean }> {
  const photos = await writePhotos(tx, caller, updates);
  const followed = updates.filter(({ changed }) => (changed.visibility ?? changed.fileID) !== undefined);
  const hasChangedOriginals =
    followed.length > 0 &&
    (await originals.follow(
      tx,
      caller.id,
      followed.map((update) => ({ id: update.photo.id, ...update })),
    ));
  const edited = updates.filter(({ edits }) => edits !== undefined).map(({ photo }) => photo.id);
  const hasFollowedCrops = edited.length > 0 && (await originals.followCrops(tx, caller.id, edited));
  return { photos, hasChangedOriginals: hasChangedOriginals || hasFollowedCrops };
}

/** Turns and crops a photo that was added in this transaction, as it was elsewhere. Its original is private if it is cropped. */
export async function addEdits(
  tx: Queries,
  originals: Originals,
  { id, ownerID }: Pick<Photo, "id" | "ownerID">,
  edits: StoredEdits,
): Promise<void> {
  await writeEdits(tx, id, edits);
  await originals.followCrops(tx, ownerID, [id]);
}

async function writeEdits(tx: Queries, id: number, edits: StoredEdits | null): Promise<void> {
  await tx.run(sql`
    UPDATE photos SET edits = ${edits && JSON.stringify(edits)}, is_cropped = ${edits?.edits.crop ? 1 : 0} WHERE id = ${id}`);
}

/** Other requests run between two slices. */
async function writePhotos(tx: Queries, viewer: Viewer, updates: PhotoUpdate[]): Promise<Photo[]> {
  const updated: Photo[] = [];
  for (let start = 0; start < updates.length; start += photosAtOnce) {
    if (start > 0) await setImmediate();
    const some = updates.slice(start, start + photosAtOnce);
    const changes: Change[] = [];
    for (const update of some) changes.push(await writeChanges(tx, viewer, update));
    await tx.changed("photo", changes);
    const ids = some.map(({ photo }) => photo.id);
    const rows = await tx.all<FoundPhotoRow>(
      selectPhotos(viewer, sql`SELECT id FROM photos WHERE id IN (${list(ids)})`),
    );
    for (const row of rows) {
      const stored = toStoredPhoto(row, viewer);
      await indexPhoto(tx, stored);
      const photo = presentPhoto(stored, viewer);
      recordActivity(tx, viewer?.id ?? null, "changed", { ...photo, kind: "photo", name: photo.title });
      updated.push(photo);
    }
  }
  return updated;
}

async function writeChanges(tx: Queries, viewer: Viewer, { photo, changed, edits }: PhotoUpdate): Promise<Change> {
  const { id } = photo;
  const time = Date.now();
  const { title = photo.title, description = photo.description, altText = photo.altText, fileID } = changed;
  const isPrivate = toFlag(changed.visibility ?? photo.visibility);
  const { isFavourite, takenAt, place, tags } = changed;
  // A corrected time keeps its zone, and without a correction it is that of the file.
  const kept = takenAt === undefined ? undefined : takenAt === null ? null : photo.takenAtZone;
  const zone = changed.takenAtZone === undefined ? kept : changed.takenAtZone;
  if (isFavourite !== undefined && viewer?.id !== photo.ownerID) {
    throw forbidden(`Only the owner of photo ${id} can mark it as a favourite.`);
  }
  // Its content stays until the photo shows it.
  if (fileID !== undefined) await tx.get(sql`SELECT id FROM files WHERE id = ${fileID} ${tx.forShare}`);
  const otherFile = sql`, file_id = ${fileID ?? null},
      poster_sha256 = CASE file_id WHEN ${fileID ?? null} THEN poster_sha256 END,
      poster_size = CASE file_id WHEN ${fileID ?? null} THEN poster_size END,
      edits = CASE file_id WHEN ${fileID ?? null} THEN edits END,
      is_cropped = CASE file_id WHEN ${fileID ?? null} THEN is_cropped ELSE 0 END`;
  await tx.run(sql`
    UPDATE photos SET title = ${title}, description = ${description}, alt_text = ${altText}, is_private = ${isPrivate},
      updated_at = ${time}
      ${fileID === undefined ? sql`` : otherFile}
      ${changed.title === undefined ? sql`` : sql`, is_untitled = 0`}
      ${tags === undefined ? sql`` : sql`, tags = ${printTags(tags)}`}
      ${isFavourite === undefined ? sql`` : sql`, is_favourite = ${isFavourite ? 1 : 0}`}
      ${takenAt === undefined ? sql`` : sql`, taken_at_set = ${takenAt === null ? null : Date.parse(takenAt)}`}
      ${zone === undefined ? sql`` : sql`, taken_at_zone = ${zone}`}
      ${place === undefined ? sql`` : sql`, place = ${printPlace(place)}`}
    WHERE id = ${id}`);
  if (edits !== undefined) await writeEdits(tx, id, edits);
  if (isSized(photo, changed)) {
    const shown = await getPhoto(tx, viewer, id);
    const size = { width: changed.width ?? shown.width, height: changed.height ?? shown.height };
    await tx.run(sql`
      UPDATE photos SET width = ${size.width}, height = ${size.height}, sized_sha256 = ${selectImageOfSize(sql`photos.file_id`, size)}
      WHERE id = ${id}`);
  }
  const { showLocation = photo.showLocation } = changed;
  if (showLocation !== photo.showLocation) {
    await tx.run(sql`UPDATE photos SET location_shown_at = ${showLocation ? time : null} WHERE id = ${id}`);
  }
  const after = {
    is_private: isPrivate,
    is_untitled: changed.title === undefined && photo.isUntitled ? 1 : 0,
    ...(tags && { tags: printTags(tags) }),
    ...(isFavourite !== undefined && { is_favourite: isFavourite ? 1 : 0 }),
    ...(takenAt !== undefined && { taken_at_set: takenAt && Date.parse(takenAt) }),
    ...(fileID !== undefined && { file_id: fileID }),
    ...(place !== undefined && { place: printPlace(place) }),
    ...(showLocation !== photo.showLocation && { location_shown_at: showLocation ? time : null }),
  };
  return { id, before: { is_private: toFlag(photo.visibility), is_untitled: photo.isUntitled ? 1 : 0 }, after };
}

/** A client that sends back what it has read says nothing about the size of an edited picture, which follows from its edits. */
function isSized({ edits, width, height }: Photo, changed: PhotoChanges): boolean {
  if (edits && (changed.width ?? width) === width && (changed.height ?? height) === height) return false;
  return changed.width !== undefined || changed.height !== undefined;
}
