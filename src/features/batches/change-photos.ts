import { setImmediate } from "node:timers/promises";
import { recordActivity } from "../../core/activity/record.ts";
import { addPhotos, findEntries, removePhotos } from "../../content/albums/album-photos.ts";
import { checkOrdinary } from "../../content/albums/filter.ts";
import { getAlbumHead } from "../../content/albums/store.ts";
import { forbidden, invalid, missing, notOwner, type Problem } from "../../platform/errors.ts";
import { updatePhotos } from "../../content/photos/change.ts";
import { lockPhotos } from "../../content/photos/lists/entries.ts";
import { isPossibleDate, longestTitle, type Photo, type SharedChanges } from "../../content/photos/photo.ts";
import { describeOriginals, type Originals } from "../../content/photos/originals.ts";
import { findPhotos } from "../../content/photos/store.ts";
import { findExact, readClockIn } from "../../content/photos/zones.ts";
import { trashPhotos } from "../../content/photos/trash.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { maxTags, tagKey, uniqueTags } from "../../core/records/tags.ts";
import type { Head } from "../../core/trash/heads.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { isRefusal, toResult } from "../../core/records/batch.ts";
import { type PhotoBatch, type PhotoBatchResult, titleFor } from "./batch.ts";

type Deps = { trash: Trash; originals: Originals };

const photosAtOnce = 50;

/** Changes those of the photos that the caller may change. Other requests run between two slices. */
export async function changePhotos(
  tx: Queries,
  caller: Caller,
  batch: PhotoBatch,
  deps: Deps,
): Promise<PhotoBatchResult> {
  const { ids, set, trash, withFile } = batch;
  await lockPhotos(tx, ids);
  const albums = await lockAlbums(tx, caller, batch);
  const refused = new Map<number, Problem>();
  const changed: number[] = [];
  const added = new Set<number>();
  for (let start = 0; start < ids.length; start += photosAtOnce) {
    if (start > 0) await setImmediate();
    const slice = { ...batch, ids: ids.slice(start, start + photosAtOnce), start };
    changed.push(...(await changeSome(tx, caller, slice, { ...deps, refused, added })));
  }
  if (trash) await trashPhotos(tx, deps, changed, { deletedByID: caller.id, withFile });
  if (refused.size < ids.length) {
    for (const album of albums) recordActivity(tx, caller.id, "changed", { ...album, kind: "album" });
  }
  const originals = set?.visibility || withFile ? await describeOriginals(tx, changed) : null;
  const result = toResult(ids, refused);
  const results = result.results.map((one) => ({
    ...one,
    file: originals?.get(one.id) ?? null,
    isAdded: added.has(one.id),
  }));
  return { ...result, results };
}

/** In the order of their ids, so that two batches do not wait for each other in a circle. */
async function lockAlbums(tx: Queries, caller: Caller, { albumID, removeFromAlbumID }: PhotoBatch): Promise<Head[]> {
  const ids = [albumID, removeFromAlbumID].filter((id) => id !== undefined);
  const albums: Head[] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    albums.push(await lockAlbum(tx, caller, id, id === albumID ? "add" : "remove"));
  }
  return albums;
}

/** Throws if the caller may not change the album. */
export async function lockAlbum(tx: Queries, caller: Caller, id: number, change: "add" | "remove"): Promise<Head> {
  const album = await getAlbumHead(tx, caller, id, tx.forUpdate);
  if (isOwnerOrAdmin(caller, album)) {
    checkOrdinary(album);
    return album;
  }
  const what = change === "add" ? "add photos to it" : "remove photos from it";
  throw forbidden(`Only the owner of "${album.name}" or an admin can ${what}.`);
}

/** What is written of a photo. */
type Changes = Omit<SharedChanges, "takenAtShift">;

/** `start` is the place of the first of these photos in the whole batch. */
type Slice = PhotoBatch & { start: number };

