import { z } from "zod";
import { photoSchema } from "../photos/photo.ts";
import { changes, id, line } from "../platform/http/validate.ts";
import type { Texts } from "../platform/search/documents.ts";
import { visibilitySchema } from "../visibility.ts";

const name = line(300).meta({ example: "Lisbon 2026" });

export const albumSchema = z
  .object({
    id: z.int(),
    name,
    visibility: visibilitySchema,
    ownerID: z.int(),
    photoCount: z.int().meta({ description: "The number of photos that you can see in it." }),
    coverPhotoID: z
      .int()
      .nullable()
      .meta({ description: "The photo chosen as the cover; null if none was chosen.", example: null }),
    cover: photoSchema.nullable().meta({ description: "The chosen cover, or else the first photo.", example: null }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Album" });

export type Album = z.output<typeof albumSchema>;

export const albumTexts = (album: Album): Texts => ({ title: album.name, text: "" });

export const albumWithPhotosSchema = z
  .object({ ...albumSchema.shape, photos: z.array(photoSchema) })
  .meta({ id: "AlbumWithPhotos", description: "An album with its photos, in album order." });

export const newAlbumSchema = z.object({ name, visibility: visibilitySchema.optional() }).meta({ id: "NewAlbum" });

const coverPhotoID = id()
  .nullable()
  .meta({ description: "A photo in the album; null uses the first photo.", example: null });

export const albumChangesSchema = changes({ name, coverPhotoID, visibility: visibilitySchema }).meta({
  id: "AlbumChanges",
});
export type NewAlbum = z.output<typeof newAlbumSchema>;
export type AlbumChanges = z.output<typeof albumChangesSchema>;

export const albumOrderSchema = z
  .object({
    photoIDs: z
      .array(id())
      .max(10_000)
      .meta({ example: [1] }),
  })
  .refine(({ photoIDs }) => new Set(photoIDs).size === photoIDs.length, {
    error: "must list each photo only once",
    path: ["photoIDs"],
  })
  .meta({ id: "AlbumOrder" });

export const albumPhotoSchema = z.object({ photoID: id().meta({ example: 1 }) }).meta({ id: "AlbumPhoto" });
