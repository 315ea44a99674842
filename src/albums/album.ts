import { z } from "zod";
import { photoSchema } from "../photos/photo.ts";
import { id, line } from "../platform/http/validate.ts";

const name = line(300).meta({ example: "Lisbon 2026" });

export const albumSchema = z
  .object({
    id: z.int(),
    name,
    ownerID: z.int(),
    photoCount: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Album" });

export type Album = z.output<typeof albumSchema>;

export const albumWithPhotosSchema = z
  .object({ ...albumSchema.shape, photos: z.array(photoSchema) })
  .meta({ id: "AlbumWithPhotos", description: "An album with its photos, in album order." });

export const albumInputSchema = z
  .object({ name: line(300).meta({ example: "Lisbon 2026" }) })
  .meta({ id: "AlbumInput" });

export const albumPhotoSchema = z.object({ photoID: id().meta({ example: 1 }) }).meta({ id: "AlbumPhoto" });
