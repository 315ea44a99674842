import type { Database } from "../../platform/database/database.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { Images } from "../../core/images/read.ts";
import type { Originals } from "../../content/photos/originals.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { batchResultSchema, changeTogether, movesToTrash } from "../../core/records/batch.ts";
import {
  fileBatchResultSchema,
  fileBatchSchema,
  newPhotosSchema,
  photoBatchResultSchema,
  photoBatchSchema,
  photosResultSchema,
  recordBatchSchema,
} from "./batch.ts";
import { changeFiles } from "./change-files.ts";
import { changePhotos } from "./change-photos.ts";
import { changeAlbums, changePosts } from "./change-records.ts";
import { createPhotos } from "./create-photos.ts";

type Deps = {
  db: Database;
  images: Images;
  trash: Trash;
  originals: Originals;
  quotaBytes: number | null;
};

const details =
  "Up to 1,000 records in one transaction. What you may change is changed together, or not at all if the request fails; each id that was refused has its status and error. `POST /api/v1/trash/restore` restores what was moved to the trash.";

export function batchRoutes({ db, images, ...deps }: Deps): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/photos/batch",
      name: "changePhotos",
      tag: "Photos",
      summary: "Change many photos",
      details: `${details} Adding photos to an album of yours, or removing them from it, needs only that you can see them.`,
      role: "author",
      scope: "photos:write",
      body: photoBatchSchema,
      whenFull: movesToTrash,
      response: photoBatchResultSchema,
      statuses: { 404: "There is no such album" },
      handle: changeTogether((tx, caller, batch) => changePhotos(tx, caller, batch, deps)),
    }),

    route({
      method: "POST",
      path: "/api/v1/photos/many",
      name: "createPhotos",
      tag: "Photos",
      summary: "Create many photos from uploaded files",
      details:
        "Up to 1,000 photos in one transaction, in this order. A photo that cannot be created has its status and error, and does not stop the others.",
      role: "author",
      scope: "photos:write",
      body: newPhotosSchema,
      response: photosResultSchema,
      statuses: { 404: "There is no such album" },
      handle: ({ body, caller, transaction }) =>
        createPhotos({ db, images, originals: deps.originals, transaction }, caller, body),
    }),

    route({
      method: "POST",
      path: "/api/v1/files/batch",
      name: "changeFiles",
      tag: "Files",
      summary: "Change or copy many files and directories",
      details: `${details} Copies belong to the caller and share the stored bytes with the originals; at most 10,000 files are copied by one request.`,
      role: "author",
      scope: "files:write",
      body: fileBatchSchema,
      whenFull: movesToTrash,
      response: fileBatchResultSchema,
      handle: changeTogether((tx, caller, batch) => changeFiles(tx, caller, batch, deps)),
    }),
    ...(
      [
        {
          path: "/api/v1/blog/batch",
          name: "changePosts",
          tag: "Blog",
          scope: "blog:write",
          what: "blog posts",
          change: changePosts,
        },
        {
          path: "/api/v1/albums/batch",
          name: "changeAlbums",
          tag: "Albums",
          scope: "photos:write",
          what: "albums",
          change: changeAlbums,
        },
      ] as const
    ).map(({ what, change, ...names }) =>
      route({
        ...names,
        method: "POST",
        summary: `Change who can see many ${what}, or move them to the trash`,
        details,
        role: "author",
        body: recordBatchSchema,
        whenFull: movesToTrash,
        response: batchResultSchema,
        handle: changeTogether((tx, caller, batch) => change(tx, caller, batch, deps.trash)),
      }),
    ),
  ];
}