async function changeSome(
  tx: Queries,
  caller: Caller,
  batch: Slice,
  { originals, refused, added }: Deps & { refused: Map<number, Problem>; added: Set<number> },
): Promise<number[]> {
  const { albumID, removeFromAlbumID } = batch;
  const [photos, exact, inAlbum] = await Promise.all([
    findPhotos(tx, caller, batch.ids),
    batch.set?.takenAtZone === undefined ? null : findExact(tx, batch.ids),
    removeFromAlbumID === undefined ? null : findEntries(tx, removeFromAlbumID, batch.ids),
  ]);
  const updates: { photo: Photo; changed: Changes | null }[] = [];
  for (const [index, id] of batch.ids.entries()) {
    try {
      const photo = photos.get(id);
      if (!photo) throw missing(`photo ${id}`);
      if (inAlbum && !inAlbum.has(id)) throw missing(`photo ${id} in album ${removeFromAlbumID}`);
      updates.push({ photo, changed: changesFor(caller, photo, batch, { index, isExact: exact?.has(id) ?? false }) });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.set(id, error);
    }
  }
  // Several of them may show one file: with the last of them, it is as all of them are.
  await updatePhotos(
    tx,
    originals,
    caller,
    updates.flatMap(({ photo, changed }) => (changed ? [{ photo, changed }] : [])),
  );
  const ids = updates.map(({ photo }) => photo.id);
  if (albumID !== undefined) for (const id of await addPhotos(tx, albumID, ids)) added.add(id);
  if (removeFromAlbumID !== undefined) removePhotos(tx, removeFromAlbumID, ids);
  return ids;
}

/** Null if nothing about the photo itself changes. Throws if the caller may not change it, or not in this way. */
function changesFor(
  caller: Caller,
  photo: Photo,
  batch: Slice,
  { index, isExact }: { index: number; isExact: boolean },
): Changes | null {
  const { set, retitle, addTags, removeTags, trash, start } = batch;
  const isChanged = [set, retitle, addTags, removeTags].some((change) => change !== undefined);
  if ((isChanged || trash) && !isOwnerOrAdmin(caller, photo)) throw notOwner();
  if (!isChanged) return null;
  const { takenAtShift, ...changed } = set ?? {};
  const { takenAt, takenAtZone } = changed;
  if (changed.isFavourite !== undefined && photo.ownerID !== caller.id) {
    throw forbidden(`Only the owner of photo ${photo.id} can mark it as a favourite.`);
  }
  return {
    ...changed,
    ...(retitle ? { title: checkTitle(titleFor(retitle, photo.title, start + index)) } : {}),
    ...(takenAtShift === undefined ? {} : { takenAt: shiftDate(photo, takenAt ?? photo.takenAt, takenAtShift) }),
    ...(takenAtZone === undefined || takenAt !== undefined || isExact
      ? {}
      : { takenAt: readClockIn(takenAtZone, photo) }),
    ...(addTags || removeTags ? { tags: combineTags(changed.tags ?? photo.tags, addTags, removeTags) } : {}),
  };
}

function checkTitle(title: string): string {
  if (title.length <= longestTitle) return title;
  throw invalid(`"title" must have at most ${longestTitle} characters.`, "retitle.title");
}

function shiftDate({ id }: Photo, takenAt: string | null, seconds: number): string {
  if (takenAt === null) throw invalid(`Photo ${id} has no "takenAt" that could be shifted.`, "takenAtShift");
  const time = Date.parse(takenAt) + seconds * 1000;
  if (!isPossibleDate(time)) throw invalid(`"takenAt" must be between the years 1000 and 9999.`, "takenAtShift");
  return new Date(time).toISOString();
}

function combineTags(tags: string[], added: string[] = [], removed: string[] = []): string[] {
  const removedKeys = new Set(removed.map(tagKey));
  const combined = uniqueTags([...tags.filter((tag) => !removedKeys.has(tagKey(tag))), ...added]);
  if (combined.length > maxTags) throw invalid(`"tags" must have at most ${maxTags} entries.`, "addTags");
  return combined;
}
