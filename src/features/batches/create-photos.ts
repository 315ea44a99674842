import { setImmediate } from "node:timers/promises";
import { recordActivity } from "../../core/activity/record.ts";
import { addPhotos } from "../../content/albums/album-photos.ts";
import { Problem } from "../../platform/errors.ts";
import { lockFiles } from "../../content/files/store.ts";
import { stillWorking, type Images } from "../../core/images/read.ts";
import { completePhoto, type CompletePhoto, createPhoto } from "../../content/photos/create.ts";
import type { Originals } from "../../content/photos/originals.ts";
import type { NewPhotoOfFile } from "../../content/photos/photo.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { NewPhotos, PhotosResult } from "./batch.ts";
import { lockAlbum } from "./change-photos.ts";

type Deps = { db: Database; images: Images; originals: Originals };
/** `transaction` creates the photos. */
type Creating = Deps & { transaction: Database["transaction"] };

const readAtOnce = 8;
const createdAtOnce = 20;
/** Shorter than the time limit of a request. Pictures that have not been read by then are refused, and can be sent again. */
const maxWaitMilliseconds = 20_000;

/** Creates those of the photos that can be created, in one transaction. */
export async function createPhotos(deps: Creating, caller: Caller, sent: NewPhotos): Promise<PhotosResult> {
  const { photos, albumID } = sent;
  if (albumID !== undefined) await deps.db.transaction((tx) => lockAlbum(tx, caller, albumID, "add"));
  const completed = await completePhotos(deps, caller, photos);
  const accepted = completed.flatMap((one) => (one instanceof Problem ? [] : [one]));
  const create = async (tx: Queries) => {
    const ids = await insertAll(tx, deps.originals, caller, { photos: accepted, albumID });
    const results = photos.map(({ fileID }, index) => {
      const one = completed[index];
      if (!(one instanceof Problem))
        return { fileID, photoID: ids.shift() ?? null, status: 201, error: null, reason: null };
      const reason = (one.details?.["reason"] as string | undefined) ?? null;
      return { fileID, photoID: null, status: one.status, error: one.message, reason };
    });
    return { created: accepted.length, results };
  };
  return deps.transaction(create, { isLong: true });
}

/** Each photo with its size, or the reason why it cannot be created. */
async function completePhotos(
  deps: Deps,
  caller: Caller,
  photos: NewPhotoOfFile[],
): Promise<(CompletePhoto | Problem)[]> {
  const deadline = Date.now() + maxWaitMilliseconds;
  const images = {
    read: (bytes: Parameters<Images["read"]>[0]) =>
      Date.now() < deadline ? deps.images.read(bytes) : Promise.reject(stillWorking()),
  };
  const completed: (CompletePhoto | Problem)[] = [];
  for (let start = 0; start < photos.length; start += readAtOnce) {
    if (start > 0) await setImmediate();
    const some = photos.slice(start, start + readAtOnce);
    const complete = (photo: NewPhotoOfFile) => completePhoto({ ...deps, images }, caller, photo).catch(toRefusal);
    completed.push(...(await Promise.all(some.map(complete))));
  }
  return completed;
}

/** Other errors, such as a lost connection, fail the whole request. */
function toRefusal(error: unknown): Problem {
  if (error instanceof Problem && ["invalid", "missing", "busy"].includes(error.code)) return error;
  throw error;
}

/** Other requests run between two slices. Returns the ids of the photos. */
async function insertAll(
  tx: Queries,
  originals: Originals,
  caller: Caller,
  { photos, albumID }: { photos: CompletePhoto[]; albumID: number | undefined },
): Promise<number[]> {
  const ids: number[] = [];
  if (photos.length === 0) return ids;
  const fileIDs = photos.map(({ fileID }) => fileID);
  await lockFiles(tx, fileIDs, tx.forShare);
  const album = albumID === undefined ? null : await lockAlbum(tx, caller, albumID, "add");
  for (let start = 0; start < photos.length; start += createdAtOnce) {
    if (start > 0) await setImmediate();
    const some: number[] = [];
    for (const photo of photos.slice(start, start + createdAtOnce))
      some.push((await createPhoto(tx, originals, caller, photo)).id);
    if (album) await addPhotos(tx, album.id, some);
    ids.push(...some);
  }
  if (album) recordActivity(tx, caller.id, "changed", { ...album, kind: "album" });
  return ids;
}
