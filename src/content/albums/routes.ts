import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import { invalid } from "../../platform/errors.ts";
import { fileNameFrom } from "../files/names.ts";
import { zipFiles } from "../files/zip.ts";
import { createPhotoOpener } from "../photos/zip-entries.ts";
import { photoSchema } from "../photos/photo.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import type { Page } from "../../platform/database/lists.ts";
import { onlyByCursor, sortedBy } from "../../platform/http/cursor.ts";
import { offsetOf, optionalPageQuery, pageHeaders, toPage } from "../../platform/http/pages.ts";
import { type Caller, isOwnerOrAdmin, type Route, route, type Viewer } from "../../platform/http/route.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { ownerStatuses } from "../../core/users/owner.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { asDownloader } from "../../core/records/visibility.ts";
import {
  albumChangesSchema,
  albumMoveSchema,
  albumOrderSchema,
  albumPhotoSchema,
  albumQuery,
  albumSchema,
  albumWithPhotosSchema,
  createdAlbumSchema,
  newAlbumSchema,
} from "./album.ts";
import {
  attachPhoto,
  byPosition,
  detachPhoto,
  hasPhoto,
  isAttached,
  listAlbumFiles,
  listAlbumPhotos,
  listAlbumPhotosByKey,
  setPhotos,
} from "./album-photos.ts";
import { checkManual } from "./date-order.ts";
import { checkOrdinary, parseFilter, queryFilter } from "./filter.ts";
import { hiddenPhotosRoute } from "./hidden-route.ts";
import { byAlbumOrder } from "./move-album.ts";
import { moveAlbumRoute } from "./move-route.ts";
import { movePhotos } from "./move-photos.ts";
import { countMatches } from "./smart-albums.ts";
import {
  getAlbum,
  getAlbumHead,
  insertAlbum,
  listAlbums,
  listAlbumsByKey,
  listChildAlbums,
  trashAlbum,
  updateAlbum,
} from "./store.ts";

const tag = "Albums";

type Stores = Parameters<typeof createPhotoOpener>[0];

