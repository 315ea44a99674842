import { z } from "zod";
import { photoSchema } from "../photos/photo.ts";
import { changes, id, line, text } from "../../platform/http/validate.ts";
import type { Texts } from "../../platform/search/documents.ts";
import { ownerQuery } from "../../core/users/owner.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";
import { albumFilterSchema } from "./filter.ts";

const name = line(300).meta({ example: "Lisbon 2026" });
const description = text(20_000).meta({ example: "A week in June." });
const parentID = id()
  .nullable()
  .meta({ description: "An album of yours that contains it; null for the top level.", example: null });

const photoOrder = z.enum(["manual", "oldestFirst", "newestFirst"]).meta({
  description:
    "The order of its photos: by hand, or by `takenAt`. Photos without a date then come last. A smart album is always ordered by date.",
  example: "manual",
});

/** The top level has depth 1. */
export const deepestAlbum = 8;

export const albumSchema = z
  .object({
    id: z.int(),
    name,
    description,
    parentID: z.int().nullable().meta({
      description: "The album that contains it; null at the top level, and if you may not see that album.",
      example: null,
    }),
    visibility: visibilitySchema,
    ownerID: z.int(),
    photoCount: z.int().meta({ description: "The number of photos that you can see in it." }),
    coverPhotoID: z
      .int()
      .nullable()
      .meta({ description: "The photo chosen as the cover; null if none was chosen.", example: null }),
    photoOrder,
    filter: albumFilterSchema.nullable().meta({
      description:
        "The filter of a smart album, whose photos follow from it; null for other albums, and for everyone but its owner and admins.",
      example: null,
    }),
    cover: photoSchema.nullable().meta({ description: "The chosen cover, or else the first photo.", example: null }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Album" });

export type Album = z.output<typeof albumSchema>;

export const albumTexts = (album: Album): Texts => ({ title: album.name, text: album.description });

export const albumWithPhotosSchema = z
  .object({ ...albumSchema.shape, photos: z.array(photoSchema) })
  .meta({ id: "AlbumWithPhotos", description: "An album with its photos, in album order." });

export const createdAlbumSchema = albumSchema
  .extend({
    photos: z.array(photoSchema).optional().meta({
      description: "Empty, because a new album has none. Not sent for a smart album, which may have many at once.",
      example: [],
    }),
  })
  .meta({ id: "CreatedAlbum" });

export const newAlbumSchema = z
  .object({
    name,
    description: description.default(""),
    parentID: parentID.default(null),
    visibility: visibilitySchema.optional(),
    photoOrder: photoOrder.optional(),
    filter: albumFilterSchema.nullable().default(null).meta({
      description:
        "Creates a smart album: it has those of your photos that meet all conditions, now and later, newest first. Photos cannot be added to it by hand.",
      example: null,
    }),
  })
  .meta({ id: "NewAlbum" });

const coverPhotoID = id()
  .nullable()
  .meta({ description: "A photo in the album; null uses the first photo.", example: null });

export const albumChangesSchema = changes({
  name,
  description,
  parentID,
  coverPhotoID,
  visibility: visibilitySchema,
  photoOrder,
  filter: albumFilterSchema
    .nullable()
    .meta({ description: "Another filter of a smart album; null for other albums.", example: null }),
}).meta({ id: "AlbumChanges" });
export type NewAlbum = z.output<typeof newAlbumSchema>;
export type AlbumChanges = z.output<typeof albumChangesSchema>;

export const albumQuery = z.object({
  ...ownerQuery.shape,
  parentID: z
    .string()
    .regex(/^(none|[1-9]\d{0,14})$/, { error: "must be `none` or the id of an album" })
    .optional()
    .meta({
      description: "Only albums in this album, or those at the top level with `none`. The list is then read by cursor.",
      example: "none",
    }),
});

export type AlbumQuery = z.output<typeof albumQuery>;

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

export const albumMoveSchema = z
  .object({
    photoIDs: z
      .array(id())
      .min(1)
      .max(1000)
      .refine((all) => new Set(all).size === all.length, { error: "must list each photo only once" })
      .meta({ description: "Photos in the album, in the order that they get.", example: [1] }),
    before: id().optional().meta({ description: "A photo in the album before which they are moved.", example: 2 }),
    after: id().optional().meta({ description: "Or the photo after which they are moved." }),
  })
  .refine(({ before, after }) => (before === undefined) !== (after === undefined), {
    error: 'Send "before" or "after", and not both.',
  })
  .refine(({ photoIDs, before, after }) => !photoIDs.includes((before ?? after) as number), {
    error: "A photo cannot be moved beside itself.",
  })
  .meta({ id: "AlbumMove" });

export type AlbumMove = z.output<typeof albumMoveSchema>;

export const albumPhotoSchema = z.object({ photoID: id().meta({ example: 1 }) }).meta({ id: "AlbumPhoto" });
