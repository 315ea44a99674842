import { z } from "zod";
import { invalid, missing, Problem } from "../errors.ts";
import type { File } from "../files/file.ts";
import { type Image, isImage, type Width, widths } from "../images/image.ts";
import type { Images } from "../images/read.ts";
import type { Variants } from "../images/variants.ts";
import type { Database } from "../platform/database/database.ts";
import { offsetOf } from "../platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import type { Trash } from "../trash/trash.ts";
import { messageSchema } from "../platform/http/message.ts";
import { type NewPhoto, newPhotoSchema, photoChangesSchema, photoSchema } from "./photo.ts";
import {
  findSubject,
  getPhoto,
  getPhotoHead,
  getStoredPhoto,
  insertPhoto,
  listPhotos,
  trashPhoto,
  updatePhoto,
} from "./store.ts";

const tag = "Photos";

export function photoRoutes(db: Database, images: Images, variants: Variants, trash: Trash): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/photos",
      name: "createPhoto",
      base: true,
      tag,
      summary: "Make a photo of an uploaded file",
      role: "author",
      body: newPhotoSchema,
      status: 201,
      answer: photoSchema,
      async handle({ body, caller }) {
        const { file, image } = await readSubject(body.fileID);
        const size = completeSize(body, file, image);
        return db.transaction((tx) => insertPhoto(tx, caller, { ...body, ...size }));
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/photos",
      name: "listPhotos",
      base: true,
      tag,
      summary: "List photos, newest first",
      personal: true,
      paged: true,
      answer: z.array(photoSchema),
      handle: ({ page, viewer }) => listPhotos(db, viewer, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/:id",
      name: "readPhoto",
      base: true,
      tag,
      summary: "Read a photo",
      details: "Where it was taken is told to its owner only, unless `showLocation` is set.",
      personal: true,
      answer: photoSchema,
      handle: ({ params, viewer }) => getPhoto(db, viewer, params.id),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/:id/image",
      name: "readPhotoImage",
      tag,
      summary: "Look at a photo",
      details:
        "The picture upright and in sRGB, at most as wide as asked for and never enlarged; as AVIF, WebP or JPEG, whichever `Accept` weighs most; a wildcard stands for JPEG. Of an animation, its first frame.",
      limit: "media",
      query: z.object({
        w: z
          .enum(widths.map(String) as [string, ...string[]])
          .default("1280")
          .meta({ description: "The width in pixels.", example: "640" }),
        v: z.string().optional().meta({ description: "As `variants` gives it: the answer may then be kept forever." }),
      }),
      answer: { contentTypes: ["image/jpeg", "image/webp", "image/avif"], description: "The picture" },
      statuses: { 304: "Not modified", 503: "The server has too many pictures to work on: try again" },
      async handle({ params, query, exchange }) {
        const { file } = await getStoredPhoto(db, params.id);
        const image = file && (await images.read(file));
        if (!image) throw missing(`picture of photo ${params.id}: its file is ${file ? "no image" : "in the trash"}`);
        return variants.send(image, Number(query.w) as Width, exchange);
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/photos/:id",
      name: "changePhoto",
      base: true,
      tag,
      summary: "Change a photo",
      details: "Fields that are not sent stay as they are.",
      role: "author",
      find: ({ id }) => getPhotoHead(db, id),
      may: isOwnerOrAdmin,
      body: photoChangesSchema,
      answer: photoSchema,
      async handle({ record, body, caller }) {
        if (body.fileID !== undefined) await readSubject(body.fileID);
        return db.transaction((tx) => updatePhoto(tx, caller, record.id, body));
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/photos/:id",
      name: "deletePhoto",
      base: true,
      tag,
      summary: "Move a photo to the trash",
      details: "It leaves its albums, and posts lose it as their cover. Its file stays.",
      role: "author",
      find: ({ id }) => getPhotoHead(db, id),
      may: isOwnerOrAdmin,
      answer: messageSchema,
      async handle({ record, caller }) {
        await db.transaction((tx) => trashPhoto(tx, trash, record.id, caller.id));
        return { message: `"${record.title}" is in the trash.` };
      },
    }),
  ];

  /** Throws where `fileID` cannot be shown. The file may go to the trash meanwhile, as it may later. */
  async function readSubject(fileID: number): Promise<{ file: File; image: Image | null }> {
    const { file, image } = await findSubject(db, fileID);
    if (!file) throw invalid(`"fileID" points to no file: there is no file ${fileID}.`, "fileID");
    if (file.isDirectory) throw invalid(`"fileID" points to a directory.`, "fileID");
    return { file, image: image ?? (await readImage(images, file)) };
  }
}

/** A photo shows when its image is known: until then, whoever makes it waits. */
async function readImage(images: Images, file: File): Promise<Image | null> {
  try {
    return await images.read(file);
  } catch (error) {
    if (error instanceof Problem && error.code === "busy") throw new Problem("unavailable", error.message);
    throw error;
  }
}

/** What was sent counts; what was left out is what the image has. */
function completeSize(sent: NewPhoto, file: File, image: Image | null): { width: number; height: number } {
  const width = sent.width ?? image?.width;
  const height = sent.height ?? image?.height;
  if (width && height) return { width, height };
  const reason = image?.failure ?? (isImage(file.contentType) ? "" : "It is not an image that is known here.");
  throw invalid(
    `"width" and "height" are required: they cannot be read from "${file.name}". ${reason}`.trim(),
    "width",
  );
}