export function albumRoutes(db: Database, stores: Stores, trash: Trash): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/albums",
      name: "createAlbum",
      base: true,
      tag,
      summary: "Create an album",
      role: "author",
      scope: "photos:write",
      body: newAlbumSchema,
      status: 201,
      response: createdAlbumSchema,
      handle: ({ body, caller, transaction }) =>
        transaction(async (tx) => {
          const album = await insertAlbum(tx, caller, body);
          return album.filter ? album : { ...album, photos: [] };
        }),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums",
      name: "listAlbums",
      base: true,
      tag,
      summary: "List albums, newest first",
      personal: true,
      paged: true,
      cursor: sortedBy({ createdAt: byID, position: byAlbumOrder }, "desc", { position: "asc" }),
      query: albumQuery,
      statuses: ownerStatuses,
      response: z.array(albumSchema),
      handle: ({ page, cursor, query, viewer }) =>
        cursor ? listAlbumsByKey(db, viewer, query, cursor) : listAlbums(db, viewer, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums/matches",
      name: "countMatchingPhotos",
      tag,
      summary: "Count the photos that a smart album would have",
      details: "Of your own photos, whoever sees them.",
      role: "author",
      query: z.object({
        filter: queryFilter.meta({
          description: "The filter of the album, as JSON.",
          example: '{"tags":["travel"],"from":"2026-06-01"}',
        }),
      }),
      response: z.object({ count: z.int().meta({ example: 12 }) }).meta({ id: "MatchingPhotos" }),
      handle: async ({ query, caller }) => ({ count: await countMatches(db, caller.id, parseFilter(query.filter)) }),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums/:id",
      name: "readAlbum",
      openTo: ["album"],
      base: true,
      tag,
      summary: "Read an album with its photos",
      response: albumWithPhotosSchema,
      details:
        "Returns all photos. With `page` or `pageSize`, returns one page of them, with the same headers as a list.",
      personal: true,
      granted: true,
      query: optionalPageQuery,
      responseHeaders: ["Link", "X-Total-Count"],
      async handle({ params, query, viewer, exchange }) {
        const page = toPage(query);
        const body = await readAlbum(db, viewer, params.id, page && offsetOf(page));
        return { body, headers: page ? pageHeaders(exchange, page, body.photoCount) : {} };
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/albums/:id/photos",
      name: "listAlbumPhotos",
      openTo: ["album"],
      tag,
      summary: "List the photos of an album, in album order",
      personal: true,
      granted: true,
      find: ({ id }, viewer) => getAlbumHead(db, viewer, id),
      cursor: onlyByCursor(byPosition, "asc"),
      response: z.array(photoSchema),
      handle: ({ record, viewer, cursor }) => listAlbumPhotosByKey(db, viewer, record.id, cursor),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums/:id/albums",
      name: "listChildAlbums",
      openTo: ["album"],
      tag,
      summary: "List the albums in an album, in their order",
      details: "All that you may see, private ones included. The oldest comes first until one is moved.",
      personal: true,
      granted: true,
      find: ({ id }, viewer) => getAlbumHead(db, viewer, id),
      cursor: onlyByCursor(byAlbumOrder, "asc"),
      response: z.array(albumSchema),
      handle: ({ record, viewer, cursor }) => listChildAlbums(db, viewer, record.id, cursor),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums/:id/zip",
      name: "zipAlbum",
      openTo: ["album"],
      tag,
      summary: "Download the photos of an album as a zip archive",
      limit: "media",
      personal: true,
      granted: true,
      response: { contentTypes: ["application/zip"], description: "The archive, created while it is sent" },
      async handle({ params, ...call }) {
        const viewer = asDownloader(call.viewer);
        const album = await getAlbumHead(db, viewer, params.id);
        const open = createPhotoOpener(stores, viewer);
        return zipFiles({ db, viewer, open }, fileNameFrom(album.name), listAlbumFiles(db, viewer, album.id));
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/albums/:id",
      name: "changeAlbum",
      base: true,
      tag,
      summary: "Change an album: its texts, its cover, where it is, or who can see it",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getAlbumHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: lockAlbum,
      body: albumChangesSchema,
      response: albumSchema,
      handle: ({ record, body, caller, transaction }) =>
        transaction(async (tx) => {
          if (body.coverPhotoID && !(await hasPhoto(tx, caller, record.id, body.coverPhotoID))) {
            throw invalid(`"coverPhotoID" must be a photo in this album.`, "coverPhotoID");
          }
          return updateAlbum(tx, caller, record.id, body);
        }),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/albums/:id",
      name: "deleteAlbum",
      base: true,
      tag,
      summary: "Move an album to the trash",
      details:
        "The photos are not deleted. Its sub-albums are at the top level until it is restored, and stay there if it is deleted permanently.",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getAlbumHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: lockAlbum,
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashAlbum(tx, trash, record.id, caller.id));
        return { message: `"${record.name}" was moved to the trash.` };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/albums/:id/photos",
      name: "addAlbumPhoto",
      base: true,
      tag,
      summary: "Add a photo to an album",
      details: "Appends the photo. Adding a photo that is already in the album has no effect.",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getAlbumHead(db, caller, id),
      may: isOwnerOrAdmin,
      body: albumPhotoSchema,
      response: messageSchema,
      async handle({ record, body, caller, transaction }) {
        checkOrdinary(record);
        const attach = async (tx: Queries) => {
          const attached = await attachPhoto(tx, caller, record.id, body.photoID);
          const condition = isAttached(record.id, body.photoID);
          recordActivity(tx, caller.id, "changed", { ...record, kind: "album", condition });
          return attached;
        };
        const reply = async (checkFound: () => Promise<void>) => {
          await checkFound();
          return { message: `The photo is in "${record.name}".` };
        };
        return reply(await transaction(attach, { reply }));
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/albums/:id/photos",
      name: "setAlbumPhotos",
      tag,
      summary: "Set the photos of an album and their order",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getAlbumHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: lockAlbum,
      body: albumOrderSchema,
      response: messageSchema,
      async handle({ record, body, caller, transaction }) {
        checkOrdinary(record);
        await transaction(async (tx) => {
          await setPhotos(tx, caller, record.id, body.photoIDs);
          recordActivity(tx, caller.id, "changed", { ...record, kind: "album" });
        });
        return { message: `"${record.name}" now has ${body.photoIDs.length} photos, in this order.` };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/albums/:id/photos/move",
      name: "moveAlbumPhotos",
      tag,
      summary: "Move photos in an album before or after another one",
      details: "Costs about the same in an album of any length.",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getAlbumHead(db, caller, id),
      may: isOwnerOrAdmin,
      body: albumMoveSchema,
      response: messageSchema,
      statuses: { 404: "There is no such album, or no such photo in it" },
      async handle({ record, body, caller, transaction }) {
        checkOrdinary(record);
        checkManual(record);
        return transaction(async (tx) => {
          await movePhotos(tx, caller, record.id, body);
          recordActivity(tx, caller.id, "changed", { ...record, kind: "album" });
          return { message: `The photos were moved in "${record.name}".` };
        });
      },
    }),

    hiddenPhotosRoute(db),
    moveAlbumRoute(db),

    route({
      method: "DELETE",
      path: "/api/v1/albums/:id/photos/:photoID",
      name: "removeAlbumPhoto",
      base: true,
      tag,
      summary: "Remove a photo from an album",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getAlbumHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: lockAlbum,
      response: messageSchema,
      async handle({ record, params, caller, transaction }) {
        checkOrdinary(record);
        await transaction(async (tx) => {
          await detachPhoto(tx, caller, record.id, params.photoID);
          recordActivity(tx, caller.id, "changed", { ...record, kind: "album" });
        });
        return { message: `The photo is no longer in "${record.name}".` };
      },
    }),
  ];
}

/** As `readAlbum` returns it without a page. */
async function lockAlbum(tx: Queries, caller: Caller, { id }: { id: number }) {
  await getAlbumHead(tx, caller, id, tx.forUpdate);
  return readAlbum(tx, caller, id, null);
}

async function readAlbum(db: Reader, viewer: Viewer, id: number, page: Page | null) {
  const album = await getAlbum(db, viewer, id);
  return { ...album, photos: listAlbumPhotos(db, viewer, id, page) };
}
