import { setImmediate } from "node:timers/promises";
import { addPhotos } from "../albums/album-photos.ts";
import { getAlbumHead } from "../albums/store.ts";
import { forbidden, invalid, missing, notOwner, type Problem } from "../errors.ts";
import { lockPhotos } from "../photos/lists.ts";
import { isPossibleDate, type Photo, type PhotoChanges } from "../photos/photo.ts";
import { findPhotos, trashPhoto, updatePhotos } from "../photos/store.ts";
import type { Queries } from "../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../platform/http/route.ts";
import { mostTags, tagKey, uniqueTags } from "../tags.ts";
import type { Trash } from "../trash/trash.ts";
import { type BatchResult, isRefusal, toResult } from "../batch.ts";
import type { PhotoBatch } from "./batch.ts";

type Uses = { trash: Trash; visibilityChanged: (tx: Queries, id: number) => Promise<void> };

const photosAtOnce = 50;

/** Changes those of the photos that the caller may change. Other requests run between two slices. */
export async function changePhotos(tx: Queries, caller: Caller, batch: PhotoBatch, uses: Uses): Promise<BatchResult> {
  const { ids, albumID } = batch;
  await lockPhotos(tx, ids);
  if (albumID !== undefined) await lockAlbum(tx, caller, albumID);
  const refused = new Map<number, Problem>();
  for (let start = 0; start < ids.length; start += photosAtOnce) {
    if (start > 0) await setImmediate();
    await changeSome(tx, caller, { ...batch, ids: ids.slice(start, start + photosAtOnce) }, { ...uses, refused });
  }
  return toResult(ids, refused);
}

async function lockAlbum(tx: Queries, caller: Caller, id: number): Promise<void> {
  const album = await getAlbumHead(tx, caller, id, tx.forUpdate);
  if (!isOwnerOrAdmin(caller, album))
    throw forbidden(`Only the owner of "${album.name}" or an admin can add photos to it.`);
}

async function changeSome(
  tx: Queries,
  caller: Caller,
  batch: PhotoBatch,
  { trash, visibilityChanged, refused }: Uses & { refused: Map<number, Problem> },
): Promise<void> {
  const photos = await findPhotos(tx, caller, batch.ids);
  const updates: { photo: Photo; changed: PhotoChanges | null }[] = [];
  for (const id of batch.ids) {
    try {
      const photo = photos.get(id);
      if (!photo) throw missing(`photo ${id}`);
      updates.push({ photo, changed: changesFor(caller, photo, batch) });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.set(id, error);
    }
  }
  await updatePhotos(
    tx,
    caller,
    updates.flatMap(({ photo, changed }) => (changed ? [{ photo, changed }] : [])),
  );
  const ids = updates.map(({ photo }) => photo.id);
  if (batch.set?.visibility) for (const id of ids) await visibilityChanged(tx, id);
  if (batch.albumID !== undefined) await addPhotos(tx, batch.albumID, ids);
  if (batch.trash) for (const id of ids) await trashPhoto(tx, trash, id, caller.id);
}

/** Null if nothing about the photo itself changes. Throws if the caller may not change it, or not in this way. */
function changesFor(
  caller: Caller,
  photo: Photo,
  { set, addTags, removeTags, trash }: PhotoBatch,
): PhotoChanges | null {
  const isChanged = set !== undefined || addTags !== undefined || removeTags !== undefined;
  if ((isChanged || trash) && !isOwnerOrAdmin(caller, photo)) throw notOwner();
  if (!isChanged) return null;
  const { takenAtShift, ...changed } = set ?? {};
  if (changed.isFavourite !== undefined && photo.ownerID !== caller.id) {
    throw forbidden(`Only the owner of photo ${photo.id} can mark it as a favourite.`);
  }
  return {
    ...changed,
    ...(takenAtShift === undefined ? {} : { takenAt: shift(photo, changed.takenAt ?? photo.takenAt, takenAtShift) }),
    ...(addTags || removeTags ? { tags: combineTags(changed.tags ?? photo.tags, addTags, removeTags) } : {}),
  };
}

function shift({ id }: Photo, takenAt: string | null, seconds: number): string {
  if (takenAt === null) throw invalid(`Photo ${id} has no "takenAt" that could be shifted.`, "takenAtShift");
  const time = Date.parse(takenAt) + seconds * 1000;
  if (!isPossibleDate(time)) throw invalid(`"takenAt" must be between the years 1000 and 9999.`, "takenAtShift");
  return new Date(time).toISOString();
}

function combineTags(tags: string[], added: string[] = [], removed: string[] = []): string[] {
  const removedKeys = new Set(removed.map(tagKey));
  const combined = uniqueTags([...tags.filter((tag) => !removedKeys.has(tagKey(tag))), ...added]);
  if (combined.length > mostTags) throw invalid(`"tags" must have at most ${mostTags} entries.`, "addTags");
  return combined;
}
