import { z } from "zod";
import { getPhoto } from "../photos/store.ts";
import type { Database } from "../platform/database/database.ts";
import { offsetOf } from "../platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import { messageSchema } from "../users/user.ts";
import { albumInputSchema, albumPhotoSchema, albumSchema, albumWithPhotosSchema } from "./album.ts";
import {
  attachPhoto,
  detachPhoto,
  getAlbum,
  insertAlbum,
  listAlbumPhotos,
  listAlbums,
  renameAlbum,
  trashAlbum,
} from "./store.ts";

const tag = "Albums";

export function albumRoutes(db: Database): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/albums",
      name: "createAlbum",
      tag,
      summary: "Make an album",
      role: "author",
      body: albumInputSchema,
      status: 201,
      answer: albumSchema,
      handle: ({ body, caller }) => db.transaction((tx) => insertAlbum(tx, caller.id, body.name)),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums",
      name: "listAlbums",
      tag,
      summary: "List albums, newest first",
      paged: true,
      answer: z.array(albumSchema),
      handle: ({ page }) => listAlbums(db, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/albums/:id",
      name: "readAlbum",
      tag,
      summary: "Read an album with its photos",
      answer: albumWithPhotosSchema,
      async handle({ params }) {
        const album = await getAlbum(db, params.id);
        return { ...album, photos: await listAlbumPhotos(db, album.id) };
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/albums/:id",
      name: "changeAlbum",
      tag,
      summary: "Rename an album",
      role: "author",
      find: ({ id }) => getAlbum(db, id),
      may: isOwnerOrAdmin,
      body: albumInputSchema,
      answer: albumSchema,
      handle: ({ record, body }) => db.transaction((tx) => renameAlbum(tx, record.id, body.name)),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/albums/:id",
      name: "deleteAlbum",
      tag,
      summary: "Move an album to the trash",
      details: "Its photos stay.",
      role: "author",
      find: ({ id }) => getAlbum(db, id),
      may: isOwnerOrAdmin,
      answer: messageSchema,
      async handle({ record }) {
        await db.transaction((tx) => trashAlbum(tx, record.id));
        return { message: `"${record.name}" is in the trash.` };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/albums/:id/photos",
      name: "addAlbumPhoto",
      tag,
      summary: "Put a photo into an album",
      details: "At its end. To add one that is there already changes nothing.",
      role: "author",
      find: ({ id }) => getAlbum(db, id),
      may: isOwnerOrAdmin,
      body: albumPhotoSchema,
      answer: messageSchema,
      async handle({ record, body }) {
        await db.transaction(async (tx) => {
          const photo = await getPhoto(tx, body.photoID);
          const album = await getAlbum(tx, record.id);
          await attachPhoto(tx, album.id, photo.id);
        });
        return { message: `The photo is in "${record.name}".` };
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/albums/:id/photos/:photoID",
      name: "removeAlbumPhoto",
      tag,
      summary: "Take a photo out of an album",
      role: "author",
      find: ({ id }) => getAlbum(db, id),
      may: isOwnerOrAdmin,
      answer: messageSchema,
      async handle({ record, params }) {
        await db.transaction(async (tx) => {
          const photo = await getPhoto(tx, params.photoID);
          await detachPhoto(tx, record.id, photo.id);
        });
        return { message: `The photo is no longer in "${record.name}".` };
      },
    }),
  ];
}
