import { z } from "zod";
import { invalid } from "../errors.ts";
import type { File } from "../files/file.ts";
import { findFile } from "../files/store.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { offsetOf } from "../platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import { messageSchema } from "../users/user.ts";
import { readDimensions } from "./dimensions.ts";
import { type NewPhoto, newPhotoSchema, photoChangesSchema, photoSchema } from "./photo.ts";
import { getPhoto, insertPhoto, listPhotos, trashPhoto, updatePhoto } from "./store.ts";

const tag = "Photos";

/** `leaveAlbums` runs in the transaction that moves a photo to the trash. */
export function photoRoutes(
  db: Database,
  blobs: Blobs,
  leaveAlbums: (tx: Queries, photoID: number) => Promise<void>,
): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/photos",
      name: "createPhoto",
      tag,
      summary: "Make a photo of an uploaded file",
      role: "author",
      body: newPhotoSchema,
      status: 201,
      answer: photoSchema,
      async handle({ body, caller }) {
        const file = await getImageFile(db, body.fileID);
        const size = await completeSize(body, () => readDimensions(blobs, file));
        return db.transaction(async (tx) => {
          await getImageFile(tx, body.fileID);
          return insertPhoto(tx, caller.id, { ...body, ...size });
        });
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/photos",
      name: "listPhotos",
      tag,
      summary: "List photos, newest first",
      paged: true,
      answer: z.array(photoSchema),
      handle: ({ page }) => listPhotos(db, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/:id",
      name: "readPhoto",
      tag,
      summary: "Read a photo",
      answer: photoSchema,
      handle: ({ params }) => getPhoto(db, params.id),
    }),

    route({
      method: "PUT",
      path: "/api/v1/photos/:id",
      name: "changePhoto",
      tag,
      summary: "Change a photo",
      details: "Fields that are not sent stay as they are.",
      role: "author",
      find: ({ id }) => getPhoto(db, id),
      may: isOwnerOrAdmin,
      body: photoChangesSchema,
      answer: photoSchema,
      handle: ({ record, body }) =>
        db.transaction(async (tx) => {
          if (body.fileID !== undefined) await getImageFile(tx, body.fileID);
          return updatePhoto(tx, record.id, body);
        }),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/photos/:id",
      name: "deletePhoto",
      tag,
      summary: "Move a photo to the trash",
      details: "It leaves its albums, and posts lose it as their cover. Its file stays.",
      role: "author",
      find: ({ id }) => getPhoto(db, id),
      may: isOwnerOrAdmin,
      answer: messageSchema,
      async handle({ record }) {
        await db.transaction(async (tx) => {
          await trashPhoto(tx, record.id);
          await leaveAlbums(tx, record.id);
        });
        return { message: `"${record.title}" is in the trash.` };
      },
    }),
  ];
}

async function getImageFile(db: Reader, id: number): Promise<File> {
  const file = await findFile(db, id);
  if (!file) throw invalid(`"fileID" points to no file: there is no file ${id}.`, "fileID");
  if (file.isDirectory) throw invalid(`"fileID" points to a directory.`, "fileID");
  return file;
}

type Size = { width: number; height: number };

/** What was sent counts; what was left out is read from the image. */
async function completeSize({ width, height }: NewPhoto, read: () => Promise<Size>): Promise<Size> {
  if (width && height) return { width, height };
  const size = await read();
  return { width: width ?? size.width, height: height ?? size.height };
}
