import { recordActivity } from "../../core/activity/record.ts";
import { invalid, missing } from "../../platform/errors.ts";
import { isImage } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { typeOfBytes } from "../../platform/images/kinds.ts";
import type { Incoming } from "../../core/storage/incoming.ts";
import { checkQuota, type Quota } from "../../core/storage/quota.ts";
import { receiveBody } from "../../core/storage/receive-body.ts";
import { type Photo, photoSchema } from "./photo.ts";
import { getPhoto, getPhotoHead, lockPhoto } from "./store.ts";

const path = "/api/v1/photos/:id/poster";
const tag = "Photos";
const maxPosterBytes = 20 * 2 ** 20;
const limit = { maxBytes: maxPosterBytes, sentence: `The poster is larger than ${maxPosterBytes} bytes.` };

type Deps = { db: Database; blobs: Blobs; images: Images; quotaBytes: number | null };

/** The picture that stands for a video: the one that was sent, or else a frame of the video. */
export function posterRoutes({ db, blobs, images, quotaBytes }: Deps): Route[] {
  return [
    route({
      method: "PUT",
      path,
      name: "replacePoster",
      tag,
      summary: "Set the poster of a video",
      details: `The body is a picture of at most ${maxPosterBytes / 2 ** 20} MiB; its \`Content-Type\` is ignored. The variants of the photo and its \`thumbhash\` are made from it.`,
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getPhotoHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPhoto(tx, caller, id),
      bytes: "application/octet-stream",
      response: photoSchema,
      statuses: { 503: "The server is busy with other pictures: try again" },
      async handle({ record, caller, exchange, transaction }) {
        checkVideo(await getPhoto(db, caller, record.id));
        const quota = { ownerID: record.ownerID, quotaBytes };
        await using incoming = await receiveBody({ db, blobs, transaction }, exchange, quota, limit);
        return await incoming.store(
          (tx) => setPoster(tx, caller, record.id, { incoming, quota }),
          () => checkPicture(incoming),
        );
      },
    }),

    route({
      method: "DELETE",
      path,
      name: "removePoster",
      tag,
      summary: "Remove the poster of a video",
      details: "The photo then shows a frame of the video, if the server can take one.",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getPhotoHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPhoto(tx, caller, id),
      response: photoSchema,
      handle: ({ record, caller, transaction }) => transaction((tx) => removePoster(tx, caller, record.id)),
    }),
  ];

  async function checkPicture({ sha256, head }: Incoming): Promise<void> {
    if (!isImage(typeOfBytes(head))) throw invalid("The poster is not a supported image.");
    const { thumbhash, failure } = await images.readPicture(sha256);
    if (thumbhash === null) throw invalid(`The poster cannot be used. ${failure}`);
  }
}

async function setPoster(
  tx: Queries,
  caller: Caller,
  id: number,
  { incoming, quota }: { incoming: Incoming; quota: Quota },
): Promise<Photo> {
  checkVideo(await lockPhoto(tx, caller, id));
  await tx.run(sql`
    UPDATE photos SET poster_sha256 = ${incoming.sha256}, poster_size = ${incoming.size}, updated_at = ${Date.now()}
    WHERE id = ${id}`);
  await checkQuota(tx, quota, { isReserved: true });
  return recordChange(tx, caller, id);
}

async function removePoster(tx: Queries, caller: Caller, id: number): Promise<Photo> {
  const photo = await lockPhoto(tx, caller, id);
  checkVideo(photo);
  if (photo.poster !== "sent") throw missing(`poster of photo ${id}`);
  await tx.run(sql`
    UPDATE photos SET poster_sha256 = NULL, poster_size = NULL, updated_at = ${Date.now()} WHERE id = ${id}`);
  return recordChange(tx, caller, id);
}

/** Returns the photo as it is now. */
async function recordChange(tx: Queries, caller: Caller, id: number): Promise<Photo> {
  const photo = await getPhoto(tx, caller, id);
  recordActivity(tx, caller.id, "changed", { ...photo, kind: "photo", name: photo.title });
  return photo;
}

function checkVideo({ id, kind }: Photo): void {
  if (kind !== "video") throw invalid(`Only a video has a poster: photo ${id} shows an image.`);
}
